import type { Config } from "../config/config.js";
import type { SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { commandLine } from "./next-command.js";

export interface AfterSync {
  report: Pick<SyncReport, "outcome" | "consistency" | "confirmed" | "content" | "generation" | "problems">;
  contentFolder: string | undefined;
  /** The embedded demo space has problems on purpose, and no site is built from it. */
  isDemo: boolean;
  /** A build script of package.json runs the sync, so the site has its step already. */
  isInBuild: boolean;
}

/** Returns at most three next steps after a sync; none if nothing changed. Commands are in backticks. */
export function nextSteps({ report, contentFolder, isDemo, isInBuild }: AfterSync): string[] {
  const { outcome, content, generation } = report;
  const isFirst = outcome === "committed" && generation === 1;
  if (outcome !== "committed" && content.written === 0) return [];
  const look = contentFolder === undefined ? "Serve it" : `Look at ${contentFolder}, or serve it`;
  return [
    `${look}: \`offprint serve\`${isFirst ? ", or browse it: `offprint open`" : ""}`,
    ...(isFirst && contentFolder === undefined ? [checkStep] : []),
    ...(isDemo ? [] : [...problemSteps(report), ...levelSteps(report), ...(isFirst && !isInBuild ? [siteStep] : [])]),
  ].slice(0, 3);
}

/** Links are resolved as files are rendered. */
const checkStep = "`offprint check` finds dead links: a sync without JSON or Markdown does not look for them.";

const siteStep =
  'In a site: `offprint init --site`, or add "prebuild": "offprint sync" to the scripts of package.json.';

function problemSteps({ problems }: AfterSync["report"]): string[] {
  if (!problems.some(({ isNew }) => isNew)) return [];
  return ["`offprint status --verbose` lists the problems, `offprint check` finds others in the content."];
}

function levelSteps({ outcome, consistency, confirmed }: AfterSync["report"]): string[] {
  if (outcome !== "committed") return [];
  if (consistency === "interval") {
    return ["The space was edited during the sync. The next sync without edits makes the generation exact."];
  }
  if (confirmed !== false) return [];
  return ["A sync in a minute or later confirms this generation."];
}

/** Suggests an edit after the first sync of the demo space, and after one without changes. */
export function sayDemoHint(
  { terminal, flags, env }: Pick<CommandContext, "terminal" | "flags" | "env">,
  config: Config,
  { outcome, generation, plan, problems }: Pick<SyncReport, "outcome" | "generation" | "plan" | "problems">,
): void {
  if (config.source.url !== demoSource || flags.json || env.CI || plan !== undefined) return;
  if (outcome !== "unchanged" && !(outcome === "committed" && generation === 1)) return;
  if (outcome === "committed" && problems.length > 0) {
    terminal.say("  The demo space has these problems on purpose, to show what is reported.");
  }
  const [edit, sync] = [commandLine("demo --edit", flags, env), commandLine("sync", flags, env)];
  terminal.say(`  Try an edit: ${edit}, then ${sync} again.`);
}

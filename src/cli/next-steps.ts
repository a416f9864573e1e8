import type { Config } from "../config/config.js";
import type { SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { commandLine } from "./next-command.js";

/** What decides which steps come next. */
export interface AfterSync {
  report: Pick<SyncReport, "outcome" | "consistency" | "confirmed" | "content" | "generation" | "problems">;
  /** The content folder as a person would type it; undefined: no content is written. */
  contentFolder: string | undefined;
  /** Of the embedded demo space: its problems are there on purpose, and no site is built from it. */
  isDemo: boolean;
}

/** Milliseconds from a reading until it may be looked at once more, as a person would say it. */
const secondLookText = "a minute from now or later";

/**
 * What a person may do after a sync, at most three lines; none where nothing changed. Commands stand in backticks.
 *
 * - After the first generation: where to look, and how a site comes by the content.
 * - Where problems are new: who tells more of them.
 * - Where the level is not the best one: which sync makes it that.
 */
export function nextSteps({ report, contentFolder, isDemo }: AfterSync): string[] {
  const { outcome, content, generation } = report;
  const isFirst = outcome === "committed" && generation === 1;
  if (outcome !== "committed" && content.written === 0) return [];
  const look = contentFolder === undefined ? "Serve it" : `Look at ${contentFolder}, or serve it`;
  return [
    `${look}: \`offprint serve\`${isFirst ? ", or browse it: `offprint open`" : ""}`,
    ...(isDemo ? [] : [...problemSteps(report), ...levelSteps(report), ...(isFirst ? [siteStep] : [])]),
  ].slice(0, 3);
}

const siteStep = 'In a site: `offprint init --site`, or "prebuild": "offprint sync" among the scripts of package.json.';

function problemSteps({ problems }: AfterSync["report"]): string[] {
  const fresh = problems.filter(({ isNew }) => isNew).length;
  if (fresh === 0) return [];
  return ["`offprint status` lists the problems, `offprint check` finds what else is wrong in the content."];
}

function levelSteps({ outcome, consistency, confirmed }: AfterSync["report"]): string[] {
  if (outcome !== "committed") return [];
  if (consistency === "interval") {
    return ["The space was edited while it was read: the next sync of a quiet moment makes the generation exact."];
  }
  if (confirmed !== false) return [];
  return [`A sync ${secondLookText} looks once more at what was read, and confirms it.`];
}

/** Says to people what to try after the first sync of the demo space, and after one that found nothing new. */
export function sayDemoHint(
  { terminal, flags, env }: Pick<CommandContext, "terminal" | "flags" | "env">,
  config: Config,
  { outcome, generation, plan, problems }: Pick<SyncReport, "outcome" | "generation" | "plan" | "problems">,
): void {
  if (config.source.url !== demoSource || flags.json || env.CI || plan !== undefined) return;
  if (outcome !== "unchanged" && !(outcome === "committed" && generation === 1)) return;
  if (outcome === "committed" && problems.length > 0) {
    terminal.say("  The demo space has these problems on purpose: they show what is reported.");
  }
  const [edit, sync] = [commandLine("demo --edit", flags, env), commandLine("sync", flags, env)];
  terminal.say(`  Try an edit: ${edit}, then ${sync} again.`);
}

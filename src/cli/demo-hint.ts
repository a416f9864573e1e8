import type { Config } from "../config/config.js";
import type { SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext, GlobalFlags } from "./context.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What to try after the first sync of the demo space, and after one that found nothing new: for people alone. */
export function sayDemoHint(
  { terminal, flags }: Pick<CommandContext, "terminal" | "flags">,
  config: Config,
  { outcome, generation, plan }: Pick<SyncReport, "outcome" | "generation" | "plan">,
  env: Environment = process.env,
): void {
  if (config.source.url !== demoSource || flags.json || env.CI || plan !== undefined) return;
  if (outcome !== "unchanged" && !(outcome === "committed" && generation === 1)) return;
  const [edit, sync] = [commandLine("demo --edit", flags, env), commandLine("sync", flags, env)];
  terminal.say(`  Try an edit: ${edit}, then ${sync} again.`);
}

/**
 * A command as it has to be typed here: through npm where npm runs this program inside its own repository, with the
 * configuration and output folder of this run.
 */
export function commandLine(command: string, { config, output }: GlobalFlags, env: Environment = process.env): string {
  const chosen = [
    ...(config === "sync.config.yaml" ? [] : ["-c", shellWord(config)]),
    ...(output === undefined ? [] : ["--output", shellWord(output)]),
  ];
  const isRepository = env.npm_package_name === "offprint" && env.npm_lifecycle_event !== undefined;
  if (isRepository && command === "sync")
    return ["npm run sync", ...(chosen.length > 0 ? ["--"] : []), ...chosen].join(" ");
  return [isRepository ? "npm run offprint --" : "offprint", command, ...chosen].join(" ");
}

function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

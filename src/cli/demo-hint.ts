import type { Config } from "../config/config.js";
import type { SyncReport } from "../sync/report.js";
import { demoSource } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { commandLine } from "./next-command.js";

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

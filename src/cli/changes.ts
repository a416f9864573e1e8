import { isConsumerName } from "../config/schema/watch-schema.js";
import { OffprintError } from "../lib/errors.js";
import { readManifest } from "../snapshot/current-manifest.js";
import { type ChangeList, changeLines } from "../watch/hooks/change-list.js";
import { type Compared, compareGenerations } from "../watch/hooks/compare-generations.js";
import { commitCursor, hasChanges, outstandingChanges, resetProblem, standingOf } from "../watch/hooks/consumer.js";
import { countsText } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { printExitCause, unchanged } from "./exit-cause.js";
import { sinceGeneration } from "./generation-at.js";
import { currentSnapshot } from "./missing-snapshot.js";
import { printProblems } from "./report-failure.js";

export interface ChangesFlags {
  /** A number or a time. */
  since?: number | string;
  for?: string;
  /** true: the current generation. */
  commit?: number | true;
  exitCode?: boolean;
}

/** `offprint changes`: prints as NDJSON how the content differs. `--commit` records what a consumer processed. */
export async function runChanges(context: CommandContext, flags: ChangesFlags): Promise<number> {
  const consumer = checked(flags);
  const { config, store, manifest: after } = await currentSnapshot(context);
  const compared: Compared = { config, store, after };
  if (consumer !== undefined && flags.commit !== undefined) return commit(context, compared, consumer, flags.commit);
  if (consumer !== undefined) {
    return print(context, await outstandingChanges(compared, await standingOf(compared, consumer)), consumer, flags);
  }
  const before = await sinceGeneration(context.terminal, store, after, flags.since);
  return print(context, await compareGenerations(compared, before), consumer, flags);
}

function checked({ since, for: consumer, commit }: ChangesFlags): string | undefined {
  const usage = (message: string, hint: string) => new OffprintError("USAGE", message, { hint });
  if (since !== undefined && consumer !== undefined) {
    throw usage("Pass either --since or --for.", "`offprint changes --since 41`, or `offprint changes --for search`.");
  }
  if (commit !== undefined && consumer === undefined) {
    throw usage("--commit needs --for, the consumer that processed the generation.", "Name it with --for.");
  }
  if (consumer !== undefined && !isConsumerName(consumer)) {
    throw usage(`"${consumer}" cannot be the name of a consumer.`, "It has to consist of letters, digits, - and _.");
  }
  return consumer;
}

async function commit(
  { terminal }: CommandContext,
  { config, store, after }: Compared,
  consumer: string,
  generation: number | true,
): Promise<number> {
  const manifest = generation === true ? after : await readManifest(store, generation);
  await commitCursor(config, consumer, manifest, Date.now());
  terminal.say(`${terminal.paint("green", "✔")} ${consumer} is up to date with generation ${manifest.generation}.`);
  terminal.document({ schema: 1, consumer, generation: manifest.generation });
  return 0;
}

function print(context: CommandContext, list: ChangeList, consumer: string | undefined, flags: ChangesFlags): number {
  const { terminal } = context;
  const { header, changes } = list;
  for (const line of changeLines(list)) terminal.text(line, "json");
  const reset = consumer === undefined ? undefined : resetProblem(consumer, list);
  if (reset !== undefined) printProblems(context, [reset], "yellow");
  const { from, to } = header;
  const span = from === null ? `everything of generation ${to}` : `generation ${from === to ? to : `${from} → ${to}`}`;
  terminal.say(`${consumer === undefined ? "" : `${consumer}: `}${span}: ${countsText(header.counts)}`);
  terminal.document({ schema: 1, ...header, changes, problems: reset === undefined ? [] : [reset] });
  if (flags.exitCode !== true || hasChanges(list)) return 0;
  return printExitCause(context, unchanged("Nothing differs."));
}

import { duration, grouped, plural, timeText } from "../lib/quantity-text.js";
import type { RunRecord } from "../snapshot/state.js";
import type { CommandContext } from "./context.js";
import { snapshotState } from "./missing-snapshot.js";
import { tableText } from "./status-table.js";

/** At most this many runs are listed. The charts above them show all. */
const listed = 15;

/** `offprint status --history`: the last runs that did something, from the state of the output folder. */
export async function runHistory(context: CommandContext): Promise<number> {
  const config = await context.config({ tokenOptional: true });
  const { manifest, state } = await snapshotState(config);
  const { runs } = state;
  context.terminal.document({ schema: 1, generation: manifest.generation, runs });
  if (runs.length === 0) {
    context.terminal.data("No run has done anything yet, or .state.json was removed.");
    return 0;
  }
  for (const line of [...charts(runs), "", ...rows(runs.slice(-listed))]) context.terminal.data(line);
  return 0;
}

function charts(runs: readonly RunRecord[]): string[] {
  const drawn = (name: string, figureOf: (run: RunRecord) => number, text: (value: number) => string) => {
    const values = runs.map(figureOf);
    const ends = new Set([Math.min(...values), Math.max(...values)]);
    return `${name.padEnd(10)} ${chart(values)}  ${[...ends].map(text).join(" to ")}`;
  };
  return [
    `${plural(runs.length, "run")} that did something, oldest first:`,
    drawn("requests", ({ requests }) => requests, grouped),
    drawn("changes", changesOf, grouped),
    drawn("duration", ({ durationMs }) => durationMs, duration),
    `${"level".padEnd(10)} ${runs.map(levelMark).join("")}  ■ exact  ▪ stable  ▫ interval  × kept or failed`,
  ];
}

const bars = "▁▂▃▄▅▆▇█";

/** One bar per value: the lowest for 0, the highest for the largest value. */
export function chart(values: readonly number[]): string {
  const most = Math.max(0, ...values);
  return values
    .map((value) => bars[most === 0 ? 0 : Math.min(bars.length - 1, Math.ceil((value / most) * (bars.length - 1)))])
    .join("");
}

function rows(runs: readonly RunRecord[]): string[] {
  const changes = ({ added, changed, removed }: NonNullable<RunRecord["stories"]>) =>
    `+${added} ~${changed} -${removed}`;
  const table = runs.map((run) => [
    timeText(Date.parse(run.startedAt)).replace("T", " "),
    run.outcome,
    run.generation === null ? "–" : `#${run.generation}`,
    run.level ?? "–",
    plural(run.requests, "request"),
    run.stories === undefined ? "–" : changes(run.stories),
    duration(run.durationMs),
  ]);
  return tableText(table);
}

function changesOf({ stories }: RunRecord): number {
  return stories === undefined ? 0 : stories.added + stories.changed + stories.removed;
}

function levelMark({ outcome, level }: RunRecord): string {
  if (outcome === "kept" || outcome === "failed") return "×";
  return level === "exact" ? "■" : level === "stable" ? "▪" : "▫";
}

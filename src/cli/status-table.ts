import type { Config } from "../config/config.js";
import type { Fleet } from "../config/load/fleet.js";
import { countProblems, errorCodes, type Problem } from "../lib/errors.js";
import { age, ago, grouped } from "../lib/quantity-text.js";
import type { Level } from "../snapshot/manifest.js";
import { openOutput, readOutput } from "../snapshot/open-output.js";
import { runsKept, type State } from "../snapshot/state.js";
import { runSpaces } from "../sync/run-spaces.js";
import type { FleetState, QueuedSpace } from "../watch/fleet/fleet-state.js";
import type { CommandContext } from "./context.js";
import { worstExitCode } from "./exit-cause.js";
import { spaceContext } from "./for-each-space.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { failureOf, printProblems } from "./report-failure.js";

const weekMs = 7 * 86_400_000;

/** A row of the table, from the output folder of a space. */
interface SpaceStatus {
  generation: number | null;
  held: boolean;
  level: Level | null;
  cv: number | null;
  confirmedAtMs: number | null;
  /** Runs of the last seven days that did something. `isWhole`: true if all of them are still recorded. */
  lastWeek: { requests: number; runs: number; isWhole: boolean };
  problems: readonly Problem[];
}

/** `offprint status --all`: a line per space, without requests. @returns the worst of 0, 2 (none yet), 7 (damaged) */
export async function printStatusTable(context: CommandContext, fleet: Fleet): Promise<number> {
  const { spaces, concurrency } = fleet;
  const { terminal, signal } = context;
  const nowMs = Date.now();
  // Loaded only if a queue is configured: otherwise nobody waits for it or needs its engine.
  const state =
    fleet.worker?.queue === undefined
      ? undefined
      : await (await import("../watch/fleet/fleet-state.js")).readFleetState(fleet);
  const outcomes = await runSpaces(spaces, { concurrency, signal }, ({ config }) => statusOf(config, nowMs));
  const rows = outcomes.map((outcome) => {
    if ("value" in outcome) return { space: outcome.space, status: outcome.value, exitCode: 0 };
    const error = failureOf(context, outcome.error);
    return { space: outcome.space, status: { ...nothing, problems: [error.toProblem()] }, exitCode: error.exitCode };
  });
  for (const { space, status, exitCode } of rows) {
    const queued = state === undefined ? {} : { queued: state.spaces.get(space.name) ?? null };
    spaceContext(context, space.name, 0).terminal.document({ schema: 1, ...status, ...queued, exitCode });
  }
  const header = ["space", "generation", "confirmed", "level", "requests in 7 days", "problems"];
  const cells = rows.map(({ space, status }) => [
    space.name,
    ...cellsOf(status, nowMs),
    ...(state === undefined ? [] : [queuedText(state.spaces.get(space.name), nowMs)]),
  ]);
  const table = [state === undefined ? header : [...header, "queue"], ...cells];
  for (const line of tableText(table)) terminal.data(line);
  if (state !== undefined) printWorkers(context, state, nowMs);
  return worstExitCode(rows.map(({ exitCode }) => exitCode));
}

function printWorkers(context: CommandContext, { queue, workers, problem }: FleetState, nowMs: number): void {
  const { terminal } = context;
  const fleet = { schema: 1, queue, workers, problems: problem === undefined ? [] : [problem] };
  if (context.flags.json) terminal.jsonLine(fleet);
  terminal.data("");
  if (problem !== undefined) {
    printProblems(context, [problem], "yellow");
    return;
  }
  const header = ["worker", "state", "last seen", "for", "works on"];
  const cells = workers.map(({ host, pid, alive, seenAtMs, startedAtMs, running }) => [
    `${host}:${pid}`,
    alive ? "alive" : "gone",
    ago(seenAtMs, nowMs),
    age(seenAtMs - startedAtMs),
    running.join(", ") || "–",
  ]);
  if (workers.length === 0) terminal.data(`No worker has been heard of at ${queue}.`);
  else for (const line of tableText([header, ...cells])) terminal.data(line);
}

/** `active, web-1:4711, 12 s` */
function queuedText(queued: QueuedSpace | undefined, nowMs: number): string {
  if (queued === undefined) return "–";
  const { state, worker, sinceMs, lastRun } = queued;
  const codes = state === "failed" ? ` ${lastRun?.codes.join(" ") ?? ""}` : "";
  const since = sinceMs === null ? [] : [age(nowMs - sinceMs)];
  return [`${state}${codes}`, ...(worker === null ? [] : [worker]), ...since].join(", ");
}

const nothing: SpaceStatus = {
  generation: null,
  held: false,
  level: null,
  cv: null,
  confirmedAtMs: null,
  lastWeek: { requests: 0, runs: 0, isWhole: true },
  problems: [],
};

async function statusOf(config: Config, nowMs: number): Promise<SpaceStatus> {
  const { manifest, state } = await readOutput(openOutput(config.output));
  if (manifest === undefined) throw missingSnapshot(config);
  return {
    generation: manifest.generation,
    held: manifest.held,
    level: manifest.level,
    cv: state.cv ?? manifest.cv,
    confirmedAtMs: state.confirmedAtMs,
    lastWeek: lastWeek(state, nowMs),
    problems: [...state.spaceProblems, ...state.contentProblems, ...state.damaged.map(damageOf)],
  };
}

function damageOf(name: string): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `${name} is damaged.`,
    hint: "Run `offprint sync`, which reads it again.",
  };
}

/** Probes that found nothing are missing: such a run writes nothing. */
function lastWeek({ runs }: State, nowMs: number): SpaceStatus["lastWeek"] {
  const recent = runs.filter(({ startedAt }) => nowMs - Date.parse(startedAt) <= weekMs);
  return {
    requests: recent.reduce((sum, { requests }) => sum + requests, 0),
    runs: recent.length,
    isWhole: recent.length < runsKept,
  };
}

function cellsOf({ generation, held, level, confirmedAtMs, lastWeek, problems }: SpaceStatus, nowMs: number): string[] {
  return [
    generation === null ? "–" : `${generation}${held ? ", held" : ""}`,
    confirmedAtMs === null ? "never" : ago(confirmedAtMs, nowMs),
    level ?? "–",
    `${lastWeek.isWhole ? "" : "≥ "}${grouped(lastWeek.requests)}`,
    problemsText(problems),
  ];
}

/** The number of problems, and the codes of those that are more than warnings. */
function problemsText(problems: readonly Problem[]): string {
  if (problems.length === 0) return "none";
  const codes = new Set(problems.filter(({ code }) => errorCodes[code].exit !== 0).map(({ code }) => code));
  return [grouped(countProblems(problems)), ...codes].join(" ");
}

/** Formats a table: each column as wide as its widest cell, with two spaces between columns. */
export function tableText(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

import type { Config } from "../config/config.js";
import type { Fleet, SpaceConfig } from "../config/load/fleet.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { countProblems, errorCodes, type Problem } from "../lib/errors.js";
import { age, ago, grouped } from "../lib/quantity-text.js";
import type { Manifest } from "../snapshot/manifest.js";
import { emptyState, runsKept, type State } from "../snapshot/state.js";
import { runSpaces } from "../sync/run-spaces.js";
import type { FleetState, QueuedSpace } from "../watch/fleet/fleet-state.js";
import { parkedMs, parkedNote, type Refusal } from "../watch/parking.js";
import { failingConsumers } from "./consumers.js";
import type { CommandContext } from "./context.js";
import { worstExitCode } from "./exit-cause.js";
import { spaceContext } from "./for-each-space.js";
import { snapshotState } from "./missing-snapshot.js";
import { failureOf, printProblems } from "./report-failure.js";

const weekMs = 7 * 86_400_000;
const minuteMs = 60_000;

/** A row of the table, from the output folder of a space. */
type SpaceStatus = ReturnType<typeof statusFrom> & {
  /** Those whose command fails; undefined: none. */
  consumers?: Awaited<ReturnType<typeof failingConsumers>>;
};

/**
 * `offprint status --all`: a line per space, without requests; first what needs a person.
 * @returns the worst of 0, 2 (none yet), 7 (damaged)
 */
export async function printStatusTable(
  context: CommandContext,
  fleet: Fleet,
  only: { stale?: boolean; failed?: boolean },
): Promise<number> {
  const { spaces, concurrency } = fleet;
  const { terminal, signal } = context;
  const nowMs = Date.now();
  // Loaded only if a queue is configured: otherwise nobody waits for it or needs its engine.
  const state =
    fleet.worker?.queue === undefined
      ? undefined
      : await (await import("../watch/fleet/fleet-state.js")).readFleetState(fleet);
  const outcomes = await runSpaces(spaces, { concurrency, signal }, ({ config }) => statusOf(config, nowMs));
  const all = await mapBounded(outcomes, concurrency, async (outcome) => {
    const { space } = outcome;
    const notes = parkedNote(space.config.output.dir);
    const found = { space, noted: await notes.read().catch(() => undefined) };
    const queued = state?.spaces.get(space.name);
    if ("value" in outcome) return tableRow({ ...found, status: outcome.value, exitCode: 0 }, queued, nowMs);
    const error = failureOf(context, outcome.error);
    const status = { ...statusFrom(undefined, emptyState(), nowMs), problems: [error.toProblem()] };
    return tableRow({ ...found, status, exitCode: error.exitCode }, queued, nowMs);
  });
  const isAsked = ({ isStale, isFailed }: TableRow) => (only.stale && isStale) || (only.failed && isFailed);
  const chosen = only.stale || only.failed ? all.filter(isAsked) : all;
  const urgency = ({ isStale, isFailed }: TableRow) => (isFailed ? 0 : isStale ? 1 : 2);
  const rows = chosen.sort((a, b) => urgency(a) - urgency(b));
  for (const { space, status, isStale, exitCode, parkedSinceMs } of rows) {
    const queued = state === undefined ? {} : { queued: state.spaces.get(space.name) ?? null };
    spaceContext(context, space.name, 0).terminal.document({
      schema: 1,
      ...status,
      stale: isStale,
      ...queued,
      ...(parkedSinceMs === undefined ? {} : { parkedSinceMs }),
      exitCode,
    });
  }
  const header = ["space", "generation", "confirmed", "level", "requests in 7 days", "problems"];
  const cells = rows.map(({ space, ...row }) => [
    space.name,
    ...cellsOf(row, nowMs),
    ...(state === undefined ? [] : [queuedText(state.spaces.get(space.name), nowMs)]),
  ]);
  const table = [state === undefined ? header : [...header, "queue"], ...cells];
  for (const line of tableText(table)) terminal.data(line);
  if (state !== undefined) printWorkers(context, state, nowMs);
  return worstExitCode(all.map(({ exitCode }) => exitCode));
}

interface FoundStatus {
  space: SpaceConfig;
  status: SpaceStatus;
  exitCode: number;
  /** The refusal for which `watch` has parked the space, as the folder says. */
  noted?: Refusal | undefined;
}

interface TableRow extends FoundStatus {
  /** True if the age is at most what the table says: a sync that found nothing may have confirmed the copy, without a write. */
  isBound: boolean;
  isStale: boolean;
  isFailed: boolean;
  /** Codes of the failed runs or commands in a row, and since when; undefined: the last did not fail, or nobody knows. */
  failing: { codes: readonly string[]; sinceMs: number } | undefined;
  /** undefined: it is not parked. */
  parkedSinceMs: number | undefined;
}

/** Takes the age from the queue where it is later: a sync that finds nothing writes nothing into the folder. Pure. */
export function tableRow(
  { space, status, exitCode, noted }: FoundStatus,
  queued: QueuedSpace | undefined,
  nowMs: number,
): TableRow {
  const { schedule, source, output } = space.config;
  const { generation, confirmedAtMs = null } = queued?.freshness ?? { generation: null };
  const isLater = (confirmedAtMs ?? 0) > (status.confirmedAtMs ?? 0) && (generation ?? 0) >= (status.generation ?? 0);
  const told = isLater ? { ...status, confirmedAtMs } : status;
  const isBound = queued === undefined && output.store === undefined;
  const oldestMs = schedule.maxAgeMs + (isBound ? source.recheckMs : 0);
  const { atMs = nowMs, codes, failingSinceMs = atMs, outcome, refusal } = queued?.lastRun ?? {};
  const parked = parkedMs(refusal, atMs) > 0 ? refusal : noted;
  const ofNote = parked && { codes: [parked.code], sinceMs: parked.sinceMs };
  const failing =
    outcome === "failed"
      ? { codes: codes ?? [], sinceMs: parked?.sinceMs ?? failingSinceMs }
      : (ofNote ?? ofCommands(status));
  return {
    space,
    status: told,
    exitCode,
    isBound,
    isStale: !told.held && (told.confirmedAtMs === null || nowMs - told.confirmedAtMs > oldestMs),
    isFailed: exitCode !== 0 || failing !== undefined || told.problems.some(({ code }) => errorCodes[code].exit !== 0),
    failing,
    parkedSinceMs: parked?.sinceMs,
  };
}

function ofCommands({ consumers }: SpaceStatus): TableRow["failing"] {
  if (consumers === undefined) return undefined;
  const sinceMs = Math.min(...consumers.map(({ failures }) => failures.sinceMs));
  return { codes: [...new Set(consumers.map(({ failures }) => failures.code))], sinceMs };
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
  const { state, worker, sinceMs } = queued;
  const since = sinceMs === null ? [] : [age(nowMs - sinceMs)];
  return [state, ...(worker === null ? [] : [worker]), ...since].join(", ");
}

async function statusOf(config: Config, nowMs: number): Promise<SpaceStatus> {
  const { output, manifest, state } = await snapshotState(config);
  const consumers = await failingConsumers(config, output.store, manifest);
  return { ...statusFrom(manifest, state, nowMs), ...(consumers.length > 0 && { consumers }) };
}

/** @param manifest undefined: there is none, or it cannot be read */
function statusFrom(manifest: Manifest | undefined, state: State, nowMs: number) {
  const { spaceProblems, contentProblems, damaged } = state;
  return {
    generation: manifest?.generation ?? null,
    held: manifest?.held ?? false,
    level: manifest?.level ?? null,
    cv: state.cv ?? manifest?.cv ?? null,
    confirmedAtMs: state.confirmedAtMs,
    lastWeek: lastWeek(state, nowMs),
    problems: [...spaceProblems, ...contentProblems, ...damaged.map(damageOf)] as readonly Problem[],
  };
}

function damageOf(name: string): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `${name} is damaged.`,
    hint: "Run `offprint sync`, which reads it again.",
  };
}

/**
 * Runs of the last seven days that did something; probes that found nothing write nothing. `isWhole`: true if all of
 * them are still recorded.
 */
function lastWeek({ runs }: State, nowMs: number) {
  const recent = runs.filter(({ startedAt }) => nowMs - Date.parse(startedAt) <= weekMs);
  return {
    requests: recent.reduce((sum, { requests }) => sum + requests, 0),
    runs: recent.length,
    isWhole: recent.length < runsKept,
  };
}

function cellsOf({ status, isBound, failing, parkedSinceMs }: Omit<TableRow, "space">, nowMs: number): string[] {
  const { generation, held, level, confirmedAtMs, lastWeek, problems } = status;
  const isOld = confirmedAtMs !== null && nowMs - confirmedAtMs > minuteMs;
  return [
    generation === null ? "–" : `${generation}${held ? ", held" : ""}`,
    confirmedAtMs === null ? unconfirmedText(status) : `${isBound && isOld ? "≤ " : ""}${ago(confirmedAtMs, nowMs)}`,
    level ?? "–",
    `${lastWeek.isWhole ? "" : "≥ "}${grouped(lastWeek.requests)}`,
    failing === undefined
      ? problemsText(problems)
      : `${failing.codes.join(" ")} for ${age(nowMs - failing.sinceMs)}${parkedSinceMs === undefined ? "" : ", parked"}`,
  ];
}

/** A rollback commits a generation that no sync has compared with the space. */
function unconfirmedText({ generation, held }: SpaceStatus): string {
  if (generation === null) return "never";
  return held ? "–" : "not yet";
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

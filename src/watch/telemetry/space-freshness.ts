import { errorCodes } from "../../lib/errors.js";
import { readOutput } from "../../snapshot/open-output.js";
import type { Output } from "../../snapshot/output.js";
import type { RunEnded } from "../watch-event.js";

/** The age of a space's copy. Times in milliseconds since the epoch; null: never. */
export interface SpaceFreshness {
  space: string;
  generation: number | null;
  committedAtMs: number | null;
  confirmedAtMs: number | null;
  held: boolean;
  maxAgeMs: number;
  /** Whether another process syncs the space and reports its age; this one stands by. */
  standby?: boolean;
}

export function unknownFreshness(space: string, maxAgeMs: number): SpaceFreshness {
  return { space, generation: null, committedAtMs: null, confirmedAtMs: null, held: false, maxAgeMs };
}

/** @throws OffprintError `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`, `OUTPUT_UNUSABLE` */
export async function readFreshness(output: Output, space: string, maxAgeMs: number): Promise<SpaceFreshness> {
  const { manifest, state } = await readOutput(output);
  if (manifest === undefined) return unknownFreshness(space, maxAgeMs);
  const { generation, held, committedAt } = manifest;
  const committedAtMs = Date.parse(committedAt);
  return { space, generation, committedAtMs, confirmedAtMs: state.confirmedAtMs, held, maxAgeMs };
}

/** A sync with nothing to read confirms in a status file only. Ignores another folder's, and a time after `nowMs`. */
export function laterConfirmed(
  known: SpaceFreshness,
  told: { generation: number | null; confirmedAtMs: number } | undefined,
  nowMs: number,
): SpaceFreshness {
  const { generation, confirmedAtMs } = known;
  if (!told?.generation || generation === null || confirmedAtMs === null) return known;
  const isOfThis = told.generation <= generation && told.confirmedAtMs <= nowMs;
  return isOfThis ? { ...known, confirmedAtMs: Math.max(confirmedAtMs, told.confirmedAtMs) } : known;
}

const upstreamExitCodes = new Set<number>([4, 5, 6]);

/** Confirmed at the start, when the run asked for the cv; never by unconfirmed records. */
export function freshnessAfter(before: SpaceFreshness, run: RunEnded): SpaceFreshness {
  const { report, outcome, atMs, durationMs } = run;
  const generation = report?.generation ?? before.generation;
  const codes = new Set([...run.problems, ...(report?.problems ?? [])].map(({ code }) => code));
  // For a held generation, the sync does not contact the upstream.
  const wasAsked = [...codes].some((code) => upstreamExitCodes.has(errorCodes[code].exit));
  const startedMs = atMs - durationMs;
  // A time in the future comes from a wrong clock.
  const knownMs = before.confirmedAtMs !== null && before.confirmedAtMs <= atMs ? before.confirmedAtMs : startedMs;
  const isClean = (outcome === "committed" || outcome === "unchanged") && !codes.has("UPSTREAM_INCONSISTENT");
  return {
    ...before,
    generation,
    held: report === undefined ? before.held && !wasAsked : codes.has("HELD"),
    committedAtMs: outcome === "committed" ? atMs : before.committedAtMs,
    confirmedAtMs: isClean ? Math.max(knownMs, startedMs) : before.confirmedAtMs,
  };
}

/** A time further in the future than `maxAgeMs` is a clock error and proves nothing. */
export function isFresh({ confirmedAtMs, maxAgeMs, held, standby }: SpaceFreshness, nowMs: number): boolean {
  return held || standby === true || (confirmedAtMs !== null && Math.abs(nowMs - confirmedAtMs) <= maxAgeMs);
}

import { errorCodes } from "../../lib/errors.js";
import { readOutput } from "../../snapshot/open-output.js";
import type { Output } from "../../snapshot/output.js";
import type { RunEnded } from "../watch-event.js";

/** How old the copy of a space is. Times in milliseconds since the epoch; null: never. */
export interface SpaceFreshness {
  /** The name that the space has in the configuration. */
  space: string;
  /** The current generation; null: none. */
  generation: number | null;
  committedAtMs: number | null;
  /** When the space was last known to be what the generation holds. */
  confirmedAtMs: number | null;
  /** Whether the generation was rolled back to, and stays until it is released. */
  held: boolean;
  /** `schedule.maxAge`. */
  maxAgeMs: number;
  /** Whether this process stands by while another one syncs the space: that one tells how old the copy is. */
  standby?: boolean;
}

/** What is known of a space whose output holds nothing that can be read. */
export function unknownFreshness(space: string, maxAgeMs: number): SpaceFreshness {
  return { space, generation: null, committedAtMs: null, confirmedAtMs: null, held: false, maxAgeMs };
}

/**
 * How old the copy in an output folder is, by its manifest and what is noted beside it. A sync that finds nothing to read
 * notes nothing, so that the space may have been confirmed later, by up to `source.recheck`.
 *
 * @throws OffprintError `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`, `OUTPUT_UNUSABLE`
 */
export async function readFreshness(output: Output, space: string, maxAgeMs: number): Promise<SpaceFreshness> {
  const { manifest, state } = await readOutput(output);
  if (manifest === undefined) return unknownFreshness(space, maxAgeMs);
  const { generation, held, committedAt } = manifest;
  const committedAtMs = Date.parse(committedAt);
  return { space, generation, committedAtMs, confirmedAtMs: state.confirmedAtMs, held, maxAgeMs };
}

/**
 * How old a copy is, by its output folder and by what a file told of it before: a sync that finds nothing to read confirms
 * the space and notes nothing of it in the output folder. What was told of another state of that folder does not count.
 *
 * @param told undefined: nothing
 * @param nowMs milliseconds since the epoch; what was told of a later time comes from a clock that was wrong
 */
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

/** What a run ends with that the upstream has refused, or has not answered as it should. */
const upstreamExitCodes = new Set<number>([4, 5, 6]);

/**
 * The freshness after a run. A run that committed or found nothing new confirms the space at its beginning, which is when
 * it asked for the cv; one that committed an unclean reading (`safety.maxStale`) confirms nothing.
 */
export function freshnessAfter(before: SpaceFreshness, run: RunEnded): SpaceFreshness {
  const { report, outcome, atMs, durationMs } = run;
  const generation = report?.generation ?? before.generation;
  const codes = new Set([...run.problems, ...(report?.problems ?? [])].map(({ code }) => code));
  // Of a held generation the upstream is not asked.
  const wasAsked = [...codes].some((code) => upstreamExitCodes.has(errorCodes[code].exit));
  const startedMs = atMs - durationMs;
  // A time that is ahead of the clock is of a clock that was wrong.
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

/**
 * Whether a site may rely on the copy: it was confirmed within `maxAgeMs`, or somebody has rolled it back and wants it to
 * stay as it is; who stands by is ready to. A time that lies further ahead than that is of a clock that was wrong, and proves nothing.
 */
export function isFresh({ confirmedAtMs, maxAgeMs, held, standby }: SpaceFreshness, nowMs: number): boolean {
  return held || standby === true || (confirmedAtMs !== null && Math.abs(nowMs - confirmedAtMs) <= maxAgeMs);
}

import type { Metrics, SpaceMetrics } from "./metrics.js";
import { isFresh } from "./space-freshness.js";

/** What a status file says of one space. Times in ISO 8601; null: never, or unknown. */
interface SpaceStatus {
  space: string;
  /** Whether it was fresh when the file was written. */
  ready: boolean;
  /** Until when it is, if nothing is written meanwhile: what a reader of the file compares its clock with. */
  readyUntil: string | null;
  generation: number | null;
  held: boolean;
  committedAt: string | null;
  confirmedAt: string | null;
  maxAgeSeconds: number;
  lastRunAt: string | null;
  nextRunAt: string | null;
  /** Of the last run, by code. */
  problems: Readonly<Record<string, number>>;
}

/** The document of `--status-file`. */
export interface StatusDocument {
  schema: 1;
  version: string;
  writtenAt: string;
  /** Whether every space was fresh when the file was written. */
  ready: boolean;
  spaces: SpaceStatus[];
}

/**
 * The state of the spaces for those who read a file. It names spaces, codes, numbers and times, nothing of the content and
 * no address. Pure.
 */
export function statusDocument(
  { spaces }: Metrics,
  { version, nowMs }: { version: string; nowMs: number },
): StatusDocument {
  const told = [...spaces.values()].map((one) => spaceStatus(one, nowMs));
  return { schema: 1, version, writtenAt: dated(nowMs), ready: told.every(({ ready }) => ready), spaces: told };
}

function spaceStatus({ freshness, lastRunAtMs, nextRunAtMs, problems }: SpaceMetrics, nowMs: number): SpaceStatus {
  const { space, generation, held, committedAtMs, confirmedAtMs, maxAgeMs } = freshness;
  return {
    space,
    ready: isFresh(freshness, nowMs),
    readyUntil:
      held || confirmedAtMs === null || confirmedAtMs - nowMs > maxAgeMs ? null : dated(confirmedAtMs + maxAgeMs),
    generation,
    held,
    committedAt: datedOrNull(committedAtMs),
    confirmedAt: datedOrNull(confirmedAtMs),
    maxAgeSeconds: maxAgeMs / 1000,
    lastRunAt: datedOrNull(lastRunAtMs),
    nextRunAt: datedOrNull(nextRunAtMs),
    problems,
  };
}

function dated(ms: number): string {
  return new Date(ms).toISOString();
}

function datedOrNull(ms: number | null): string | null {
  return ms === null ? null : dated(ms);
}

import { isObject } from "../../lib/shape.js";
import { type Expectation, expectStorm, laterProbe, nextProbeMs } from "../expectation.js";
import { joinEvents, type Storm, stormEndMs } from "../storm.js";

/**
 * What events have announced of a space, and no run has found yet. It lies where all workers see it, so that it outlives
 * each of them. Times are those of the server that keeps it, in milliseconds since the epoch.
 */
export interface Announced {
  /** Events that may still become more. */
  storm?: Storm | undefined;
  /** What the upstream is probed for. */
  expectation?: Expectation | undefined;
  /** A cv that a run has failed at for good: it counts as dealt with. */
  dealtCv?: number | undefined;
}

/** What was announced, as it is kept; undefined: nothing, or what is kept cannot be read. */
export function parseAnnounced(text: string | undefined): Announced | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    return isObject(value) ? (value as Announced) : undefined;
  } catch {
    return undefined;
  }
}

/** The text to keep; undefined: nothing is announced any more. */
export function announcedText(announced: Announced): string | undefined {
  const { storm, expectation } = announced;
  return storm === undefined && expectation === undefined ? undefined : JSON.stringify(announced);
}

/** What is announced when more events have come. */
export function announceStorm(before: Announced | undefined, storm: Storm): Announced {
  const open = before?.storm;
  if (open === undefined) return { ...before, storm };
  return {
    ...before,
    storm: {
      ...open,
      events: joinEvents(open.events, storm.events),
      firstMs: Math.min(open.firstMs, storm.firstMs),
      lastMs: Math.max(open.lastMs, storm.lastMs),
    },
  };
}

/** When something is to be done for it. */
export function dueAtMs({ storm, expectation }: Announced): number {
  const stormMs = storm === undefined ? Number.POSITIVE_INFINITY : stormEndMs(storm);
  return Math.min(stormMs, expectation === undefined ? Number.POSITIVE_INFINITY : nextProbeMs(expectation));
}

/**
 * Begins what is due: a storm that is over becomes an expectation. The probe after this one is noted at once, so that a
 * worker which is killed meanwhile only skips one.
 *
 * @returns what the upstream is to be probed for; undefined: it is too early
 */
export function beginProbe(
  announced: Announced,
  nowMs: number,
): { announced: Announced; probed: Expectation | undefined } {
  const { storm } = announced;
  const isOver = storm !== undefined && stormEndMs(storm) <= nowMs;
  const expectation = isOver ? expectStorm(storm, nowMs, announced.expectation) : announced.expectation;
  const begun = { ...announced, storm: isOver ? undefined : storm, expectation };
  if (expectation === undefined || nextProbeMs(expectation) > nowMs) return { announced: begun, probed: undefined };
  return { announced: { ...begun, expectation: laterProbe(expectation) ?? expectation }, probed: expectation };
}

/** How long a job may lag behind what it is for, before it is added under another id, in milliseconds. */
const lagMs = 30_000;

/**
 * The moment that names the job for what is due: the same for every worker. A job that did not do what it was for is known
 * to the queue already, so that after a while another one has to be added.
 */
export function jobMomentMs(dueMs: number, nowMs: number): number {
  return nowMs - dueMs < lagMs ? dueMs : Math.floor(nowMs / lagMs) * lagMs;
}

import { parseAs } from "../../lib/parse-as.js";
import { isObject, shape } from "../../lib/shape.js";
import { type Expectation, expectStorm, laterProbe, nextProbeMs } from "../expectation.js";
import { joinEvents, type Storm, stormEndMs } from "../storm.js";

/** Changes that events announced and no run has found yet; times in the server's epoch ms. */
export interface Announced {
  /** Events that more may still join. */
  storm?: Storm | undefined;
  expectation?: Expectation | undefined;
  /** A cv that a run failed on permanently; it counts as handled. */
  dealtCv?: number | undefined;
}

const announcedShape = shape<Announced>("an object", isObject);

export function parseAnnounced(text: string | undefined): Announced | undefined {
  return parseAs(text, announcedShape);
}

export function announcedText(announced: Announced): string | undefined {
  const { storm, expectation } = announced;
  return storm === undefined && expectation === undefined ? undefined : JSON.stringify(announced);
}

export function announceStorm(before: Announced | undefined, storm: Storm): Announced & { storm: Storm } {
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

export function dueAtMs({ storm, expectation }: Announced): number {
  const stormMs = storm === undefined ? Number.POSITIVE_INFINITY : stormEndMs(storm);
  return Math.min(stormMs, expectation === undefined ? Number.POSITIVE_INFINITY : nextProbeMs(expectation));
}

/** It stores the next probe first, so a worker killed during a probe skips only that one. */
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

/** How late a job may be before we add it again under another id, in milliseconds. */
const lagMs = 30_000;

/** The same on every worker; after a while a new one, since the queue knows the unfinished job. */
export function jobMomentMs(dueMs: number, nowMs: number): number {
  return nowMs - dueMs < lagMs ? dueMs : Math.floor(nowMs / lagMs) * lagMs;
}

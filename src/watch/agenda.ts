import { type Expectation, nextProbeMs } from "./expectation.js";
import type { LookPlan } from "./look-plan.js";
import { type Storm, stormEndMs } from "./storm.js";
import type { RunReason } from "./watch-event.js";

/** What is still to be done for a space, and when. `lookAtMs` is a clock's `elapsed`. */
export interface Agenda extends LookPlan {
  storm: Storm | undefined;
  expectation: Expectation | undefined;
}

/** What is done next. */
export type Action =
  | { kind: "run"; reasons: RunReason[] }
  /** No more events come for now: from here on the upstream is probed for what they announced. */
  | { kind: "expect"; storm: Storm }
  | { kind: "probe"; expectation: Expectation }
  /** Infinity: until an event comes. */
  | { kind: "wait"; ms: number };

/** A moment on both clocks: milliseconds since the epoch, and a clock's `elapsed`. */
export interface Moment {
  nowMs: number;
  elapsedMs: number;
}

/** What is done next. Pure. */
export function nextAction(agenda: Agenda, { nowMs, elapsedMs }: Moment): Action {
  const { turnAtMs, lookAtMs, storm, expectation } = agenda;
  const untilTurn = (turnAtMs ?? Number.POSITIVE_INFINITY) - nowMs;
  const untilLook = (lookAtMs ?? Number.POSITIVE_INFINITY) - elapsedMs;
  const untilStormEnds = storm === undefined ? Number.POSITIVE_INFINITY : stormEndMs(storm) - elapsedMs;
  const untilProbe = expectation === undefined ? Number.POSITIVE_INFINITY : nextProbeMs(expectation) - elapsedMs;
  if (storm !== undefined && untilStormEnds <= 0) return { kind: "expect", storm };
  if (expectation !== undefined && untilProbe <= 0) return { kind: "probe", expectation };
  if (untilTurn <= 0) return { kind: "run", reasons: [{ kind: "schedule" }] };
  if (untilLook <= 0) return { kind: "run", reasons: [{ kind: "recheck" }] };
  return { kind: "wait", ms: Math.min(untilTurn, untilLook, untilStormEnds, untilProbe) };
}

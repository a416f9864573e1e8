import { type Expectation, nextProbeMs } from "./expectation.js";
import type { LookPlan } from "./next-turn.js";
import { type Storm, stormEndMs } from "./storm.js";
import type { RunReason } from "./watch-event.js";

/** What is pending for a space, and when. `lookAtMs` uses a clock's `elapsed`. */
export interface Agenda extends LookPlan {
  storm: Storm | undefined;
  expectation: Expectation | undefined;
}

export type Action =
  | { kind: "run"; reasons: RunReason[] }
  /** The storm is over: start probing the upstream for the announced changes. */
  | { kind: "expect"; storm: Storm }
  | { kind: "probe"; expectation: Expectation }
  | { kind: "wait"; ms: number };

export interface Moment {
  nowMs: number;
  elapsedMs: number;
}

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

import type { Turns } from "./next-turn.js";

/** When a space is due without an event. null: not at all. */
export interface LookPlan {
  /** The next turn of its schedule, in milliseconds since the epoch. */
  turnAtMs: number | null;
  /** When what was read lately is looked at once more, by the clock of whoever follows the plan. */
  lookAtMs: number | null;
}

/** A second look comes at the latest so long after a run, in milliseconds; so long too where that run failed or left it open. */
export const lookAgainMs = 60_000;
/** Date headers have whole seconds, so that a time read from one may be too early by this much. */
const headerMs = 1500;

/** How long it is until a second look finds what it is for, in milliseconds; negative: it is due. Pure. */
export function untilLookMs(lookAtMs: number, nowMs: number): number {
  return Math.min(lookAtMs - nowMs, lookAgainMs) + headerMs;
}

/** The same after a run. A look that is still due was not possible in it, and would not be at once: it waits. Pure. */
export function untilLookAfterRunMs(lookAtMs: number, nowMs: number): number {
  const untilMs = untilLookMs(lookAtMs, nowMs);
  return untilMs > 0 ? untilMs : lookAgainMs;
}

/**
 * The plan after the clock was set. Set back, the next turn is the first one of the new time: otherwise it would come only
 * when the clock has caught up. Set forward, a turn that has passed stays due, once, however many have passed. Pure.
 */
export function afterSettingBack<Plan extends LookPlan>(plan: Plan, turns: Turns, nowMs: number): Plan {
  const turnAtMs = turns.after(nowMs);
  if (turnAtMs === null || (plan.turnAtMs !== null && plan.turnAtMs <= turnAtMs)) return plan;
  return { ...plan, turnAtMs };
}

/** The first of some times; null: there is none. Pure. */
export function earliest(...times: (number | null)[]): number | null {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

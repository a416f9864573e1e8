import type { Turns } from "./next-turn.js";

/** When a space is due without an event. null: never. */
export interface LookPlan {
  /** The next scheduled turn, in milliseconds since the epoch. */
  turnAtMs: number | null;
  /** When to look again at recently read records, by the clock of the plan's owner. */
  lookAtMs: number | null;
}

/** Longest delay of a second look, also after a failed or open run; in milliseconds. */
export const lookAgainMs = 60_000;
/** Date headers have whole seconds, so a time read from one may be too early by this much. */
const headerMs = 1500;

/** Returns the time until a second look is useful, in milliseconds; negative: it is due. Pure. */
export function untilLookMs(lookAtMs: number, nowMs: number): number {
  return Math.min(lookAtMs - nowMs, lookAgainMs) + headerMs;
}

/** The same after a run. If the look is still due, the run could not do it, so it waits. Pure. */
export function untilLookAfterRunMs(lookAtMs: number, nowMs: number): number {
  const untilMs = untilLookMs(lookAtMs, nowMs);
  return untilMs > 0 ? untilMs : lookAgainMs;
}

/** If the clock was set back, the next turn follows the new time instead of waiting. Pure. */
export function afterSettingBack<Plan extends LookPlan>(plan: Plan, turns: Turns, nowMs: number): Plan {
  const turnAtMs = turns.after(nowMs);
  if (turnAtMs === null || (plan.turnAtMs !== null && plan.turnAtMs <= turnAtMs)) return plan;
  return { ...plan, turnAtMs };
}

export function earliest(...times: (number | null)[]): number | null {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

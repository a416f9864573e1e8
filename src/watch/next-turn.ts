import { createHash } from "node:crypto";
import type { Config } from "../config/config.js";
import { type CronTurns, parseCron } from "../config/cron.js";

export type Turns = CronTurns;

/** Interval if the configuration sets neither an interval nor a cron expression; milliseconds. */
export const defaultEveryMs = 5 * 60_000;
const cronJitterMs = 30_000;
/** How much too early a Date header may be: it has whole seconds. */
const headerMs = 999;

/** From the epoch, so a restart shifts nothing. @param key its share of the jitter: many spaces do not start at once */
export function turnsOf({ everyMs, cron, timeZone, jitterMs }: Config["schedule"], key: string): Turns {
  if (cron !== undefined) {
    const turns = parseCron(cron, timeZone);
    const lateMs = shareOf(jitterMs ?? cronJitterMs, key);
    return {
      after(ms) {
        const next = turns.after(ms - lateMs);
        return next === null ? null : next + lateMs;
      },
    };
  }
  const every = everyMs ?? defaultEveryMs;
  const lateMs = shareOf(Math.min(jitterMs ?? every, every), key);
  return { after: (ms) => (Math.floor((ms - lateMs) / every) + 1) * every + lateMs };
}

function shareOf(ms: number, key: string): number {
  return Math.floor((createHash("sha256").update(key).digest().readUIntBE(0, 6) / 2 ** 48) * ms);
}

/** The first turn passed since; 0 if the time is unknown or ahead of the clock; null: none. */
export function missedTurnMs(turns: Turns, confirmedAtMs: number | null, nowMs: number): number | null {
  if (confirmedAtMs === null || confirmedAtMs > nowMs) return 0;
  const next = turns.after(confirmedAtMs + headerMs);
  return next !== null && next <= nowMs ? next : null;
}

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
const lookHeaderMs = 1500;

/** Returns the time until a second look is useful, in milliseconds; negative: it is due. Pure. */
export function untilLookMs(lookAtMs: number, nowMs: number): number {
  return Math.min(lookAtMs - nowMs, lookAgainMs) + lookHeaderMs;
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

import { createHash } from "node:crypto";
import type { Config } from "../config/config.js";
import { type CronTurns, parseCron } from "../config/cron.js";

/** When a space is synced. */
export type Turns = CronTurns;

/** The interval where the configuration names neither an interval nor a cron expression, in milliseconds. */
export const defaultEveryMs = 5 * 60_000;
const cronJitterMs = 30_000;
/** By how much a time of a Date header, which has whole seconds, may be too early. */
const headerMs = 999;

/**
 * The turns of a space. Those of an interval are counted from the epoch, so that they are the same after a restart.
 *
 * @param key What tells the space from others, such as its id: the part of the jitter that each turn is late by follows
 *   from it, so that many spaces with one schedule do not start at one moment.
 */
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

/** Always the same part of the time for a key; different keys are spread evenly over it. */
function shareOf(ms: number, key: string): number {
  return Math.floor((createHash("sha256").update(key).digest().readUIntBE(0, 6) / 2 ** 48) * ms);
}

/**
 * The first turn that has passed since the space was confirmed; 0: it is not known when that was; null: none has passed. A
 * time ahead of the clock is of a clock that was wrong, then or now, and proves nothing.
 *
 * @param confirmedAtMs milliseconds since the epoch; null: never
 */
export function missedTurnMs(turns: Turns, confirmedAtMs: number | null, nowMs: number): number | null {
  if (confirmedAtMs === null || confirmedAtMs > nowMs) return 0;
  const next = turns.after(confirmedAtMs + headerMs);
  return next !== null && next <= nowMs ? next : null;
}

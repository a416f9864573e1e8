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

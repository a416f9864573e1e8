import { createRequire } from "node:module";
import type * as Croner from "croner";

const require = createRequire(import.meta.url);

/** The times of a cron expression. */
export interface CronTurns {
  /**
   * Returns the first time after `ms`, or null. Both are milliseconds since the epoch.
   *
   * When clocks go forward, a time in the skipped hour moves to the end of that hour. When they go
   * back, a time with a fixed hour comes once, an hourly one in both hours.
   */
  after(ms: number): number | null;
}

/**
 * Parses a cron expression: five fields, six with seconds in front, or a name such as `@hourly`.
 *
 * @param timeZone IANA name
 * @throws RangeError with the mistake as its message
 */
export function parseCron(expression: string, timeZone = "UTC"): CronTurns {
  // croner also accepts dates, which would name a single time.
  if (!/^@\w+$|^\S+(?:\s+\S+){4,5}$/.test(expression.trim())) throw new RangeError("it has to have five or six fields");
  try {
    // Every command checks the configuration, but few files use cron: load croner only for those.
    const { Cron } = require("croner") as typeof Croner;
    const cron = new Cron(expression.trim(), { timezone: timeZone, mode: "5-or-6-parts", paused: true });
    return { after: (ms) => cron.nextRun(new Date(ms))?.getTime() ?? null };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new RangeError(message.replace(/^Cron\w+: /, ""), { cause });
  }
}

/**
 * Returns the longest gap in milliseconds between the next times; 0 if there are none. Looks at as
 * many times as a week has hours.
 */
export function longestGapMs(turns: CronTurns, nowMs: number): number {
  let longest = 0;
  let before = turns.after(nowMs);
  for (let turn = 0; turn < 7 * 24 && before !== null; turn++) {
    const next = turns.after(before);
    if (next !== null) longest = Math.max(longest, next - before);
    before = next;
  }
  return longest;
}

/**
 * Returns the mistake in a cron expression; undefined if it is valid.
 *
 * @param nowMs milliseconds since the epoch
 */
export function cronProblem(expression: string, timeZone: string | undefined, nowMs: number): string | undefined {
  try {
    return parseCron(expression, timeZone).after(nowMs) === null ? "it never comes" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

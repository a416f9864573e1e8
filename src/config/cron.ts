import { createRequire } from "node:module";
import type * as Croner from "croner";

const require = createRequire(import.meta.url);

/** The moments that a cron expression names. */
export interface CronTurns {
  /**
   * The first one later than a moment; both in milliseconds since the epoch. null: there is none any more.
   *
   * Where clocks go forward, a turn in the hour that is left out comes when that hour would end; where they go back, a turn
   * that names its hour comes once, and one that comes every hour comes in both.
   */
  after(ms: number): number | null;
}

/**
 * Reads a cron expression: five fields, six with seconds before them, or a name such as `@hourly`.
 *
 * @param timeZone IANA name
 * @throws RangeError saying what is wrong with it
 */
export function parseCron(expression: string, timeZone = "UTC"): CronTurns {
  // The calculator also reads dates, which would name one turn only.
  if (!/^@\w+$|^\S+(?:\s+\S+){4,5}$/.test(expression.trim())) throw new RangeError("it has to have five or six fields");
  try {
    // Every command checks the configuration, and few files have an expression: the calculator is loaded for those alone.
    const { Cron } = require("croner") as typeof Croner;
    const cron = new Cron(expression.trim(), { timezone: timeZone, mode: "5-or-6-parts", paused: true });
    return { after: (ms) => cron.nextRun(new Date(ms))?.getTime() ?? null };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new RangeError(message.replace(/^Cron\w+: /, ""), { cause });
  }
}

/** The longest time between two of the next turns, as many as a week has every hour, in milliseconds; 0 where there are none. */
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

/** What is wrong with a cron expression; undefined: nothing. @param nowMs milliseconds since the epoch */
export function cronProblem(expression: string, timeZone: string | undefined, nowMs: number): string | undefined {
  try {
    return parseCron(expression, timeZone).after(nowMs) === null ? "it never comes" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

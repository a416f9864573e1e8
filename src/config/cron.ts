import { createRequire } from "node:module";
import type * as Croner from "croner";
import { messageOf } from "../lib/errors.js";

const require = createRequire(import.meta.url);

export interface CronTurns {
  /** After `ms` (epoch). A skipped hour's time moves to its end; in a repeated one, a fixed hour comes once. */
  after(ms: number): number | null;
}

/** Parses five fields, six with seconds in front, or `@hourly`. @throws RangeError with the mistake as its message */
export function parseCron(expression: string, timeZone = "UTC"): CronTurns {
  // croner also accepts dates, which would name a single time.
  if (!/^@\w+$|^\S+(?:\s+\S+){4,5}$/.test(expression.trim())) throw new RangeError("it has to have five or six fields");
  try {
    // Every command checks the configuration, but few files use cron: load croner only for those.
    const { Cron } = require("croner") as typeof Croner;
    const cron = new Cron(expression.trim(), { timezone: timeZone, mode: "5-or-6-parts", paused: true });
    return { after: (ms) => cron.nextRun(new Date(ms))?.getTime() ?? null };
  } catch (cause) {
    throw new RangeError(messageOf(cause).replace(/^Cron\w+: /, ""), { cause });
  }
}

/** The longest gap in milliseconds among as many next times as a week has hours; 0 if there are none. */
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

export function cronProblem(expression: string, timeZone: string | undefined, nowMs: number): string | undefined {
  try {
    return parseCron(expression, timeZone).after(nowMs) === null ? "it has no next time" : undefined;
  } catch (error) {
    return messageOf(error);
  }
}

import type { Problem } from "../../lib/errors.js";
import { parseAs } from "../../lib/parse-as.js";
import { plural, timeText } from "../../lib/quantity-text.js";
import { number, object, oneOf, orNull, wholeNumber } from "../../lib/shape.js";
import { handOverFiles } from "../../snapshot/layout.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { backOffMs } from "../parking.js";
import type { HookEnd } from "./run-hook.js";

/** How the command of a consumer keeps failing. Times in milliseconds since the epoch. */
export interface HookFailures {
  /** How often in a row. */
  times: number;
  sinceMs: number;
  code: "HOOK_FAILED" | "HOOK_TIMED_OUT";
  /** It waits until then for a sync to run it again; null: it does not wait. */
  againAtMs: number | null;
}

const failuresShape = object<HookFailures>({
  times: wholeNumber,
  sinceMs: number,
  code: oneOf("HOOK_FAILED", "HOOK_TIMED_OUT"),
  againAtMs: orNull(number),
});

/** How a consumer's command has failed since its last success, from the output folder; undefined: it has not. */
export async function readHookFailures(dir: string, consumer: string): Promise<HookFailures | undefined> {
  return parseAs(await notes(dir).get(handOverFiles(consumer).failures), failuresShape);
}

/**
 * Notes that the command failed again, and returns when it runs again.
 * @param backsOff whether this process runs what keeps failing ever less often
 */
export async function noteHookFailure(
  dir: string,
  consumer: string,
  { result, how }: HookEnd,
  { nowMs, backsOff }: { nowMs: number; backsOff: boolean },
): Promise<{ failures: HookFailures; problem: Problem }> {
  const code = result === "timed-out" ? "HOOK_TIMED_OUT" : "HOOK_FAILED";
  const { times, sinceMs } = (await readHookFailures(dir, consumer)) ?? { times: 0, sinceMs: nowMs };
  const waitMs = backsOff ? backOffMs(nowMs - sinceMs) : 0;
  const failures = { times: times + 1, sinceMs, code, againAtMs: waitMs === 0 ? null : nowMs + waitMs } as const;
  await notes(dir).replace(handOverFiles(consumer).failures, Buffer.from(`${JSON.stringify(failures)}\n`));
  const remedy = code === "HOOK_TIMED_OUT" ? "Raise its `timeout`, or make it faster." : "Its output should say why.";
  const message = `The command of the consumer "${consumer}" ${how}.`;
  const told = times === 0 ? againText(failures) : failuresText(failures);
  return { failures, problem: { code, message, hint: `${remedy} ${told}` } };
}

/** After a success, or to run the command with the next sync. */
export async function forgetHookFailures(dir: string, consumer: string): Promise<void> {
  await notes(dir).remove(handOverFiles(consumer).failures);
}

/** `Its command failed 14 times since 2026-11-22T20:15:04Z. The first sync after 2026-11-22T22:15:04Z … runs it again.` */
export function failuresText(failures: HookFailures): string {
  const { times, sinceMs } = failures;
  return `Its command failed ${plural(times, "time")} since ${timeText(sinceMs)}. ${againText(failures)}`;
}

function againText({ againAtMs }: HookFailures): string {
  if (againAtMs === null) return "The next sync runs it again.";
  return `The first sync after ${timeText(againAtMs)}, or with a new generation, runs it again.`;
}

function notes(dir: string) {
  return openFileStore(dir, { rebuildable: true });
}

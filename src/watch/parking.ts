import { type ErrorCode, errorCodes } from "../lib/errors.js";
import { number, object, oneOf } from "../lib/shape.js";
import type { RunEnded } from "./watch-event.js";

/** Since when a space is refused, in milliseconds since the epoch, and with which code. */
export interface Refusal {
  sinceMs: number;
  code: ErrorCode;
}

export const refusalShape = object<Refusal>({
  sinceMs: number,
  code: oneOf(...(Object.keys(errorCodes) as ErrorCode[])),
});

/** Only a person heals these: with another token, key or configuration. */
const refusedCodes: ReadonlySet<ErrorCode> = new Set([
  "UPSTREAM_REFUSED",
  "STORE_REFUSED",
  "STORE_CREDENTIALS",
  "STORE_MISSING",
  "STORE_UNSAFE",
  "SPACE_MISMATCH",
  "LANGUAGE_UNKNOWN",
]);

/** The refusal after a run. A run that fails otherwise, for example without a network, says nothing about it. Pure. */
export function refusalAfter(
  before: Refusal | undefined,
  { outcome, problems }: Pick<RunEnded, "outcome" | "problems">,
  atMs: number,
): Refusal | undefined {
  if (outcome !== "failed") return undefined;
  const refused = problems.find(({ code }) => refusedCodes.has(code));
  if (refused === undefined) return before;
  return { sinceMs: before?.sinceMs ?? atMs, code: refused.code };
}

/** What has failed for so long is tried less often, in milliseconds. */
const patienceMs = 3_600_000;
const longestBackOffMs = 6 * 3_600_000;

/** How long to wait after a failure: nothing in the first hour, then as long as it has failed, at most six hours. Pure. */
export function backOffMs(failingMs: number): number {
  return failingMs < patienceMs ? 0 : Math.min(failingMs, longestBackOffMs);
}

/** How long a refused space waits after a run; more than 0: it is parked. Pure. */
export function parkedMs(refusal: Pick<Refusal, "sinceMs"> | undefined, runAtMs: number): number {
  return refusal === undefined ? 0 : backOffMs(runAtMs - refusal.sinceMs);
}

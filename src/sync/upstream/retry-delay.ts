import type { UpstreamError } from "../../lib/http/upstream-error.js";

const firstCeilingMs = 500;
const ceilingMs = 30_000;
/** A server may ask for more with `Retry-After`; a build should rather fail than wait for that. */
export const longestRetryAfterMs = 60_000;
/** At least so long after a 429, because limits count by the second. */
const rateLimitedMs = 1_000;

/**
 * Milliseconds to wait before a request is sent again: anything up to a ceiling that doubles with every attempt (full
 * jitter, so that many clients do not come back together), and at least what `Retry-After` asked for, up to a minute.
 *
 * @param attempt how often the request was sent so far, from 1
 * @param random 0 ≤ n < 1
 */
export function retryDelay(error: UpstreamError, attempt: number, random: () => number): number {
  const jitter = random() * Math.min(ceilingMs, firstCeilingMs * 2 ** (attempt - 1));
  if (error.retryAfterMs !== undefined) return Math.min(longestRetryAfterMs, error.retryAfterMs) + jitter;
  return error.status === 429 ? rateLimitedMs + jitter : jitter;
}

/**
 * Reads a `Retry-After` header: seconds, or a date, which is compared with the server's own clock.
 *
 * @returns milliseconds; undefined where the header is absent or malformed
 */
export function parseRetryAfter(text: string | undefined, serverNowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1_000;
  const date = /[a-z]/i.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - serverNowMs);
}

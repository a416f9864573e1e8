import { UpstreamError } from "../../lib/http/upstream-error.js";

const firstCeilingMs = 500;
const ceilingMs = 30_000;
/** A server may ask for more with `Retry-After`; a build should rather fail than wait for that. */
const longestRetryAfterMs = 60_000;
/** The least wait after a 429, because limits count by the second. */
const rateLimitedMs = 1_000;

/** Full jitter up to a ceiling that doubles, and at least `Retry-After`, up to a minute. @param attempt from 1 */
export function retryDelay(error: UpstreamError, attempt: number, random: () => number): number {
  const jitter = random() * Math.min(ceilingMs, firstCeilingMs * 2 ** (attempt - 1));
  if (error.retryAfterMs !== undefined) return Math.min(longestRetryAfterMs, error.retryAfterMs) + jitter;
  return error.status === 429 ? rateLimitedMs + jitter : jitter;
}

/** A `Retry-After` header in milliseconds: seconds, or a date by the server's clock. */
export function parseRetryAfter(text: string | undefined, serverNowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed) * 1_000;
  const date = /[a-z]/i.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - serverNowMs);
}

export interface Refusals {
  /** @returns milliseconds to pause @throws UpstreamError UPSTREAM_RATE_LIMITED, not retriable */
  refused(error: UpstreamError): number;
  answered(): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
/** The longest time in pauses with only 429 in between. */
const patienceMs = 5 * 60_000;
/** The longest time in pauses of one run, whatever came in between. */
const totalPatienceMs = 30 * 60_000;

/** 1 s, 2 s … 30 s while only 429 comes, at least `Retry-After`, plus jitter. Only pauses count for the limits. */
export function createRefusals(random: () => number): Refusals {
  let inRow = 0;
  let waitedMs = 0;
  let totalMs = 0;
  let count = 0;
  return {
    refused(error) {
      count++;
      const backoff = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(inRow, 10));
      const pauseMs = Math.max(backoff, Math.min(longestRetryAfterMs, error.retryAfterMs ?? 0)) + random() * 500;
      if (waitedMs + pauseMs > patienceMs) throw outOfPatience(error, `to everything for ${minutes(waitedMs)}`);
      if (totalMs + pauseMs > totalPatienceMs) {
        throw outOfPatience(error, `${count} times, after ${minutes(totalMs)} of waiting`);
      }
      inRow++;
      waitedMs += pauseMs;
      totalMs += pauseMs;
      return pauseMs;
    },
    answered() {
      inRow = 0;
      waitedMs = 0;
    },
  };
}

function outOfPatience(error: UpstreamError, howOften: string): UpstreamError {
  const asked = error.retryAfterMs ?? 0;
  const wish = asked > longestRetryAfterMs ? ` It asks to wait ${duration(asked)} (Retry-After).` : "";
  return new UpstreamError("UPSTREAM_RATE_LIMITED", `The upstream answered 429 ${howOften}: ${error.message}${wish}`, {
    status: 429,
    hint: "Something else uses up the limit of this token, or the plan's quota is spent. Check the space's usage, or lower queue.rateLimit.",
    cause: error,
  });
}

function minutes(ms: number): string {
  return `${Math.max(1, Math.round(ms / 60_000))} min`;
}

function duration(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 1 ? minutes(ms) : hours > 10_000 ? "longer than a year" : `${Math.round(hours)} h`;
}

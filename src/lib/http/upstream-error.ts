import { type ErrorCode, OffprintError } from "../errors.js";
import { redact } from "../redact/redact.js";

export interface UpstreamFailure {
  /** HTTP status of the answer; null if there was none. */
  status?: number | null;
  /** The same request may succeed later. */
  retriable?: boolean;
  /** A smaller request may succeed: the answer was too large, truncated, or late. */
  tooMuch?: boolean;
  /** From `Retry-After`, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** Why the only record of an otherwise valid answer is unusable. */
  unusable?: string | undefined;
  hint?: string;
  cause?: unknown;
}

/** A failed request. Redacts its message and hint: an answer may repeat the token. */
export class UpstreamError extends OffprintError {
  readonly status: number | null;
  readonly retriable: boolean;
  readonly tooMuch: boolean;
  readonly retryAfterMs: number | undefined;
  readonly unusable: string | undefined;

  constructor(code: ErrorCode, message: string, failure: UpstreamFailure = {}) {
    super(code, redact(message), {
      hint: failure.hint === undefined ? undefined : redact(failure.hint),
      cause: failure.cause,
    });
    this.status = failure.status ?? null;
    this.retriable = failure.retriable ?? false;
    this.tooMuch = failure.tooMuch ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    this.unusable = failure.unusable;
  }
}

const longestUrl = 300;
/** Longer values (a batch of uuids) are shortened, so that other parameters have room. */
const longestValue = 60;

/** A URL for messages and events: redacted and shortened. Slow, so build it only when shown. */
export function shownUrl(url: URL): string {
  const text = redact(url.href).replace(/([?&][^=&#]*=)([^&#]*)/g, (parameter, name: string, value: string) =>
    value.length > longestValue ? `${name}${value.slice(0, longestValue / 2)}…` : parameter,
  );
  return text.length > longestUrl ? `${text.slice(0, longestUrl)}…` : text;
}

export function isUpstreamError(value: unknown, status?: number): value is UpstreamError {
  return value instanceof UpstreamError && (status === undefined || value.status === status);
}

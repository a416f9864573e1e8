import { type ErrorCode, OffprintError } from "../errors.js";
import { redact } from "../redact/redact.js";

/** What an {@link UpstreamError} has beside its code and message. */
export interface UpstreamFailure {
  /** HTTP status of the answer; null when there was none. */
  status?: number | null;
  /** Whether the same request may succeed when it is sent again. */
  retriable?: boolean;
  /** Whether a request for less may succeed: the answer was too large, cut off, or late. */
  tooMuch?: boolean;
  /** What `Retry-After` asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** What is wrong with the only record of an answer that is else as it has to be. */
  unusable?: string | undefined;
  hint?: string;
  cause?: unknown;
}

/** A request that did not bring what was asked for. Message and hint are redacted: an answer may repeat the token. */
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

/** Whether the value is an {@link UpstreamError}, with this status where one is given. */
export function isUpstreamError(value: unknown, status?: number): value is UpstreamError {
  return value instanceof UpstreamError && (status === undefined || value.status === status);
}

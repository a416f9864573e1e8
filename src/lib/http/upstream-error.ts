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

/** The longest URL that a message shows, in characters. */
const longestUrl = 300;
/** Of a longer value (a batch of uuids) only the beginning is shown, so that the other parameters have room. */
const longestValue = 60;

/** A URL for messages and events: without any secret, and cut short. Takes time: most requests are never told of. */
export function shownUrl(url: URL): string {
  const text = redact(url.href).replace(/([?&][^=&#]*=)([^&#]*)/g, (parameter, name: string, value: string) =>
    value.length > longestValue ? `${name}${value.slice(0, longestValue / 2)}…` : parameter,
  );
  return text.length > longestUrl ? `${text.slice(0, longestUrl)}…` : text;
}

/** Whether the value is an {@link UpstreamError}, with this status where one is given. */
export function isUpstreamError(value: unknown, status?: number): value is UpstreamError {
  return value instanceof UpstreamError && (status === undefined || value.status === status);
}

import type { ErrorCode } from "../../lib/errors.js";

/** One HTTP request that was sent. */
export interface RequestEvent {
  /** Name of the endpoint in the contract. */
  endpoint: string;
  /** The address without any secret. */
  readonly url: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status; null when there was no answer. */
  status: number | null;
  durationMs: number;
  /** Bytes of the body as they came over the wire. */
  bytes: number;
  /** What the headers of a cache say: `Hit from cloudfront, 12 s old`; undefined where there are none. */
  cache?: string | undefined;
  /** Why the attempt failed; undefined when it did not. */
  error?: ErrorCode;
}

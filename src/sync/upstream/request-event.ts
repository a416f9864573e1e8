import { type ErrorCode, isOffprintError } from "../../lib/errors.js";
import type { Transport } from "../../lib/http/transport.js";
import { shownUrl } from "../../lib/http/upstream-error.js";
import { redact } from "../../lib/redact/redact.js";

export interface RequestEvent {
  /** Name of the endpoint in the contract. */
  endpoint: string;
  /** The address without any secret. */
  readonly url: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status; null if there was no answer. */
  status: number | null;
  durationMs: number;
  /** Bytes of the body as they came over the wire. */
  bytes: number;
  /** The cache's headers: `Hit from cloudfront, 12 s old`; undefined if there are none. */
  cache?: string | undefined;
  /** Why the attempt failed; undefined if it did not. */
  error?: ErrorCode;
}

/** `X-Cache` and `Age` of an answer, by names in lower case: `Hit from cloudfront, 12 s old`. */
export function cacheText(headers: Readonly<Record<string, string>>): string | undefined {
  const { age, "x-cache": cache } = headers;
  const parts = [
    ...(cache === undefined ? [] : [redact(cache.slice(0, 1_000)).slice(0, 60)]),
    ...(age !== undefined && /^\d{1,9}$/.test(age) ? [`${age} s old`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}

export function reportedDownloads(
  transport: Transport,
  onDownload: (sent: Omit<RequestEvent, "endpoint">) => void,
): Transport {
  return {
    ...transport,
    async download(url, download) {
      const sinceMs = performance.now();
      const report = (answer: Pick<RequestEvent, "status" | "bytes" | "cache" | "error">) =>
        onDownload({ url: shownUrl(url), attempt: 1, durationMs: performance.now() - sinceMs, ...answer });
      try {
        const head = await transport.download(url, download);
        report({ status: head.status, bytes: head.wireBytes, cache: cacheText(head.headers) });
        return head;
      } catch (error) {
        report({ status: null, bytes: 0, error: isOffprintError(error) ? error.code : "UNEXPECTED" });
        throw error;
      }
    },
  };
}

import { type ErrorCode, isOffprintError } from "../errors.js";
import { cacheText } from "./cache-text.js";
import type { RequestEvent } from "./endpoint-reader.js";
import { shownUrl } from "./shown-url.js";
import type { Transport } from "./transport.js";

/** A transport that tells of every download: its address without any secret, its answer, or why there was none. */
export function toldTransport(
  transport: Transport,
  onDownload: (sent: Omit<RequestEvent, "endpoint">) => void,
): Transport {
  return {
    ...transport,
    async download(url, download) {
      const sinceMs = performance.now();
      const tell = (told: { status: number | null; bytes: number; cache?: string; error?: ErrorCode }) =>
        onDownload({ url: shownUrl(url), attempt: 1, durationMs: performance.now() - sinceMs, ...told });
      try {
        const head = await transport.download(url, download);
        const cache = cacheText(head.headers);
        tell({ status: head.status, bytes: head.wireBytes, ...(cache === undefined ? {} : { cache }) });
        return head;
      } catch (error) {
        tell({ status: null, bytes: 0, error: isOffprintError(error) ? error.code : "UNEXPECTED" });
        throw error;
      }
    },
  };
}

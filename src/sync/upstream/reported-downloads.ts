import { type ErrorCode, isOffprintError } from "../../lib/errors.js";
import { ShownUrl } from "../../lib/http/shown-url.js";
import type { Transport } from "../../lib/http/transport.js";
import { cacheText } from "./cache-text.js";
import type { RequestEvent } from "./request-event.js";

/** A transport that reports every download: its address without any secret, its answer, or why there was none. */
export function reportedDownloads(
  transport: Transport,
  onDownload: (sent: Omit<RequestEvent, "endpoint">) => void,
): Transport {
  return {
    ...transport,
    async download(url, download) {
      const sinceMs = performance.now();
      const report = (answer: {
        status: number | null;
        bytes: number;
        cache?: string | undefined;
        error?: ErrorCode;
      }) =>
        onDownload({
          url: new ShownUrl(url).toString(),
          attempt: 1,
          durationMs: performance.now() - sinceMs,
          ...answer,
        });
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

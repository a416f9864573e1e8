import { isAscii, isUtf8 } from "node:buffer";
import { costLimits } from "../cost-limits.js";
import { NestingError, watchNesting } from "../json/nesting.js";
import type { AnswerHead, ReceiveChunk } from "./exchange.js";
import { shownUrl, UpstreamError } from "./upstream-error.js";

/** Checks the nesting of a large body on arrival: parsing it would take gigabytes. @param isParsed as JSON */
export function collectBody(url: URL, isParsed = true) {
  const chunks: Uint8Array[] = [];
  let whole: Uint8Array | undefined;
  let size = 0;
  let watch: ((piece: Uint8Array) => void) | undefined;
  return {
    receive:
      ({ status }: AnswerHead): ReceiveChunk =>
      (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (!isParsed || size < costLimits.answerWatchedFrom) return;
        const isFirst = watch === undefined;
        watch ??= watchNesting();
        try {
          for (const piece of isFirst ? chunks : [chunk]) watch(piece);
        } catch (error) {
          throw error instanceof NestingError ? nestedTooDeeply(url, status, error) : error;
        }
      },
    pieces: chunks,
    bytes() {
      whole ??= Buffer.concat(chunks);
      return whole;
    },
  };
}

export function nestedTooDeeply(url: URL, status: number, { message }: NestingError): UpstreamError {
  return new UpstreamError("UPSTREAM_BAD_ANSWER", `Unexpected response from ${shownUrl(url)}: ${message}.`, {
    status,
    hint: "Find and remove the deeply nested story or entry; or check source.url: this host may be another service.",
  });
}

/** The text of the pieces; undefined if it is not UTF-8. */
export function bodyText(pieces: readonly Uint8Array[]): string | undefined {
  const bytes = Buffer.concat(pieces);
  // Most texts are ASCII, which is a plain copy.
  if (isAscii(bytes)) return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

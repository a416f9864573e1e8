import { costLimits } from "../cost-limits.js";
import { NestingError, watchNesting } from "../json/nesting.js";
import type { AnswerHead, ReceiveChunk } from "./exchange.js";
import { UpstreamError } from "./upstream-error.js";

/** A body in memory, while it arrives. */
export interface CollectedBody {
  /** Takes the body of an answer. */
  receive(head: AnswerHead): ReceiveChunk;
  /** All bytes that came. */
  bytes(): Uint8Array;
}

/**
 * Collects a body. The nesting of a large one is watched while it arrives, because parsing it would take gigabytes.
 *
 * @param shownUrl the URL for error messages, without a secret
 */
export function collectBody(shownUrl: string): CollectedBody {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let watch: ((piece: Uint8Array) => void) | undefined;
  return {
    receive:
      ({ status }) =>
      (chunk) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size < costLimits.answerWatchedFrom) return;
        const isFirst = watch === undefined;
        watch ??= watchNesting();
        try {
          for (const piece of isFirst ? chunks : [chunk]) watch(piece);
        } catch (error) {
          throw error instanceof NestingError ? nestedTooDeeply(shownUrl, status, error) : error;
        }
      },
    bytes: () => Buffer.concat(chunks),
  };
}

/** The error of an answer with more levels than are read. */
export function nestedTooDeeply(shownUrl: string, status: number, { message }: NestingError): UpstreamError {
  return new UpstreamError(
    "UPSTREAM_BAD_ANSWER",
    `The answer of ${shownUrl} is not as the interface says: ${message}.`,
    {
      status,
      hint: "Find the story or entry that is nested so deeply, and remove it; or check source.url: this host may be another service.",
    },
  );
}

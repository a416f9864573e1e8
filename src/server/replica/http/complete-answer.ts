import { isLocalOrigin } from "../../../lib/http-server/host-check.js";
import { type BodyPiece, byteLength, type ReplicaAnswer, type StreamedAnswer } from "../answers/answer.js";
import { ignoredHeader } from "../answers/answer-stories.js";
import { approximatedHeader, editionHeader } from "../answers/choose-edition.js";
import type { HttpRequest, HttpResponse } from "./exchange.js";

/** Makes the response of an answer: the headers that every response has, and one body of all pieces. */
export type Completion = (request: HttpRequest, answer: ReplicaAnswer | StreamedAnswer) => HttpResponse;

/** What scripts of other origins may read: the platform's list, and what else answers carry. */
const exposedHeaders = [
  ...["Api-Version", "Token", "Total", "Per-Page", "ETag", "Link", "Allow", "Accept-Ranges", "Content-Range"],
  ...[editionHeader, ignoredHeader, approximatedHeader],
];
const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
};

/**
 * @param acceptsAnyToken Whether any token may read. Then pages of other sites get no CORS headers, since no token
 *   keeps them out.
 */
export function createCompletion({ acceptsAnyToken }: { acceptsAnyToken: boolean }): Completion {
  const buffers = createBodyBuffers();
  return (request, { status, headers: own, body }) => {
    const cors = acceptsAnyToken && !isLocalOrigin(request.header("origin")) ? undefined : corsHeaders;
    const headers: Record<string, string> = { ...own, Vary: "Accept-Encoding,Origin", ...cors };
    if ("pieces" in body) return { status, headers: { ...headers, "Content-Length": String(body.size) }, body };
    const joined = buffers.join(body);
    if (status !== 204 && status !== 304) headers["Content-Length"] = String(joined.byteLength);
    return { status, headers, body: joined, release: () => buffers.release(joined) };
  };
}

/** The answer to OPTIONS, which browsers send before a request that has headers of its own. */
export function preflight(request: HttpRequest, methods: string): ReplicaAnswer {
  const headers = {
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": request.header("access-control-request-headers") ?? "Authorization",
    "Access-Control-Max-Age": "600",
  };
  return { status: 204, headers, body: [] };
}

/** Bodies of such a size lie in buffers that are used again. Smaller ones are cheap to allocate, larger ones rare. */
const smallestBody = 8 * 1024;
const largestBody = 4 * 1024 * 1024;
/** Number of free buffers of one size that are kept. */
const keptOfSize = 8;

/**
 * Joins bodies in buffers that are used again, because a new one for every answer keeps the garbage collector busy.
 */
export interface BodyBuffers {
  /** Copies all pieces into one body. */
  join(pieces: readonly BodyPiece[]): Uint8Array<ArrayBuffer>;
  /** Gives back a body that {@link BodyBuffers.join} returned: it may be overwritten from now on. */
  release(body: Uint8Array): void;
}

export function createBodyBuffers(): BodyBuffers {
  const free = new Map<number, Buffer<ArrayBuffer>[]>();
  const owned = new WeakMap<Uint8Array, Buffer<ArrayBuffer>>();
  return {
    join(pieces) {
      const length = pieces.reduce((sum, piece) => sum + byteLength(piece), 0);
      if (length < smallestBody || length > largestBody) return copyInto(Buffer.allocUnsafe(length), pieces);
      const size = 2 ** Math.ceil(Math.log2(length));
      const buffer = free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
      const body = copyInto(buffer, pieces);
      owned.set(body, buffer);
      return body;
    },
    release(body) {
      const buffer = owned.get(body);
      if (buffer === undefined) return;
      owned.delete(body);
      const kept = free.get(buffer.byteLength) ?? [];
      free.set(buffer.byteLength, kept);
      if (kept.length < keptOfSize) kept.push(buffer);
    },
  };
}

function copyInto(buffer: Buffer<ArrayBuffer>, pieces: readonly BodyPiece[]): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    if (piece === ",") buffer[at++] = comma;
    else if (typeof piece === "string") at += buffer.write(piece, at);
    else {
      buffer.set(piece, at);
      at += piece.byteLength;
    }
  }
  return buffer.subarray(0, at);
}

/** Between any two records of a list: too short to be worth a call. */
const comma = 0x2c;

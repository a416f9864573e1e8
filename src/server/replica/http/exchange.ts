import { STATUS_CODES } from "node:http";
import { inMap } from "../../../lib/collections/in-map.js";
import { isLocalOrigin } from "../../../lib/http-server/bounded-server.js";
import { type BodyPiece, byteLength, type ReplicaAnswer, type StreamedAnswer } from "../answers/answer.js";
import { ignoredHeader } from "../answers/answer-stories.js";
import { approximatedHeader, editionHeader } from "../answers/choose-edition.js";

/** A request as the handler sees it, from HTTP or `fetch`. */
export interface HttpRequest {
  method: string;
  /** Path and query as received; begins with a slash. */
  target: string;
  /** The replica's address as the client sees it, without a trailing slash. */
  origin: string;
  /** Returns a header; `name` in lower case. */
  header(name: string): string | undefined;
}

/** A response with its body in memory; empty for 204 and 304. */
export interface WholeResponse extends ReplicaAnswer<Uint8Array> {
  /** Call it after the body is sent: its memory will be reused. */
  release?: () => void;
}

/** HEAD has the same body as GET. The sender must leave it out. */
export type HttpResponse = WholeResponse | StreamedAnswer;

export function isStreamed(response: HttpResponse | ReplicaAnswer): response is StreamedAnswer {
  return "pieces" in response.body;
}

export interface AnsweredRequest {
  method: string;
  /** Path and query as sent. They contain the token. */
  target: string;
  /** null: the connection ended before an answer. */
  status: number | null;
  /** Whether the whole answer was sent. */
  complete: boolean;
  /** From the request's head to the end of its answer. */
  durationMs: number;
}

export function errorResponse(
  status: number,
  error = STATUS_CODES[status],
  headers: Record<string, string> = {},
): WholeResponse {
  const body = Buffer.from(JSON.stringify({ error }));
  const described = { "Content-Type": "application/json; charset=utf-8", "Content-Length": String(body.byteLength) };
  return { status, headers: { ...described, ...headers }, body };
}

export type Completion = (request: HttpRequest, answer: ReplicaAnswer | StreamedAnswer) => HttpResponse;

/** Headers that scripts of other origins may read: the platform's list plus our own. */
const exposedHeaders = [
  ...["Api-Version", "Token", "Total", "Per-Page", "ETag", "Link", "Allow", "Accept-Ranges", "Content-Range"],
  ...[editionHeader, ignoredHeader, approximatedHeader],
];
const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
};

/** @param acceptsAnyToken then other sites get no CORS headers: no token keeps them out */
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

/** The answer to OPTIONS, which browsers send before a request with custom headers. */
export function preflight(request: HttpRequest, methods: string): ReplicaAnswer {
  const headers = {
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": request.header("access-control-request-headers") ?? "Authorization",
    "Access-Control-Max-Age": "600",
  };
  return { status: 204, headers, body: [] };
}

/** Smaller bodies are cheap to allocate, and very large ones rare. */
const smallestBody = 8 * 1024;
const largestBody = 4 * 1024 * 1024;
const keptOfSize = 8;

/** Joins bodies in reusable buffers: a new one per answer would keep the garbage collector busy. */
export function createBodyBuffers() {
  const free = new Map<number, Buffer<ArrayBuffer>[]>();
  const owned = new WeakMap<Uint8Array, Buffer<ArrayBuffer>>();
  return {
    join(pieces: readonly BodyPiece[]): Uint8Array {
      const length = pieces.reduce((sum, piece) => sum + byteLength(piece), 0);
      if (length < smallestBody || length > largestBody) return copyInto(Buffer.allocUnsafe(length), pieces);
      const size = 2 ** Math.ceil(Math.log2(length));
      const buffer = free.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
      const body = copyInto(buffer, pieces);
      owned.set(body, buffer);
      return body;
    },
    /** Releases a body that `join` returned; it may then be overwritten. */
    release(body: Uint8Array): void {
      const buffer = owned.get(body);
      if (buffer === undefined) return;
      owned.delete(body);
      const kept = inMap(free, buffer.byteLength, () => []);
      if (kept.length < keptOfSize) kept.push(buffer);
    },
  };
}

function copyInto(buffer: Buffer<ArrayBuffer>, pieces: readonly BodyPiece[]): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += buffer.write(piece, at);
    else {
      buffer.set(piece, at);
      at += piece.byteLength;
    }
  }
  return buffer.subarray(0, at);
}

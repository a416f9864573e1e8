import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { StreamedBody } from "../answers/answer.js";
import { type HttpRequest, type HttpResponse, isStreamed } from "./exchange.js";

/**
 * The request that a server received; undefined where its target is no path, or its `Host` header no host.
 *
 * @param boundHost Stands in for the `Host` header, which clients before HTTP/1.1 need not send.
 */
export function requestOf(
  { method = "GET", url = "", headers }: IncomingMessage,
  boundHost: string,
): HttpRequest | undefined {
  const host = headers.host ?? boundHost;
  const target = url.startsWith("/") ? url : targetOf(url);
  if (target === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined;
  return {
    method,
    target,
    origin: `http://${host}`,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** The path of a target that is a whole address (`GET http://host/path`), or `*` (`OPTIONS *`). */
function targetOf(url: string): string | undefined {
  if (url === "*") return "/";
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname.startsWith("/") ? pathname + search : undefined;
}

/**
 * Sends a response. A streamed body is read as fast as the client takes it, and no further once the client is gone.
 *
 * @throws whatever ends a streamed body too early; the connection is closed then, because the status was sent
 *   already.
 */
export async function send(outgoing: ServerResponse, response: HttpResponse): Promise<void> {
  outgoing.writeHead(response.status, response.headers);
  if (!isStreamed(response)) {
    if (response.release !== undefined) outgoing.once("close", response.release);
    outgoing.end(response.body);
  } else if (outgoing.req.method === "HEAD") {
    outgoing.end();
  } else {
    // Behind earlier answers of its connection an answer has no socket yet. It may never get one, and would keep its
    // file open for ever.
    if (outgoing.socket === null) await once(outgoing, "socket");
    await pipeline(response.body.pieces(), outgoing).catch((error: unknown) => {
      if (!isClientGone(error)) throw error;
    });
  }
}

/**
 * Sends a response that breaks off: it promises the whole length, half of its first bytes arrive, and the
 * connection ends.
 */
export async function sendHalf(outgoing: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> {
  const bytes = body instanceof Uint8Array ? body : await firstPiece(body);
  outgoing.writeHead(status, headers);
  outgoing.write(bytes.subarray(0, bytes.byteLength >> 1), () => outgoing.req.socket.destroy());
}

async function firstPiece(body: StreamedBody): Promise<Uint8Array> {
  for await (const piece of body.pieces()) return piece;
  return new Uint8Array();
}

const clientGone = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED", "ECONNRESET", "EPIPE"]);

function isClientGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && clientGone.has(String(error.code));
}

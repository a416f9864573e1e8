import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { StreamedAnswer, StreamedBody } from "../answers/answer.js";
import { type HttpRequest, type HttpResponse, isStreamed } from "./exchange.js";

export function requestOf({ method = "GET", url = "", headers, socket }: IncomingMessage): HttpRequest | undefined {
  const host = headers.host ?? boundHost(socket);
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

/** The local address replaces `Host`, which clients before HTTP/1.1 need not send. */
function boundHost({ localAddress = "localhost", localPort }: Socket): string {
  return `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
}

/** Returns the path of an absolute target (`GET http://host/path`), or `*` (`OPTIONS *`). */
function targetOf(url: string): string | undefined {
  if (url === "*") return "/";
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname.startsWith("/") ? pathname + search : undefined;
}

/** At once if the body is in memory. @throws what ends a streamed one; another can replace it until `headersSent` */
export function send(outgoing: ServerResponse, response: HttpResponse): Promise<void> | undefined {
  if (isStreamed(response) && outgoing.req.method !== "HEAD") return sendPieces(outgoing, response);
  outgoing.writeHead(response.status, response.headers);
  if (!isStreamed(response) && response.release !== undefined) outgoing.once("close", response.release);
  outgoing.end(isStreamed(response) ? undefined : response.body);
  return undefined;
}

async function sendPieces(outgoing: ServerResponse, { status, headers, body }: StreamedAnswer): Promise<void> {
  // A queued answer has no socket yet. It may never get one and would keep its file open forever.
  if (outgoing.socket === null) await once(outgoing, "socket");
  for await (const piece of body.pieces()) {
    if (outgoing.destroyed) return;
    if (!outgoing.headersSent) outgoing.writeHead(status, headers);
    if (!outgoing.write(piece)) await drained(outgoing);
  }
  if (!outgoing.headersSent) outgoing.writeHead(status, headers);
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.on("drain", done).on("close", done);
  });
}

/** Announces the full length, sends half of the first piece, and ends the connection. */
export async function sendTruncated(outgoing: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> {
  const bytes = body instanceof Uint8Array ? body : await firstPiece(body);
  outgoing.writeHead(status, headers);
  outgoing.write(bytes.subarray(0, bytes.byteLength >> 1), () => outgoing.req.socket.destroy());
}

async function firstPiece(body: StreamedBody): Promise<Uint8Array> {
  for await (const piece of body.pieces()) return piece;
  return new Uint8Array();
}

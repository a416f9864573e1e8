import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { WholeResponse } from "./exchange.js";

/** A request with a body of more bytes is refused. Smaller bodies are ignored. */
const maxBodyBytes = 16 * 1024;

/**
 * Refuses a request for its headers alone, before its address is read; undefined where nothing is wrong with them.
 *
 * @param isOwnHost Whether a `Host` header may be answered.
 */
export function refusalOf(
  { headers }: IncomingMessage,
  isOwnHost: (host: string | undefined) => boolean,
): WholeResponse | undefined {
  if (Number(headers["content-length"] ?? 0) > maxBodyBytes || headers["transfer-encoding"] !== undefined) {
    return errorResponse(413, "A request has no body here", { Connection: "close" });
  }
  return isOwnHost(headers.host) ? undefined : errorResponse(421, "This replica serves its own machine only");
}

/** A response with an error. */
export function errorResponse(
  status: number,
  error = STATUS_CODES[status],
  headers: Record<string, string> = {},
): WholeResponse {
  const body = Buffer.from(JSON.stringify({ error }));
  const described = { "Content-Type": "application/json; charset=utf-8", "Content-Length": String(body.byteLength) };
  return { status, headers: { ...described, ...headers }, body };
}

const statusOfCode = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

/** How long a client may take to read why it is refused, and to close its side, in milliseconds. */
const lingerMs = 500;

/** Answers what is no HTTP, has too large a header or takes too long to arrive, and closes the connection. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = statusOfCode.get(error.code ?? "") ?? 400;
  // The request was answered without waiting for its body: a second answer would be taken for that to the next request.
  const isAnswered = status === 408 && socket.bytesWritten > 0;
  if (!socket.writable || error.code === "ECONNRESET" || isAnswered) return void socket.destroy();
  const { headers, body } = errorResponse(status, undefined, { Connection: "close" });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // A client that goes on sending would else keep its place.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(linger));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${Buffer.from(body).toString()}`);
}

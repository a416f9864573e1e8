import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

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
  const reason = STATUS_CODES[status];
  const body = JSON.stringify({ error: reason });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  // A client that goes on sending would else keep its place.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(linger));
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
}

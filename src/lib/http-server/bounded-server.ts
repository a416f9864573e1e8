import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { OffprintError } from "../errors.js";
import { isLoopbackHost } from "../loopback.js";
import type { ClientTimeouts } from "./client-timeouts.js";

/** Time for running answers after {@link closeServer}, in milliseconds. */
const closeGraceMs = 2000;
/** Interval of the check for slow clients (ms), unless their timeouts are shorter. */
const checkingMs = 1000;
const requestLimits = { headerBytes: 64 * 1024, headers: 100 };

/** A server that limits the time and headers of each client. Not listening yet. */
export function createBoundedServer(
  { headersMs, requestMs, idleMs }: ClientTimeouts,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server {
  const limits = {
    maxHeaderSize: requestLimits.headerBytes,
    // Node refuses a longer timeout for the head than for the whole request.
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(checkingMs, headersMs, requestMs),
  };
  const server = createServer(limits, onRequest);
  server.maxHeadersCount = requestLimits.headers;
  server.setTimeout(idleMs);
  server.on("clientError", refuseConnection);
  return server;
}

/** @param port 0: any free one @param hint if the address cannot be used @throws OffprintError `USAGE` */
export function listen(
  server: Server,
  { port, host }: { port: number; host: string },
  hint: string,
): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "it is in use" : (cause.code ?? cause.message);
      reject(new OffprintError("USAGE", `Cannot listen on ${host}:${port}: ${why}.`, { hint, cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      const bound = server.address() as AddressInfo;
      resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`, port: bound.port });
    });
  });
}

/** Accepts no more connections, lets running answers end for two seconds, and frees the port. */
export function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

const statusOfCode = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

/** Time for a refused client to read why and to close its side, in milliseconds. */
const lingerMs = 500;

/** Answers bad HTTP, too large headers or a request timeout, and closes the connection. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = statusOfCode.get(error.code ?? "") ?? 400;
  // Already answered: a second answer would look like that of the next request.
  const isAnswered = status === 408 && socket.bytesWritten > 0;
  if (!socket.writable || error.code === "ECONNRESET" || isAnswered) return void socket.destroy();
  const reason = STATUS_CODES[status];
  const body = JSON.stringify({ error: reason });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  // A client that keeps sending would otherwise keep its place.
  const linger = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(linger));
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join("\r\n")}\r\n\r\n${body}`);
}

interface Busy {
  requests: number;
  /** Bytes sent at the last check that saw progress, and its time. */
  sentBytes: number;
  sentMs: number;
}

/** Beyond the limit, closes the connection that waited longest or has not read for `patienceMs`, else the new one. */
export function limitConnections(server: Server, most: number, patienceMs: number) {
  let open = 0;
  /** Connections without a running request, longest waiting first. */
  const waiting = new Set<Socket>();
  const busy = new Map<Socket, Busy>();

  const stuck = (nowMs: number): Socket | undefined => {
    let found: Socket | undefined;
    for (const [socket, known] of busy) {
      const sentBytes = socket.bytesWritten - socket.writableLength;
      if (sentBytes !== known.sentBytes) Object.assign(known, { sentBytes, sentMs: nowMs });
      else if (nowMs - known.sentMs >= patienceMs && socket.writableNeedDrain) found ??= socket;
    }
    return found;
  };

  server.on("connection", (socket: Socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
      waiting.delete(socket);
      busy.delete(socket);
    });
    if (open > most) {
      const [longest] = waiting;
      (longest ?? stuck(performance.now()) ?? socket).destroy();
    }
    if (!socket.destroyed) waiting.add(socket);
  });
  return {
    /** A head has arrived, its body has not: the waiting time starts again. */
    receiving(socket: Socket): void {
      if (waiting.delete(socket)) waiting.add(socket);
    },
    /** A request has arrived, with everything that the answer needs. */
    began(socket: Socket): void {
      waiting.delete(socket);
      const known = busy.get(socket);
      if (known !== undefined) known.requests += 1;
      else busy.set(socket, { requests: 1, sentBytes: -1, sentMs: performance.now() });
    },
    ended(socket: Socket): void {
      const known = busy.get(socket);
      if (known === undefined) return;
      known.requests -= 1;
      if (known.requests > 0) return;
      busy.delete(socket);
      if (!socket.destroyed) waiting.add(socket);
    },
  };
}

/** On loopback, accepts only this machine's names: blocks pages whose name resolves to 127.0.0.1 (DNS rebinding). */
export function createHostCheck(boundHost: string): (hostHeader: string | undefined) => boolean {
  if (!isLoopbackHost(boundHost)) return () => true;
  return (hostHeader) => hostHeader !== undefined && isOnLoopback(`http://${hostHeader}`);
}

/** Whether the requesting page is on this machine. Without `Origin`, it is no other site's. */
export function isLocalOrigin(origin: string | undefined): boolean {
  return origin === undefined || isOnLoopback(origin);
}

function isOnLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}

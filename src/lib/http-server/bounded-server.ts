import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { OffprintError } from "../errors.js";
import type { ClientTimeouts } from "./client-timeouts.js";

/** How long answers under way may take after {@link closeServer}, in milliseconds. */
const closeGraceMs = 2000;
/** Interval of looking for clients that take too long, in milliseconds; it is shorter where they may take less. */
const checkingMs = 1000;
/** Bytes and number of the headers of one request, at most. */
const requestLimits = { headerBytes: 64 * 1024, headers: 100 };

/** A server that gives no client more than its share of time and headers. It does not listen yet. */
export function createBoundedServer(
  { headersMs, requestMs, idleMs }: ClientTimeouts,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server {
  const limits = {
    maxHeaderSize: requestLimits.headerBytes,
    // Node refuses a longer time for the head than for the whole request.
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

/**
 * Listens.
 *
 * @param port 0: any free one
 * @param hint what to do where the address cannot be listened on
 * @returns the origin to send requests to, without a slash at the end, and its port
 * @throws OffprintError `USAGE` then
 */
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

/** Takes no more connections, lets the answers under way end, for two seconds at most, and frees the port. */
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

/** How long a client may take to read why it is refused, and to close its side, in milliseconds. */
const lingerMs = 500;

/** Answers what is no HTTP, has too large a header or takes too long to arrive, and closes the connection. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
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

/** Bounds the number of open connections of a server. */
export interface ConnectionLimit {
  /** The head of a request has arrived, and its body is still to come: the connection waits on, from now. */
  receiving(socket: Socket): void;
  /** A request of the connection has arrived, as far as it is needed for the answer. */
  began(socket: Socket): void;
  /** Its answer has ended. */
  ended(socket: Socket): void;
}

/** What is known of a connection with requests under way. */
interface Busy {
  requests: number;
  /** How much was sent when that was last seen to have grown, and when that was. */
  sentBytes: number;
  sentMs: number;
}

/**
 * Beyond the limit a new connection takes the place of another one: of that which has waited longest without a whole
 * request, or whose client has taken nothing of its answers for a while. Where there is none, it is closed.
 *
 * @param most Number of open connections.
 * @param patienceMs How long a client may take nothing, in milliseconds, while others want its place.
 */
export function limitConnections(server: Server, most: number, patienceMs: number): ConnectionLimit {
  let open = 0;
  /** Connections without a request under way, those first that have waited longest. */
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
    receiving(socket) {
      if (waiting.delete(socket)) waiting.add(socket);
    },
    began(socket) {
      waiting.delete(socket);
      const known = busy.get(socket);
      if (known !== undefined) known.requests += 1;
      else busy.set(socket, { requests: 1, sentBytes: -1, sentMs: performance.now() });
    },
    ended(socket) {
      const known = busy.get(socket);
      if (known === undefined) return;
      known.requests -= 1;
      if (known.requests > 0) return;
      busy.delete(socket);
      if (!socket.destroyed) waiting.add(socket);
    },
  };
}

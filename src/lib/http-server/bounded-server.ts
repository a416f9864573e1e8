import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OffprintError } from "../errors.js";
import type { ClientTimeouts } from "./client-timeouts.js";
import { refuseConnection } from "./refuse-connection.js";

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

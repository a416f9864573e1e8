import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { OffprintError } from "../errors.js";
import { joinBody, problem, type ReplicaAnswer } from "./answer.js";
import { createFaults, type FaultKind, type FaultRule, faultAnswer, type Latency } from "./faults.js";
import { isLoopbackHost, isLoopbackName } from "./loopback.js";
import { createReplica, type Replica, type ReplicaOptions } from "./replica.js";

export interface StartReplicaOptions extends ReplicaOptions {
  /** 0 (the default): any free port. */
  port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
  /** What is to go wrong on purpose. */
  faults?: readonly FaultRule[];
  /** How long every answer waits. */
  latency?: Latency;
  /** Default: Math.random. */
  random?: () => number;
  /** Called when an answer is on its way, or its connection is gone. */
  onAnswered?: (answered: AnsweredRequest) => void;
  /** How long a client may take, where it is not the default. */
  timeouts?: Partial<ClientTimeouts>;
}

/** A request that came, and what became of it. */
export interface AnsweredRequest {
  method: string;
  /** Path and query as they were sent: with the token of whoever asked. */
  target: string;
  /** null: the connection ended before there was an answer. */
  status: number | null;
  /** From the request's head to the end of its answer. */
  durationMs: number;
}

/** How long a client may take, in milliseconds. */
export interface ClientTimeouts {
  /** To send the head of a request; default 10 s. */
  headersMs: number;
  /** To send a request in all; default 30 s. */
  requestMs: number;
  /** While nothing moves on its connection, for example because it does not read its answer; default 60 s. */
  idleMs: number;
}

export interface RunningReplica {
  /** The origin to send requests to, without a slash at the end. */
  url: string;
  port: number;
  /** How many requests arrived so far, whatever became of them. */
  requests(): number;
  /** Takes no more connections, lets the answers under way end, and frees the port. */
  close(): Promise<void>;
}

/** How long answers under way may take after {@link RunningReplica.close}, in milliseconds. */
const closeGraceMs = 2000;
const defaultTimeouts: ClientTimeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 60_000 };
/** How often it is looked for clients that take too long, at least, in milliseconds. */
const checkingMs = 1000;
/** What a request and a connection may take; sizes in bytes. */
const requestLimits = {
  headerBytes: 64 * 1024,
  headers: 100,
  bodyBytes: 16 * 1024,
  connections: 2000,
};

/**
 * Serves a replica over HTTP.
 *
 * @throws OffprintError `USAGE` when the address cannot be listened on.
 */
export async function startReplica(options: StartReplicaOptions): Promise<RunningReplica> {
  const { port = 0, host = "127.0.0.1", random = Math.random, latency } = options;
  const { headersMs, requestMs, idleMs } = { ...defaultTimeouts, ...options.timeouts };
  const replica = createReplica(options);
  const answerAny = getRequestListener((request) => replica.fetch(request), { hostname: host });
  const answer: Listener = (incoming, outgoing) =>
    isPlainGet(incoming) ? answerPlain(replica, incoming, outgoing) : answerAny(incoming, outgoing);
  const nextFault = createFaults(options.faults ?? [], random);
  let requests = 0;
  let closing = false;
  const server = createServer(
    {
      maxHeaderSize: requestLimits.headerBytes,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(checkingMs, headersMs),
    },
    (incoming, outgoing) => {
      requests += 1;
      // A keep-alive connection would hold the port for seconds after its last answer.
      outgoing.on("close", () => {
        if (closing) setImmediate(() => server.closeIdleConnections());
      });
      if (options.onAnswered !== undefined) tellAnswered(incoming, outgoing, options.onAnswered);
      const refusal = requestProblem(incoming, host);
      if (refusal !== undefined) return send(outgoing, refusal);
      const fault = nextFault();
      const delayMs = latency === undefined ? 0 : latency.minMs + random() * (latency.maxMs - latency.minMs);
      const proceed = () =>
        fault === undefined ? void answer(incoming, outgoing) : fail(fault, incoming, outgoing, answer);
      if (delayMs === 0) return proceed();
      const timer = setTimeout(proceed, delayMs);
      outgoing.on("close", () => clearTimeout(timer));
    },
  );
  server.maxHeadersCount = requestLimits.headers;
  server.maxConnections = requestLimits.connections;
  server.setTimeout(idleMs);
  server.on("clientError", refuseConnection);
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shownHost}:${address.port}`,
    port: address.port,
    requests: () => requests,
    close() {
      closing = true;
      return closeServer(server);
    },
  };
}

function tellAnswered(
  { method = "GET", url = "/" }: IncomingMessage,
  outgoing: ServerResponse,
  onAnswered: (answered: AnsweredRequest) => void,
): void {
  const sinceMs = performance.now();
  outgoing.on("close", () => {
    const status = outgoing.headersSent ? outgoing.statusCode : null;
    onAnswered({ method, target: url, status, durationMs: performance.now() - sinceMs });
  });
}

/**
 * What is wrong with a request before its address is looked at. Bodies are never read. While only this machine is served,
 * the `Host` has to name this machine: a page of the internet whose name was made to lead here is refused.
 */
function requestProblem({ headers }: IncomingMessage, boundHost: string): ReplicaAnswer | undefined {
  if (Number(headers["content-length"] ?? 0) > requestLimits.bodyBytes || headers["transfer-encoding"] !== undefined) {
    return problem(413, { error: "A request has no body here" }, { Connection: "close" });
  }
  if (!isLoopbackName(boundHost.replace(/^\[|\]$/g, ""))) return undefined;
  if (headers.host !== undefined && isLoopbackHost(headers.host)) return undefined;
  return problem(421, { error: "This replica serves its own machine only" });
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Whether nothing about a request has to be interpreted before its address is read. */
function isPlainGet({ method, url, headers }: IncomingMessage): boolean {
  return method === "GET" && url?.startsWith("/") === true && /^[\w.:[\]-]+$/.test(headers.host ?? "");
}

async function answerPlain(replica: Replica, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { url = "/", headers: sent } = incoming;
  const answer = replica.get({
    target: url,
    origin: `http://${sent.host}`,
    header(name) {
      const value = sent[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  });
  const { status, headers, body } = answer instanceof Promise ? await answer : answer;
  outgoing.once("close", () => replica.release(body));
  outgoing.writeHead(status, headers).end(body);
}

/** Lets a request meet its fault. */
function fail(fault: FaultKind, incoming: IncomingMessage, outgoing: ServerResponse, answer: Listener): void {
  if (fault === "stall") return;
  if (fault === "reset") {
    incoming.socket.resetAndDestroy();
    return;
  }
  if (fault !== "truncate") {
    send(outgoing, faultAnswer(Number(fault)));
    return;
  }
  // The whole length is told, half of the first piece of the body is sent, and the connection breaks.
  const write = outgoing.write.bind(outgoing);
  const breakOff = (piece: unknown): boolean => {
    const bytes = Buffer.from(typeof piece === "string" || piece instanceof Uint8Array ? piece : "");
    return write(bytes.subarray(0, bytes.byteLength >> 1), () => incoming.socket.destroy());
  };
  outgoing.write = breakOff as typeof outgoing.write;
  outgoing.end = ((piece?: unknown) => {
    breakOff(piece);
    return outgoing;
  }) as typeof outgoing.end;
  void answer(incoming, outgoing);
}

function send(outgoing: ServerResponse, answer: ReplicaAnswer): void {
  const body = joinBody(answer.body);
  outgoing.writeHead(answer.status, { ...answer.headers, "Content-Length": body.byteLength }).end(body);
}

const statusOfCode = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408],
]);

/** A request that is no HTTP, has too large a header or takes too long to arrive: told, and the connection is closed. */
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = statusOfCode.get(error.code ?? "") ?? 400;
  // A body that nobody waited for comes to its end after the answer: a second one would answer the next request.
  const isAnswered = status === 408 && socket.bytesWritten > 0;
  if (!socket.writable || error.code === "ECONNRESET" || isAnswered) return void socket.destroy();
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "it is in use" : (cause.code ?? cause.message);
      const hint = "Choose another one with `--port` and `--host`; port 0 is any free port.";
      reject(new OffprintError("USAGE", `Cannot listen on ${host}:${port}: ${why}.`, { hint, cause }));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
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

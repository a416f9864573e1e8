import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OffprintError } from "../../errors.js";
import type { AnsweredRequest } from "./answered-request.js";
import { limitConnections } from "./connection-limit.js";
import { createConnectionQueue } from "./connection-queue.js";
import { createReport } from "./create-report.js";
import { createFaults, type FaultKind, type FaultRule, faultResponse, type Latency } from "./faults.js";
import { createHandler, type Handler, type ReplicaOptions } from "./handler.js";
import { createHostCheck } from "./host-check.js";
import { errorResponse, refusalOf, refuseConnection } from "./refuse.js";
import { requestOf, send, sendTruncated } from "./respond.js";

export interface StartReplicaOptions extends ReplicaOptions {
  /** 0 (the default): any free port. */
  port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
  /** The faults that requests meet on purpose. */
  faults?: readonly FaultRule[];
  /** How long every answer waits. */
  latency?: Latency;
  /** Default: Math.random. */
  random?: () => number;
  /** Called after each answer was sent, or its connection was lost. */
  onAnswered?: (answered: AnsweredRequest) => void;
  /** How long a client may take; what is not given keeps its default. */
  timeouts?: Partial<ClientTimeouts>;
  /** Number of connections that may be open at a time; default 2000. */
  maxConnections?: number;
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
  /** Number of requests that arrived so far, answered or not. */
  requests(): number;
  /** Takes no more connections, lets the answers under way end, and frees the port. */
  close(): Promise<void>;
}

/** How long answers under way may take after {@link RunningReplica.close}, in milliseconds. */
const closeGraceMs = 2000;
const defaultTimeouts: ClientTimeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 60_000 };
/** Interval of looking for clients that take too long, in milliseconds; it is shorter where they may take less. */
const checkingMs = 1000;
/** Bytes and number of the headers of one request, at most. */
const requestLimits = { headerBytes: 64 * 1024, headers: 100 };

/**
 * Serves a replica over HTTP. The server hands each request to the handler, and sends the response that it returns.
 *
 * @throws OffprintError `USAGE` when the address cannot be listened on.
 */
export async function startReplica(options: StartReplicaOptions): Promise<RunningReplica> {
  const { port = 0, host = "127.0.0.1", random = Math.random, onAnswered, maxConnections = 2000 } = options;
  const respond = createResponder(createHandler(options), options.onError);
  const isOwnHost = createHostCheck(host);
  const nextFault = createFaults(options.faults ?? [], random);
  const delayMs = createDelay(options.latency, random);
  let requests = 0;
  let closed: Promise<void> | undefined;
  const enqueue = createConnectionQueue();
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  // While an answer is late on purpose, nothing moves on its connection either.
  timeouts.idleMs += options.latency?.maxMs ?? 0;
  const server = limitedServer(timeouts, (incoming, outgoing) => {
    requests += 1;
    let timer: NodeJS.Timeout | undefined;
    const report = onAnswered && createReport(incoming, outgoing, onAnswered);
    const { socket } = incoming;
    connections.began(socket);
    enqueue(outgoing, {
      start() {
        const refused = refusalOf(incoming, isOwnHost);
        if (refused !== undefined) return void send(outgoing, refused);
        const fault = nextFault();
        const waitMs = delayMs();
        if (waitMs === 0) return respond(incoming, outgoing, fault);
        timer = setTimeout(() => respond(incoming, outgoing, fault), waitMs);
      },
      ended() {
        clearTimeout(timer);
        report?.();
        connections.ended(socket);
        // A keep-alive connection would hold the port for seconds after its last answer.
        if (closed !== undefined) setImmediate(() => server.closeIdleConnections());
      },
    });
  });
  const connections = limitConnections(server, maxConnections, timeouts.headersMs);
  await listen(server, port, host);
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound.port}`,
    port: bound.port,
    requests: () => requests,
    close() {
      closed ??= closeServer(server);
      return closed;
    },
  };
}

type Responder = (incoming: IncomingMessage, outgoing: ServerResponse, fault: FaultKind | undefined) => void;

/** Returns a function that answers a request, at once where it can, or lets it meet its fault; never throws. */
function createResponder(handle: Handler, onError: ((error: unknown) => void) | undefined): Responder {
  return (incoming, outgoing, fault) => {
    if (fault === "stall") return;
    if (fault === "reset") return void incoming.socket.resetAndDestroy();
    if (fault !== undefined && fault !== "truncate") return void send(outgoing, faultResponse(Number(fault)));
    const failed = (error: unknown): void => {
      onError?.(error);
      if (outgoing.headersSent) outgoing.destroy();
      else void send(outgoing, errorResponse(500));
    };
    const deliver = fault === "truncate" ? sendTruncated : send;
    try {
      const request = requestOf(incoming);
      const answering = request === undefined ? errorResponse(400) : handle(request);
      // Promises are left out where nothing is to be waited for: they cost as much as the rest.
      if (answering instanceof Promise) answering.then((response) => deliver(outgoing, response)).catch(failed);
      else deliver(outgoing, answering)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

function createDelay(latency: Latency | undefined, random: () => number): () => number {
  if (latency === undefined) return () => 0;
  return () => latency.minMs + random() * (latency.maxMs - latency.minMs);
}

function limitedServer(
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

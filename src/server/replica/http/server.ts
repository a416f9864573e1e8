import type { IncomingMessage, ServerResponse } from "node:http";
import {
  closeServer,
  createBoundedServer,
  createHostCheck,
  limitConnections,
  listen,
} from "../../../lib/http-server/bounded-server.js";
import type { ClientTimeouts } from "../../../lib/http-server/client-timeouts.js";
import { createConnectionQueue } from "./connection-queue.js";
import { type AnsweredRequest, errorResponse, type WholeResponse } from "./exchange.js";
import { createFaults, type FaultKind, type FaultRule, faultResponse, type Latency } from "./faults.js";
import { createHandler, type Handler, type ReplicaOptions } from "./handler.js";
import { requestOf, send, sendTruncated } from "./respond.js";

export interface StartReplicaOptions extends ReplicaOptions {
  /** 0 (the default): any free port. */
  port?: number;
  /** Default: 127.0.0.1, which only this machine can reach. */
  host?: string;
  faults?: readonly FaultRule[];
  /** A delay for every answer. */
  latency?: Latency;
  /** Default: Math.random. */
  random?: () => number;
  /** Called after an answer was sent or its connection lost. */
  onAnswered?: (answered: AnsweredRequest) => void;
  /** Client timeouts; defaults: head 10 s, request 30 s, idle 60 s. */
  timeouts?: Partial<ClientTimeouts>;
  /** Most open connections; default 2000. */
  maxConnections?: number;
}

export interface RunningReplica {
  /** Origin of the server, without a trailing slash. */
  url: string;
  port: number;
  /** Returns the number of requests received so far. */
  requests(): number;
  /** Accepts no more connections, finishes active answers, and frees the port. */
  close(): Promise<void>;
}

const defaultTimeouts: ClientTimeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 60_000 };
const otherAddress = "Choose another one with `--port` and `--host`; port 0 is any free port.";

/** Serves a replica over HTTP. @throws OffprintError `USAGE` if it cannot listen on the address */
export async function startReplica(options: StartReplicaOptions): Promise<RunningReplica> {
  const { port = 0, host = "127.0.0.1", random = Math.random, onAnswered, maxConnections = 2000 } = options;
  const respond = createResponder(createHandler(options), options.onError);
  const isOwnHost = createHostCheck(host);
  const nextFault = createFaults(options.faults ?? [], random);
  const { minMs, maxMs } = options.latency ?? { minMs: 0, maxMs: 0 };
  let requests = 0;
  let closed: Promise<void> | undefined;
  const enqueue = createConnectionQueue();
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  // An intended delay must not count as an idle connection.
  timeouts.idleMs += maxMs;
  const server = createBoundedServer(timeouts, (incoming, outgoing) => {
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
        const waitMs = options.latency === undefined ? 0 : minMs + random() * (maxMs - minMs);
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
  const bound = await listen(server, { port, host }, otherAddress);
  return {
    ...bound,
    requests: () => requests,
    close() {
      closed ??= closeServer(server);
      return closed;
    },
  };
}

type Responder = (incoming: IncomingMessage, outgoing: ServerResponse, fault: FaultKind | undefined) => void;

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
      // Avoids promises if there is nothing to wait for: they cost as much as the rest.
      if (answering instanceof Promise) answering.then((response) => deliver(outgoing, response)).catch(failed);
      else deliver(outgoing, answering)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

function createReport(
  { method = "GET", url = "/" }: IncomingMessage,
  outgoing: ServerResponse,
  onAnswered: (answered: AnsweredRequest) => void,
): () => void {
  const sinceMs = performance.now();
  return () => {
    // A queued answer has no socket, although its head is written.
    const complete = outgoing.writableFinished;
    const status = outgoing.headersSent && (complete || outgoing.socket !== null) ? outgoing.statusCode : null;
    onAnswered({ method, target: url, status, complete, durationMs: performance.now() - sinceMs });
  };
}

/** Larger request bodies are refused, smaller ones ignored. */
const maxBodyBytes = 16 * 1024;

/** Refuses a request because of its headers, before its address is parsed; undefined: fine. */
function refusalOf(
  { headers }: IncomingMessage,
  isOwnHost: (host: string | undefined) => boolean,
): WholeResponse | undefined {
  if (Number(headers["content-length"] ?? 0) > maxBodyBytes || headers["transfer-encoding"] !== undefined) {
    return errorResponse(413, "Requests must not have a body", { Connection: "close" });
  }
  return isOwnHost(headers.host) ? undefined : errorResponse(421, "This replica only serves its own machine");
}

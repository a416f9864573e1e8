import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { inMap } from "../../../lib/collections/in-map.js";

/** One request of a connection, from its arrival to the end of its answer. */
export interface QueuedRequest {
  start(): void;
  /** Called once: the answer was sent or the connection lost. It may never have started. */
  ended(): void;
}

type Connection = Record<"started" | "waiting", QueuedRequest[]>;

const startedAtOnce = 32;

/** A pipelined answer stays in memory until sent, so after 32 of a connection we read no more. */
export function createConnectionQueue() {
  const connections = new WeakMap<Socket, Connection>();
  return (outgoing: ServerResponse, request: QueuedRequest): void => {
    const { socket } = outgoing.req;
    const { started, waiting } = inMap(connections, socket, () => openConnection(socket));
    outgoing.on("close", () => {
      const at = started.indexOf(request);
      if (at < 0) return;
      started.splice(at, 1);
      request.ended();
      const next = waiting.shift();
      if (next === undefined) return;
      pauseWhileWaiting(socket, waiting);
      started.push(next);
      next.start();
    });
    if (started.length < startedAtOnce) {
      started.push(request);
      request.start();
    } else {
      waiting.push(request);
      pauseWhileWaiting(socket, waiting);
    }
  };
}

function openConnection(socket: Socket): Connection {
  const connection: Connection = { started: [], waiting: [] };
  // A response that waits behind another never emits `close` when the connection is lost.
  socket.once("close", () => {
    const ended = [...connection.started.splice(0), ...connection.waiting.splice(0)];
    for (const request of ended) request.ended();
  });
  return connection;
}

/** Node resumes the socket after each request, so we pause it later. */
function pauseWhileWaiting(socket: Socket, waiting: readonly QueuedRequest[]): void {
  setImmediate(() => {
    if (waiting.length > 0) socket.pause();
    else socket.resume();
  });
}

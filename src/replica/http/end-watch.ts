import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Calls `ended` once: when the response was sent, or its connection is lost. */
export type EndWatch = (outgoing: ServerResponse, ended: () => void) => void;

/**
 * Returns a function that watches for the end of responses. `close` of a response is not enough: a response that
 * waits behind an earlier one of its connection never emits it when the connection is lost.
 */
export function createEndWatch(): EndWatch {
  const waiting = new WeakMap<Socket, Set<() => void>>();
  return (outgoing, ended) => {
    const { socket } = outgoing.req;
    const ends = waiting.get(socket) ?? new Set();
    if (!waiting.has(socket)) {
      waiting.set(socket, ends);
      socket.once("close", () => {
        for (const end of ends) end();
      });
    }
    const end = () => {
      if (ends.delete(end)) ended();
    };
    ends.add(end);
    outgoing.once("close", end);
  };
}

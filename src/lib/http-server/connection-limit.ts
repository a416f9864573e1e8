import type { Server } from "node:http";
import type { Socket } from "node:net";

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

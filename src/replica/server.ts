import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { OffprintError } from "../errors.js";
import { createReplica, type ReplicaOptions } from "./replica.js";

export interface StartReplicaOptions extends ReplicaOptions {
  /** 0 (the default): any free port. */
  port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  host?: string;
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

/**
 * Serves a replica over HTTP.
 *
 * @throws OffprintError `USAGE` when the address cannot be listened on.
 */
export async function startReplica(options: StartReplicaOptions): Promise<RunningReplica> {
  const { port = 0, host = "127.0.0.1" } = options;
  const replica = createReplica(options);
  const server = createAdaptorServer({
    fetch: (request) => replica.fetch(request),
    hostname: host,
    serverOptions: { maxHeaderSize: 64 * 1024, headersTimeout: 10_000, requestTimeout: 30_000 },
  }) as Server;
  let requests = 0;
  let closing = false;
  server.on("request", (_, response) => {
    requests += 1;
    // A keep-alive connection would hold the port for seconds after its last answer.
    response.on("close", () => {
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
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

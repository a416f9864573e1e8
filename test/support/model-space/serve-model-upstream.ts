import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WireAnswer } from "./faults.js";
import type { ModelUpstream } from "./model-upstream.js";

/** A real HTTP server in front of one model upstream at a time. */
export interface ModelServer {
  url: string;
  /** Whom the next requests are for. */
  serve(upstream: ModelUpstream): void;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  let upstream: ModelUpstream | undefined;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://model");
    if (upstream === undefined) response.writeHead(503).end();
    else send(response, upstream.handle(request.method ?? "GET", url));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    serve(next) {
      upstream = next;
    },
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };
}

function send(response: ServerResponse, { status, headers, body, cutAt }: WireAnswer): void {
  if (cutAt === 0) {
    response.socket?.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(body);
  // The server's own clock counts, not this machine's.
  response.sendDate = false;
  response.writeHead(status, { ...headers, "content-length": bytes.length });
  if (cutAt === undefined) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, cutAt), () => response.socket?.destroy());
}

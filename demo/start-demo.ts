import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Lru } from "../src/lib/collections/lru.js";
import { OffprintError } from "../src/lib/errors.js";
import { createReplica } from "../src/server/replica/http/handler.js";
import { openReader } from "../src/snapshot/reader/open-reader.js";
import type { Reader } from "../src/snapshot/reader/reader.js";
import { answerAsset } from "./answer-asset.js";
import type { DemoAsset } from "./assets/pictures.js";
import { buildSnapshot } from "./build-snapshot.js";
import { demoSpace } from "./demo-space.js";
import { emptyLog } from "./edit-log.js";
import type { EditLog } from "./edits.js";
import { answerManagement, type DemoSecrets, demoSecrets } from "./management.js";
import { space } from "./space.js";

export interface DemoOptions {
  /** Default: 0, any free port. */
  port?: number;
  /** Default: 127.0.0.1. */
  host?: string;
  /** Secrets of the management answers, where they differ from the default ones. */
  secrets?: Partial<DemoSecrets>;
  /** Accepted tokens, where they differ from the default ones. */
  tokens?: Partial<typeof demoTokens>;
  /** What editors have done to the space; default: nothing. */
  edits?: EditLog;
}

/** The tokens that the demo space accepts: `demo` may read everything, `demo-public` what is published. */
export const demoTokens = { preview: "demo", public: "demo-public", personal: "demo", oauth: "demo" };

/** The demo space while it is being served. */
export interface Demo {
  /** Origin, on this machine. */
  url: string;
  /** Invented host of the assets → the origin that has them. */
  assetHosts: Record<string, string>;
  /** How many requests came so far, without those for assets. */
  requests(): number;
  /** Takes no more connections, answers the requests under way, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves the demo space through the replica, from a snapshot in memory. Two kinds of request never reach the replica:
 * management reads, because a snapshot holds no secrets, and assets, which are drawn when they are asked for.
 *
 * @throws OffprintError `USAGE` where the port is taken, `DEMO_EDITS_INVALID` where the edits do not fit the space
 */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const answer = await answerDemo(options);
  let requests = 0;
  let unanswered = 0;
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/f/")) requests += 1;
    unanswered += 1;
    response.on("close", () => {
      unanswered -= 1;
      if (unanswered === 0 && !server.listening) server.closeAllConnections();
    });
    void respond(request, response, answer);
  });
  await listen(server, options.port ?? 0, options.host ?? "127.0.0.1");
  const { address, family, port } = server.address() as AddressInfo;
  const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
  return {
    url,
    assetHosts: { [space.assetHost]: url },
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if (unanswered === 0) server.closeAllConnections();
      }),
  };
}

/** What is served of a space that was edited in some way: it is the same every time, and takes longer to make than to read. */
interface ServedSpace {
  reader: Reader;
  /** By path. */
  library: ReadonlyMap<string, DemoAsset>;
}

const servedBefore = new Lru<string, ServedSpace>(2);

async function servedSpace(log: EditLog): Promise<ServedSpace> {
  const key = JSON.stringify(log);
  const before = servedBefore.get(key);
  if (before !== undefined) return before;
  const { id, name, cv, languages, editions, parts, assets } = demoSpace(log);
  const snapshot = await buildSnapshot({ space: { id, name, languages: [...languages] }, cv, parts, editions });
  const reader = await openReader(snapshot.store, snapshot.manifest);
  const served = { reader, library: new Map(assets.map((asset) => [asset.path, asset])) };
  servedBefore.set(key, served);
  return served;
}

/** The demo space as a function from request to response. */
async function answerDemo(options: DemoOptions): Promise<(request: Request) => Promise<Response>> {
  const { reader, library } = await servedSpace(options.edits ?? emptyLog);
  const secrets = { ...demoSecrets, ...options.secrets };
  const tokens = { ...demoTokens, ...options.tokens };
  const replica = createReplica({
    reader: () => reader,
    tokens: { public: [tokens.public], preview: [tokens.preview] },
  });
  return async (request) =>
    answerAsset(request, library) ?? answerManagement(request, secrets, tokens) ?? replica.fetch(request);
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    const response = await answer(toRequest(incoming));
    const body = Buffer.from(await response.arrayBuffer());
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(incoming.method === "HEAD" ? undefined : body);
  } catch {
    outgoing.writeHead(500, { "content-type": "application/json" }).end('{"error":"Internal Server Error"}');
  }
}

function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return new Request(`http://${incoming.headers.host ?? "localhost"}${incoming.url ?? "/"}`, {
    method: incoming.method ?? "GET",
    headers,
  });
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const hint = "Choose another port; 0 is any free one.";
      reject(new OffprintError("USAGE", `Cannot listen on ${host}:${port}: ${cause.message}.`, { hint, cause }));
    });
    server.listen(port, host, () => resolve());
  });
}

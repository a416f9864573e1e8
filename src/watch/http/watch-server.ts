import type { IncomingMessage, ServerResponse } from "node:http";
import { closeServer, createBoundedServer, limitConnections, listen } from "../../lib/http-server/bounded-server.js";
import type { ClientTimeouts } from "../../lib/http-server/client-timeouts.js";
import { createHostCheck } from "../../lib/http-server/host-check.js";
import type { WatchEvent } from "../watch-event.js";
import { createWebhookDesk, type HookAddress, type TakenWebhook, type WebhookTarget } from "./take-webhook.js";

/** What a page that is read answers. */
export interface PageAnswer {
  status: number;
  contentType: string;
  body: string;
}

export interface WatchServerOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Those that have neither a secret nor a key take no events. */
  targets: readonly WebhookTarget[];
  /** What is read with GET, by its path: `/healthz`. */
  pages: Readonly<Record<string, () => PageAnswer>>;
  /** Told of each webhook. */
  emit(event: WatchEvent): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** How long a client may take; default: 5 s for the head, 10 s for the request, 20 s without a move. */
  timeouts?: ClientTimeouts;
}

export interface WatchServer {
  /** The origin to send requests to, without a slash at the end. */
  url: string;
  port: number;
  /** Takes no more connections, lets the answers under way end, and frees the port. */
  close(): Promise<void>;
}

const defaultTimeouts: ClientTimeouts = { headersMs: 5000, requestMs: 10_000, idleMs: 20_000 };
const maxConnections = 500;
/** Bytes of a webhook's body, at most. */
const maxBodyBytes = 64 * 1024;

/**
 * Takes webhooks at `/hooks/<space>` and `/hooks/<space>/<key>`, and answers a few pages. A webhook is answered before
 * anything is done for it.
 *
 * @throws OffprintError `USAGE` when the address cannot be listened on.
 */
export async function startWatchServer(options: WatchServerOptions): Promise<WatchServer> {
  const { host, port, targets, pages, emit, now, timeouts = defaultTimeouts } = options;
  const desk = createWebhookDesk(targets);
  const isOwnHost = createHostCheck(host);

  const began = ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    connections.began(socket);
    outgoing.on("close", () => connections.ended(socket));
  };
  const answerWebhook = (outgoing: ServerResponse, taken: TakenWebhook) => {
    send(outgoing, json(taken.status, answerTo(taken)));
    const { space, result, event } = taken;
    emit({ kind: "webhook", space, atMs: now(), result, ...(event && { event: event.name }) });
  };
  const takeWebhook = async (incoming: IncomingMessage, outgoing: ServerResponse, address: HookAddress) => {
    const refused = desk.refuse(address, incoming.headers);
    // Node passes over the body of a request that is answered already. Meanwhile its connection may lose its place.
    if (refused !== undefined) return answerWebhook(outgoing, refused);
    connections.receiving(incoming.socket);
    const body = await readBody(incoming, maxBodyBytes);
    began(incoming, outgoing);
    if (body === undefined) {
      emit({ kind: "webhook", space: undefined, atMs: now(), result: "too-large" });
      return send(outgoing, json(413, { error: "A webhook has at most 64 KB" }), { Connection: "close" });
    }
    answerWebhook(outgoing, desk.take(address, { headers: incoming.headers, body }, now()));
  };

  const server = createBoundedServer(timeouts, (incoming, outgoing) => {
    const path = pathOf(incoming.url);
    const address = hookAddress(path);
    if (address !== undefined && incoming.method === "POST") {
      takeWebhook(incoming, outgoing, address).catch(() => outgoing.destroy());
      return;
    }
    began(incoming, outgoing);
    // A webhook proves by itself that it is right, and a server with TLS before this one may keep the name in its address.
    if (!isOwnHost(incoming.headers.host)) return send(outgoing, misdirected());
    if (address !== undefined) return refuseMethod(outgoing, "POST");
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return send(outgoing, notFound());
    if (incoming.method !== "GET" && incoming.method !== "HEAD") return refuseMethod(outgoing, "GET, HEAD");
    send(outgoing, page());
  });
  const connections = limitConnections(server, maxConnections, timeouts.headersMs);
  const bound = await listen(server, { port, host }, "Choose another one: `--listen 127.0.0.1:0` takes any free port.");
  return { ...bound, close: () => closeServer(server) };
}

function pathOf(url = ""): string {
  return url.split("?", 1)[0] ?? "";
}

function hookAddress(path: string): HookAddress | undefined {
  const [, space, key] = /^\/hooks\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  return space === undefined ? undefined : { space, key };
}

function answerTo({ status, result, space, event }: TakenWebhook): object {
  if (status === 202) return { result, space, event: event?.name };
  if (status === 404) return { error: "Not Found" };
  return { error: refusals[status] };
}

const refusals = {
  400: "The body is no JSON object",
  401: "The signature is missing, wrong or too old",
  409: "This webhook was taken before",
};

function misdirected(): PageAnswer {
  return json(421, { error: "These pages are for this machine only" });
}

function notFound(): PageAnswer {
  return json(404, { error: "Not Found" });
}

function refuseMethod(outgoing: ServerResponse, allowed: string): void {
  send(outgoing, json(405, { error: "Method Not Allowed" }), { Allow: allowed });
}

function json(status: number, value: object): PageAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

function send(
  outgoing: ServerResponse,
  { status, contentType, body }: PageAnswer,
  headers: Record<string, string> = {},
): void {
  const described = { "Content-Type": contentType, "Content-Length": String(Buffer.byteLength(body)) };
  outgoing.writeHead(status, { ...described, "Cache-Control": "no-store", ...headers });
  outgoing.end(outgoing.req.method === "HEAD" ? undefined : body);
}

/**
 * The bytes of a request's body; undefined: they are more than `most`. The server bounds how long they may take.
 * @throws when the connection is lost
 */
async function readBody(incoming: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > most) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

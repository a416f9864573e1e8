import type { IncomingMessage, ServerResponse } from "node:http";
import {
  closeServer,
  createBoundedServer,
  createHostCheck,
  limitConnections,
  listen,
} from "../../lib/http-server/bounded-server.js";
import type { ClientTimeouts } from "../../lib/http-server/client-timeouts.js";
import type { WatchEvent } from "../watch-event.js";
import { createWebhookDesk, type HookAddress, type TakenWebhook, type WebhookTarget } from "./take-webhook.js";

export interface PageAnswer {
  status: number;
  contentType: string;
  body: string;
}

export interface WatchServerOptions {
  host: string;
  port: number;
  /** Targets with neither secret nor key receive no events. */
  targets: readonly WebhookTarget[];
  /** GET pages by path: `/healthz`. */
  pages: Readonly<Record<string, () => PageAnswer>>;
  emit(event: WatchEvent): void;
  now(): number;
  /** Client timeouts; default: 5 s for the head, 10 s for the request, 20 s without progress. */
  timeouts?: ClientTimeouts;
}

const defaultTimeouts: ClientTimeouts = { headersMs: 5000, requestMs: 10_000, idleMs: 20_000 };
const maxConnections = 500;
const maxBodyBytes = 64 * 1024;

/** Answers a webhook before it acts on it. @throws OffprintError `USAGE` if it cannot listen */
export async function startWatchServer(options: WatchServerOptions) {
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
    // Node discards the body after we answer; until then the connection may be dropped.
    if (refused !== undefined) return answerWebhook(outgoing, refused);
    connections.receiving(incoming.socket);
    const body = await readBody(incoming, maxBodyBytes);
    began(incoming, outgoing);
    if (body === undefined) {
      emit({ kind: "webhook", space: undefined, atMs: now(), result: "too-large" });
      return send(outgoing, json(413, { error: "A webhook body may have at most 64 KB" }), { Connection: "close" });
    }
    answerWebhook(outgoing, desk.take(address, { headers: incoming.headers, body }, now()));
  };

  const server = createBoundedServer(timeouts, (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?", 1);
    const address = hookAddress(path);
    if (address !== undefined && incoming.method === "POST") {
      takeWebhook(incoming, outgoing, address).catch(() => outgoing.destroy());
      return;
    }
    began(incoming, outgoing);
    // A webhook carries its own proof, and a TLS proxy may keep the public host name.
    if (!isOwnHost(incoming.headers.host)) {
      return send(outgoing, json(421, { error: "These pages are only available on this machine" }));
    }
    if (address !== undefined) return refuseMethod(outgoing, "POST");
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) return send(outgoing, json(404, { error: "Not Found" }));
    if (incoming.method !== "GET" && incoming.method !== "HEAD") return refuseMethod(outgoing, "GET, HEAD");
    send(outgoing, page());
  });
  const connections = limitConnections(server, maxConnections, timeouts.headersMs);
  const bound = await listen(server, { port, host }, "Choose another one: `--listen 127.0.0.1:0` takes any free port.");
  return {
    ...bound,
    /** Receives events for these targets from now on. */
    follow: desk.follow,
    close: () => closeServer(server),
  };
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
  400: "The body is not a JSON object",
  401: "The signature is missing, wrong or too old",
  409: "This webhook was already accepted",
};

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

/** Undefined if the body exceeds `most` bytes. @throws if the connection is lost */
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

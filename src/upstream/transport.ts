import { createRequire } from "node:module";
import { isIP } from "node:net";
import { setFlagsFromString } from "node:v8";
import type { Agent, Dispatcher } from "undici";
import { OffprintError } from "../errors.js";
import { isLoopbackHost } from "../loopback.js";
import { type Deadline, startDeadline } from "./deadline.js";
import { endBySignal } from "./end-by-signal.js";
import { exchangeError } from "./exchange-error.js";
import { isPublicAddress, notPublicError, publicLookup } from "./public-address.js";
import { readBody } from "./read-body.js";
import { shownUrl } from "./shown-url.js";

/** How {@link createTransport} connects. */
export interface TransportOptions {
  /** Connections to one origin; default 8. */
  connections?: number;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read (either case); default: the process environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds to look up the name and connect; default 10 000. */
  connectTimeoutMs?: number;
}

/** What one request needs. */
export interface TransportRequest {
  /** Sent as they are, beside `accept-encoding` and `user-agent`; names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Delivery token: added to the sent query here, so that no URL that is logged or thrown ever holds it. */
  token?: string;
  signal?: AbortSignal;
  /** Milliseconds for the whole request, connecting included. */
  timeoutMs: number;
  /** Milliseconds without any byte. */
  idleMs: number;
  /** Largest body in bytes, as sent and as decoded. */
  maxBytes: number;
  /**
   * Connects to public addresses only: every address that the name has is checked, and the checked one is connected to.
   * Through a proxy the proxy looks the name up; then only the name itself and IP literals are checked here.
   */
  publicOnly?: boolean;
  /** Origins (`http://127.0.0.1:4400`) that `publicOnly` lets pass. */
  allowOrigins?: readonly string[];
}

/** What every answer has. */
export interface TransportHead {
  status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  headers: Record<string, string>;
  /** The server's own clock (`Date`) in milliseconds since the epoch; null when absent or malformed. */
  dateMs: number | null;
  /** Bytes of the body as they came over the wire. */
  wireBytes: number;
}

/** An answer with its whole body, decoded and checked against Content-Length and the cap. */
export interface TransportResponse extends TransportHead {
  body: Uint8Array;
}

/** A request whose body is handed on piece by piece. */
export interface TransportDownload extends Omit<TransportRequest, "token"> {
  /**
   * Receives the decoded body of a 200 answer, and of a 206 answer where `range` was sent; awaited. What came before an
   * error is a part of it.
   */
  onChunk: (chunk: Uint8Array) => void | Promise<void>;
  /** Called before the first piece of such an answer; may throw to refuse it. */
  onHead?: (head: Omit<TransportHead, "wireBytes">) => void;
}

/** HTTP GET over one pool of connections. Follows no redirect, retries nothing, and knows nothing of the interface. */
export interface Transport {
  /** One GET with its whole body, whatever the status. */
  request(url: URL, request: TransportRequest): Promise<TransportResponse>;
  /** One GET for an asset: no token and no credentials are ever sent, and only the asset's own bytes are handed on. */
  download(url: URL, download: TransportDownload): Promise<TransportHead>;
  /** Ends everything that is under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens sockets to upstreams: the only place of this program that does. Loopback hosts are never reached through a proxy.
 *
 * Both methods throw `UpstreamError`: UPSTREAM_UNREACHABLE (network), UPSTREAM_TIMEOUT (a deadline), UPSTREAM_BAD_ANSWER
 * (truncated, oversized, not HTTP), ASSET_NOT_ALLOWED (`publicOnly`); or the reason of the signal.
 *
 * @throws OffprintError CONFIG_INVALID when a proxy variable holds no URL
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const proxies = proxySettings(options.env ?? process.env);
  const dispatchers = new Map<string, Promise<Dispatcher>>();

  function dispatcherFor(url: URL, checked: boolean): Promise<Dispatcher> {
    const proxied = proxies !== undefined && !isLoopbackHost(url.hostname);
    const key = `${proxied} ${checked}`;
    let dispatcher = dispatchers.get(key);
    if (dispatcher === undefined) {
      dispatcher = openDispatcher(options, proxied ? proxies : undefined, checked);
      dispatchers.set(key, dispatcher);
    }
    return dispatcher;
  }

  async function exchange(url: URL, request: TransportRequest, receive: Receive): Promise<TransportHead> {
    const shown = shownUrl(url);
    const deadline = startDeadline(shown, request.timeoutMs, request.idleMs, request.signal);
    const progress: Progress = { status: null };
    try {
      deadline.signal.throwIfAborted();
      const checked = request.publicOnly === true && !(request.allowOrigins ?? []).includes(url.origin);
      if (checked) requirePublic(url, proxies !== undefined);
      const dispatcher = await dispatcherFor(url, checked);
      // undici only notices a signal after it has connected.
      const running = run(dispatcher, url, shown, request, deadline, progress, receive);
      return await endBySignal(running, deadline.signal);
    } catch (error) {
      if (progress.thrown !== undefined) throw progress.thrown.error;
      throw exchangeError(error, { shownUrl: shown, status: progress.status, signal: deadline.signal });
    } finally {
      deadline.stop();
    }
  }

  return {
    async request(url, request) {
      const chunks: Uint8Array[] = [];
      const head = await exchange(url, request, () => (chunk) => void chunks.push(chunk));
      return { ...head, body: Buffer.concat(chunks) };
    },
    download(url, { onChunk, onHead, ...request }) {
      const headers = withoutCredentials(request.headers ?? {});
      return exchange(url, { ...request, headers: { "accept-encoding": "identity", ...headers } }, (head) => {
        const isPart = head.status === 206 && Object.hasOwn(headers, "range");
        if (head.status !== 200 && !isPart) return undefined;
        onHead?.(head);
        return onChunk;
      });
    },
    async close() {
      const open = await Promise.all(dispatchers.values());
      dispatchers.clear();
      await Promise.all(open.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** Decides by the head who receives the body; undefined: it is read and dropped. */
type Receive = (head: Omit<TransportHead, "wireBytes">) => ((chunk: Uint8Array) => void | Promise<void>) | undefined;

/** What has happened so far: an error before the status is a network fault, one after it a truncated answer. */
interface Progress {
  status: number | null;
  /** What the receiver of the body threw (a full disk, a refused type): not for us to explain. */
  thrown?: { error: unknown };
}

async function run(
  dispatcher: Dispatcher,
  url: URL,
  shown: string,
  request: TransportRequest,
  deadline: Deadline,
  progress: Progress,
  receive: Receive,
): Promise<TransportHead> {
  const answer = await dispatcher.request({
    origin: url.origin,
    path: sentPath(url, request.token),
    method: "GET",
    headers: { "accept-encoding": "gzip, br", "user-agent": "offprint", ...request.headers },
    signal: deadline.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  deadline.touch();
  progress.status = answer.statusCode;
  const headers = flatHeaders(answer.headers);
  const head = { status: answer.statusCode, headers, dateMs: dateOf(headers.date) };
  try {
    const onChunk = (await heard(progress, () => receive(head))) ?? drop;
    const wireBytes = await readBody(answer.body, {
      shownUrl: shown,
      status: head.status,
      headers,
      maxBytes: request.maxBytes,
      onChunk: (chunk) => heard(progress, () => onChunk(chunk)),
      onArrival: deadline.touch,
      signal: deadline.signal,
    });
    return { ...head, wireBytes };
  } finally {
    answer.body.on("error", drop).destroy();
  }
}

/** Calls the receiver and notes what it throws. */
async function heard<T>(progress: Progress, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    progress.thrown = { error };
    throw error;
  }
}

function drop(): void {}

function sentPath(url: URL, token: string | undefined): string {
  const path = `${url.pathname}${url.search}`;
  if (token === undefined) return path;
  return `${path}${url.search === "" ? "?" : "&"}token=${encodeURIComponent(token)}`;
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

function dateOf(text: string | undefined): number | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

const credentials = new Set(["authorization", "proxy-authorization", "cookie"]);

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name.toLowerCase())));
}

/** Sockets skip the lookup for IP literals, so these are checked here; URL parsing has made every form canonical. */
function requirePublic(url: URL, proxied: boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const web = (url.protocol === "https:" || url.protocol === "http:") && url.port === "" && url.username === "";
  const literal = isIP(host) !== 0;
  const allowed = literal ? isPublicAddress(host) : !isLoopbackHost(host) && (!proxied || host.includes("."));
  if (!web || !allowed) throw notPublicError(url.host);
}

interface ProxySettings {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

function proxySettings(env: Readonly<Record<string, string | undefined>>): ProxySettings | undefined {
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || "";
  const httpProxy = proxyUrl("HTTP_PROXY", read("HTTP_PROXY"));
  const httpsProxy = proxyUrl("HTTPS_PROXY", read("HTTPS_PROXY"));
  if (httpProxy === "" && httpsProxy === "") return undefined;
  return { httpProxy, httpsProxy, noProxy: read("NO_PROXY") };
}

function proxyUrl(name: string, value: string): string {
  if (value === "") return "";
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url)) return url;
  throw new OffprintError("CONFIG_INVALID", `${name} holds no URL.`, {
    hint: "Set it to http://host:port, or unset it.",
  });
}

/** undici is the heaviest import of this program, so it is loaded with the first request. */
async function openDispatcher(
  options: TransportOptions,
  proxies: ProxySettings | undefined,
  checked: boolean,
): Promise<Dispatcher> {
  // undici's parser is WebAssembly. Optimizing it takes V8 longer than most syncs run, and holds up the end of the process.
  setFlagsFromString("--liftoff-only");
  const timeout = options.connectTimeoutMs ?? 10_000;
  const agent: Agent.Options = {
    connections: options.connections ?? 8,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    connect: checked ? { timeout, lookup: publicLookup } : { timeout },
  };
  if (proxies === undefined) return new (await loadAgent())(agent);
  const { EnvHttpProxyAgent } = await import("undici");
  return new EnvHttpProxyAgent({ ...agent, ...proxies });
}

/**
 * undici's agent without the rest (fetch, WebSocket, caches, cookies), which would take as long to load as a request takes.
 * Where a version of undici has its files elsewhere, all of it is loaded.
 */
async function loadAgent(): Promise<typeof Agent> {
  const require = createRequire(import.meta.url);
  try {
    const LeanAgent: typeof Agent = require("undici/lib/dispatcher/agent.js");
    const request: Dispatcher["request"] = require("undici/lib/api/api-request.js");
    LeanAgent.prototype.request ??= request;
    return LeanAgent;
  } catch {
    return (await import("undici")).Agent;
  }
}

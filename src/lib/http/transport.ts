import { isIP } from "node:net";
import { isLoopbackHost } from "../loopback.js";
import { collectBody } from "./collect-body.js";
import {
  type AnswerHead,
  type ExchangeRequest,
  exchange,
  type ReceiveBody,
  type ReceiveChunk,
  type TransportHead,
} from "./exchange.js";
import type { AgentOptions, HttpAgent, OpenAgent } from "./http-agent.js";
import { ignoredProxy, type ProxySettings, proxySettings } from "./proxy-settings.js";
import { isPublicAddress, notPublicCode, notPublicError, publicLookup } from "./public-address.js";
import { isUpstreamError, UpstreamError } from "./upstream-error.js";

export interface TransportOptions {
  /** Connections to one origin; default 8. */
  connections?: number;
  /** Source of the proxy variables (either case); default: the process environment. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds to look up the name and connect; default 10 000. */
  connectTimeoutMs?: number;
  /** Opens direct connections (no proxy); default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
}

export interface TransportRequest extends ExchangeRequest {
  /** Connects to public addresses only. A proxy looks names up itself: then checks only the name and IP literals. */
  publicOnly?: boolean;
  /** Whether the body will be parsed as JSON; default: true. */
  isParsed?: boolean;
}

/** An answer with its whole body, decoded and checked against Content-Length and the cap. */
export interface TransportResponse extends TransportHead {
  readonly pieces: readonly Uint8Array[];
  /** The pieces joined, on first use. */
  readonly body: Uint8Array;
}

export interface TransportDownload extends Omit<TransportRequest, "token" | "method" | "body"> {
  /** The decoded body of a 200, or of a 206 for `range`; awaited. A failed download has delivered its beginning. */
  onChunk: ReceiveChunk;
  /** Called before the first piece of such an answer; may throw to refuse it. */
  onHead?: (head: AnswerHead) => void;
}

/** HTTP over one connection pool. No redirects, no retries, no knowledge of any interface. */
export interface Transport {
  request(url: URL, request: TransportRequest): Promise<TransportResponse>;
  /** A GET for an asset: sends no token and no credentials; passes on only the asset's bytes. */
  download(url: URL, download: TransportDownload): Promise<TransportHead>;
  /** Aborts all requests and closes the connections. */
  close(): Promise<void>;
}

/**
 * The only place that opens sockets to upstreams and stores. Never uses a proxy for loopback hosts.
 * Throws `UpstreamError`: UPSTREAM_UNREACHABLE (network), UPSTREAM_TIMEOUT (a deadline),
 * UPSTREAM_BAD_ANSWER (truncated, too large, not HTTP), ASSET_NOT_ALLOWED (`publicOnly`).
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const env = options.env ?? process.env;
  const proxies = proxySettings(env);
  const ignored = ignoredProxy(env);
  const agents = new Map<string, Promise<HttpAgent>>();

  function agentFor(url: URL, checked: boolean): Promise<HttpAgent> {
    const proxied = proxies !== undefined && !isLoopbackHost(url.hostname);
    const key = `${proxied} ${checked}`;
    const agent = agents.get(key) ?? openAgent(options, checked, proxied ? proxies : undefined);
    agents.set(key, agent);
    return agent;
  }

  function get(url: URL, request: TransportRequest, receive: ReceiveBody): Promise<TransportHead> {
    const connect = async () => {
      const checked = request.publicOnly === true;
      if (checked) requirePublic(url, proxies !== undefined);
      return agentFor(url, checked);
    };
    const answer = exchange(connect, url, request, receive);
    return ignored === undefined ? answer : answer.catch((error) => Promise.reject(proxyAdvice(error, ignored)));
  }

  return {
    async request(url, request) {
      const collected = collectBody(url, request.isParsed);
      const head = await get(url, request, collected.receive);
      return {
        ...head,
        pieces: collected.pieces,
        get body() {
          return collected.bytes();
        },
      };
    },
    download(url, { onChunk, onHead, ...request }) {
      const given = Object.entries(request.headers ?? {});
      const headers = Object.fromEntries(given.filter(([name]) => !credentials.has(name.toLowerCase())));
      return get(url, { ...request, headers: { "accept-encoding": "identity", ...headers } }, (head) => {
        const isPart = head.status === 206 && Object.hasOwn(headers, "range");
        if (head.status !== 200 && !isPart) return undefined;
        onHead?.(head);
        return onChunk;
      });
    },
    async close() {
      const open = await Promise.all(agents.values());
      agents.clear();
      await Promise.all(open.map((agent) => agent.destroy()));
    },
  };
}

/** Loaded with the first request: undici takes longer to load than anything else here. */
async function openAgent(
  { connections = 8, connectTimeoutMs: timeout = 10_000, openAgent: open }: TransportOptions,
  checked: boolean,
  proxies: ProxySettings | undefined,
): Promise<HttpAgent> {
  const connect = checked ? { timeout, lookup: publicLookup } : { timeout };
  const options: AgentOptions = { connections, pipelining: 1, keepAliveTimeout: 10_000, connect };
  const given = proxies === undefined ? await open?.(options) : undefined;
  if (given !== undefined) return given;
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  return proxies === undefined ? new Agent(options) : new EnvHttpProxyAgent({ ...options, ...proxies });
}

const credentials = new Set(["authorization", "proxy-authorization", "cookie"]);

/** Sockets do not look IP literals up. URL parsing has normalized every form. */
function requirePublic(url: URL, proxied: boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const web = (url.protocol === "https:" || url.protocol === "http:") && url.username === "";
  const literal = isIP(host) !== 0;
  const allowed = literal ? isPublicAddress(host) : !isLoopbackHost(host) && (!proxied || host.includes("."));
  if (!web || !allowed) throw notPublicError(url.host);
  if (url.port !== "")
    throw Object.assign(new Error(`${url.host} is not at the default port`), { code: notPublicCode });
}

/** Adds to a network error which proxy variable was not read. */
function proxyAdvice(error: unknown, ignored: string): unknown {
  if (!isUpstreamError(error) || error.code !== "UPSTREAM_UNREACHABLE") return error;
  const { code, message, status, retriable, cause } = error;
  const hint = `${ignored} is set, but Offprint ignores it. Behind a proxy, set HTTPS_PROXY to the address of an HTTP proxy.`;
  return new UpstreamError(code, message, { status, retriable, hint, cause });
}

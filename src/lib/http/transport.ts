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
import { isPublicAddress, notPublicError, publicLookup } from "./public-address.js";
import { isUpstreamError, UpstreamError } from "./upstream-error.js";

/** How {@link createTransport} connects. */
export interface TransportOptions {
  /** Connections to one origin; default 8. */
  connections?: number;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read (either case); default: the process environment. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds to look up the name and connect; default 10 000. */
  connectTimeoutMs?: number;
  /** Opens the connections that go through no proxy; default: undici's `Agent`. */
  openAgent?: OpenAgent | undefined;
}

/** What one request needs. */
export interface TransportRequest extends ExchangeRequest {
  /**
   * Connects to public addresses only: every address that the name has is checked, and the checked one is connected to.
   * Through a proxy the proxy looks the name up; then only the name itself and IP literals are checked here.
   */
  publicOnly?: boolean;
  /** Whether the body will be parsed as JSON; default: true. */
  isParsed?: boolean;
}

/** An answer with its whole body, decoded and checked against Content-Length and the cap. */
export interface TransportResponse extends TransportHead {
  /** The body in the pieces that it came in. */
  readonly pieces: readonly Uint8Array[];
  /** The same in one piece, which is made when it is asked for first. */
  readonly body: Uint8Array;
}

/** A request whose body is handed on piece by piece. */
export interface TransportDownload extends Omit<TransportRequest, "token" | "method" | "body"> {
  /**
   * Receives the decoded body of a 200 answer, and of a 206 answer where `range` was sent; awaited. When the
   * download fails, it has received the beginning.
   */
  onChunk: ReceiveChunk;
  /** Called before the first piece of such an answer; may throw to refuse it. */
  onHead?: (head: AnswerHead) => void;
}

/** HTTP over one pool of connections. Follows no redirect, retries nothing, and knows nothing of any interface. */
export interface Transport {
  /** One request, and its answer with the whole body, whatever the status. */
  request(url: URL, request: TransportRequest): Promise<TransportResponse>;
  /** One GET for an asset: no token and no credentials are ever sent, and only the asset's own bytes are handed on. */
  download(url: URL, download: TransportDownload): Promise<TransportHead>;
  /** Ends everything that is under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens sockets to upstreams and stores; nothing else in this program does. Loopback hosts are never reached through a proxy.
 *
 * Both methods throw `UpstreamError`: UPSTREAM_UNREACHABLE (network), UPSTREAM_TIMEOUT (a deadline),
 * UPSTREAM_BAD_ANSWER (truncated, oversized, not HTTP), ASSET_NOT_ALLOWED (`publicOnly`); or the reason of the
 * signal.
 *
 * @throws OffprintError CONFIG_INVALID when a proxy variable holds no URL
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
      const headers = withoutCredentials(request.headers ?? {});
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

/** undici takes longer to load than anything else here, so that waits for the first request. */
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

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.has(name.toLowerCase())));
}

/** Sockets do not look IP literals up, so these are checked here; URL parsing has made every form canonical. */
function requirePublic(url: URL, proxied: boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const web = (url.protocol === "https:" || url.protocol === "http:") && url.port === "" && url.username === "";
  const literal = isIP(host) !== 0;
  const allowed = literal ? isPublicAddress(host) : !isLoopbackHost(host) && (!proxied || host.includes("."));
  if (!web || !allowed) throw notPublicError(url.host);
}

/** An error of the network that says, too, which variable of a proxy was not read. */
function proxyAdvice(error: unknown, ignored: string): unknown {
  if (!isUpstreamError(error) || error.code !== "UPSTREAM_UNREACHABLE") return error;
  const { code, message, status, retriable, cause } = error;
  const hint = `${ignored} is set, and not read: behind a proxy, set HTTPS_PROXY to the address of an HTTP proxy.`;
  return new UpstreamError(code, message, { status, retriable, hint, cause });
}

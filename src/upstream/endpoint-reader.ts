import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Endpoint, QueryOf } from "../contract/endpoint.js";
import { encodeRequest } from "../contract/request.js";
import { type ErrorCode, isOffprintError } from "../errors.js";
import { isLoopbackHost } from "../loopback.js";
import type { Answer } from "./answer.js";
import { cacheText } from "./cache-text.js";
import type { EndpointAccess } from "./endpoint-access.js";
import { createRateBudget } from "./rate-budget.js";
import { loadRateTiers, type RequestKind } from "./rate-tiers.js";
import { type ParseBody, readAnswer } from "./read-answer.js";
import { type Attempt, createRequestQueue, type RequestCounts } from "./request-queue.js";
import { paceFile } from "./shared-pace.js";
import { shownUrl } from "./shown-url.js";
import { createTransport } from "./transport.js";
import type { UpstreamOptions } from "./upstream.js";

/** One HTTP request that was sent. */
export interface RequestEvent {
  /** Name of the endpoint in the contract. */
  endpoint: string;
  /** The address without any secret. */
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** HTTP status; null when there was no answer. */
  status: number | null;
  durationMs: number;
  /** Bytes of the body as they came over the wire. */
  bytes: number;
  /** What a cache on the way tells of the answer: `Hit from cloudfront, 12 s old`; undefined where it tells nothing. */
  cache?: string;
  /** Why the attempt failed; undefined when it did not. */
  error?: ErrorCode;
}

/** What a caller may say about one request. */
export interface CallOptions {
  /** Higher is sent earlier; default 0. */
  priority?: number;
  /** The caller asks for less when the answer is late or too large: such a request is not sent again as it is. */
  splits?: boolean;
}

/** One request to make. */
interface EndpointReading<E extends Endpoint, T> {
  endpoint: E;
  path?: Readonly<Record<string, string | number>>;
  query: QueryOf<E>;
  access: EndpointAccess;
  parse: ParseBody<T>;
  call: CallOptions | undefined;
  /** Whether the answer may hold secrets of the space: none of it is then shown in an error. */
  confidential?: boolean;
}

/** Sends requests to endpoints of the contract and reads their answers. */
export interface EndpointReader {
  read<E extends Endpoint, T>(reading: EndpointReading<E, T>): Promise<Answer<T>>;
  close(): Promise<void>;
}

/** Milliseconds without any byte after which a request is given up; `queue.timeoutMs` bounds it. */
const idleMs = 30_000;
/** Far above the documented limit of an answer (20 MB). */
const answerMaxBytes = 64 * 1024 * 1024;

/**
 * Puts the parts of an upstream together: queue, budget, retries and transport.
 *
 * @param base the delivery address; whether it is loopback decides about the published rate tiers
 * @param counts where requests are counted
 * @param closing ends everything
 */
export function openEndpointReader(
  options: UpstreamOptions,
  base: URL,
  counts: RequestCounts,
  closing: AbortSignal,
): EndpointReader {
  const { queue, onRequest, now = Date.now } = options;
  const signal = AbortSignal.any(options.signal === undefined ? [closing] : [closing, options.signal]);
  // Every waiting request listens to it.
  setMaxListeners(0, signal);
  const transport = createTransport({
    connections: queue.concurrency,
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  const sleep = options.sleep ?? sleepUntilAborted;
  const requests = createRequestQueue({
    concurrency: queue.concurrency,
    draftsAtOnce: loadRateTiers().draftsAtOnce,
    retries: queue.retries,
    ...(queue.maxRequests === undefined ? {} : { maxRequests: queue.maxRequests }),
    budget: createRateBudget({
      rateLimit: queue.rateLimit,
      loopback: isLoopbackHost(base.hostname),
      file: paceFile(options.token, options.env ?? process.env),
      ...(options.onWarning === undefined ? {} : { warn: options.onWarning }),
      now,
      sleep: (ms) => sleep(ms, signal),
    }),
    counts,
    sleep,
    random: options.random ?? Math.random,
    now,
    signal,
    ...(options.onWarning === undefined ? {} : { warn: options.onWarning }),
    ...(options.onWait === undefined ? {} : { onWait: options.onWait }),
  });
  const limits = { timeoutMs: queue.timeoutMs, idleMs: Math.min(idleMs, queue.timeoutMs), maxBytes: answerMaxBytes };

  async function sendOnce<E extends Endpoint, T>(
    reading: EndpointReading<E, T>,
    url: URL,
    attempt: Attempt,
  ): Promise<Answer<T>> {
    const { endpoint, access } = reading;
    const asked = {
      url,
      shownUrl: shownUrl(url),
      confidential: reading.confidential === true,
      moves: endpoint.group === "delivery",
    };
    const event: RequestEvent = {
      endpoint: endpoint.name,
      url: asked.shownUrl,
      attempt: attempt.number,
      status: null,
      durationMs: 0,
      bytes: 0,
    };
    const startedMs = performance.now();
    try {
      const response = await transport.request(url, {
        ...limits,
        headers: { accept: "application/json", ...access.headers },
        ...(access.token === undefined ? {} : { token: access.token }),
        signal,
      });
      event.status = response.status;
      event.bytes = response.wireBytes;
      counts.bytes += response.wireBytes;
      const cache = cacheText(response.headers);
      if (cache !== undefined) event.cache = cache;
      if (isFromEdge(response.headers)) attempt.servedByEdge();
      return readAnswer(response, asked, reading.parse, now());
    } catch (error) {
      event.error = isOffprintError(error) ? error.code : "UNEXPECTED";
      throw error;
    } finally {
      event.durationMs = performance.now() - startedMs;
      onRequest?.(event);
    }
  }

  return {
    async read(reading) {
      const { endpoint, query } = reading;
      const path = reading.path ?? {};
      const { pathname, search } = encodeRequest(endpoint, { path, query });
      const { base } = reading.access;
      const url = new URL(`${base.pathname.replace(/\/+$/, "")}${pathname}${search}`, base);
      const kind = kindOf(endpoint, query);
      const { priority = 0, splits = false } = reading.call ?? {};
      return requests.send(kind, priority, (attempt) => sendOnce(reading, url, attempt), { splits });
    },
    close: () => transport.close(),
  };
}

async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function kindOf({ group }: Endpoint, query: object): RequestKind {
  const kind: RequestKind = { group };
  if ("per_page" in query && typeof query.per_page === "number") kind.perPage = query.per_page;
  if ("version" in query && query.version === "draft") kind.draft = true;
  return kind;
}

/**
 * Whether the edge answered by itself. (`RefreshHit` asked the origin; the headers of the rate limit tell of requests at
 * once, for drafts alone, and are not read.)
 */
function isFromEdge(headers: Readonly<Record<string, string>>): boolean {
  return /^hit\b/i.test(headers["x-cache"] ?? "");
}

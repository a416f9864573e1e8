import { setMaxListeners } from "node:events";
import type { Config } from "../../config/config.js";
import type { Endpoint, QueryOf } from "../../contract/endpoint.js";
import { encodeRequest } from "../../contract/request.js";
import type { UnknownKey } from "../../contract/unknown-key.js";
import { costLimits } from "../../lib/cost-limits.js";
import { type ErrorCode, isOffprintError } from "../../lib/errors.js";
import { sleepUntilAborted } from "../../lib/http/deadline.js";
import type { Transport, TransportRequest, TransportResponse } from "../../lib/http/transport.js";
import { shownUrl } from "../../lib/http/upstream-error.js";
import type { Answer } from "./answer.js";
import { type Connections, type ConnectionsOptions, openConnections } from "./connections.js";
import type { EndpointAccess } from "./endpoint-access.js";
import { loadRateTiers, type RequestKind } from "./rate-tiers.js";
import { type AskedFor, type BodyMemory, type ParseBody, readAnswer } from "./read-answer.js";
import { mostUnknownKeys } from "./record-faults.js";
import { cacheText, type RequestEvent } from "./request-event.js";
import { type Attempt, type RequestCounts, RequestQueue } from "./request-queue.js";

export interface EndpointReaderOptions extends Omit<ConnectionsOptions, "queue" | "pace"> {
  queue: Config["queue"];
  /** Shared connections, which their opener closes; default: own connections. */
  connections?: Connections | undefined;
  /** 0 ≤ n < 1, for the jitter of retries. */
  random?: (() => number) | undefined;
  /** Aborts all requests; the calls reject with its reason. */
  signal?: AbortSignal | undefined;
  /** Called with the reason before the wait for a retry, and after one for the rate limit. */
  onWait?: (ms: number, reason: string) => void;
  onRequest?: (event: RequestEvent) => void;
}

export interface CallOptions {
  /** Higher is sent earlier; default 0. */
  priority?: number;
  /** The caller splits the request if it is late or too large, so the same one is not retried. */
  splits?: boolean;
  /** Accepts a page with malformed records, without those; otherwise it is refused. */
  lenient?: boolean;
}

export interface EndpointReading<E extends Endpoint, T> {
  endpoint: E;
  path?: Readonly<Record<string, string | number>>;
  query: QueryOf<E>;
  access: EndpointAccess;
  parse: ParseBody<T>;
  memory?: BodyMemory<T> | undefined;
  call?: CallOptions | undefined;
  /** The answer may contain secrets of the space, so errors show none of it. */
  confidential?: boolean;
}

/** Sends requests to endpoints of the contract and reads their answers. */
export interface EndpointReader {
  read<E extends Endpoint, T>(reading: EndpointReading<E, T>): Promise<Answer<T>>;
  /** The requests sent so far; the object changes while requests are sent. */
  readonly counts: Readonly<RequestCounts>;
  /** What answers had so far that the API does not describe, by type and key; grows like the counts. */
  readonly unknown: ReadonlyMap<string, UnknownKey>;
  close(): Promise<void>;
}

/** Milliseconds without any byte that end a request, unless `queue.timeoutMs` is less. */
const idleMs = 30_000;

/** Combines queue, rate budget, retries and transport. Nothing is sent before the first reading. */
export function openEndpointReader(options: EndpointReaderOptions): EndpointReader {
  const { queue, onRequest, now = Date.now, sleep = sleepUntilAborted } = options;
  const { signal, end } = endsWith(options.signal);
  const { connections = openConnections({ ...options, now }) } = options;
  const counts: RequestCounts = { total: 0, retried: 0, rateLimited: 0, fromEdge: 0, bytes: 0 };
  const unknown = new Map<string, UnknownKey>();
  const requests = new RequestQueue({
    ...queue,
    draftsAtOnce: loadRateTiers().draftsAtOnce,
    budget: connections.budget,
    counts,
    sleep,
    random: options.random ?? Math.random,
    now,
    signal,
    warn: options.onWarning,
    onWait: options.onWait,
  });
  const limits = {
    timeoutMs: queue.timeoutMs,
    idleMs: Math.min(idleMs, queue.timeoutMs),
    maxBytes: costLimits.answerBytes,
    signal,
  };
  const sending: Sending = { transport: connections.transport, limits, counts, now, onRequest };
  return {
    async read(reading) {
      const { endpoint, query, path = {} } = reading;
      const { pathname, search } = encodeRequest(endpoint, { path, query });
      const { base } = reading.access;
      const url = new URL(`${base.pathname.replace(/\/+$/, "")}${pathname}${search}`, base);
      const { priority = 0, splits } = reading.call ?? {};
      const answer = await requests.send(
        kindOf(endpoint, query),
        priority,
        (attempt) => sendOnce(sending, reading, url, attempt),
        splits,
      );
      if (answer.kind === "served") for (const one of answer.unknown ?? []) noteUnknown(unknown, one);
      return answer;
    },
    counts,
    unknown,
    async close() {
      end();
      if (options.connections === undefined) await connections.close();
    },
  };
}

function noteUnknown(found: Map<string, UnknownKey>, one: UnknownKey): void {
  const name = `${one.kind} ${one.key}`;
  if (found.size < mostUnknownKeys && !found.has(name)) found.set(name, one);
}

interface Sending {
  transport: Transport;
  limits: Pick<TransportRequest, "timeoutMs" | "idleMs" | "maxBytes" | "signal">;
  counts: RequestCounts;
  now: () => number;
  onRequest: EndpointReaderOptions["onRequest"];
}

async function sendOnce<E extends Endpoint, T>(
  { transport, limits, counts, now, onRequest }: Sending,
  reading: EndpointReading<E, T>,
  url: URL,
  attempt: Attempt,
): Promise<Answer<T>> {
  const { endpoint, access, confidential = false } = reading;
  const asked: AskedFor = { url, confidential, moves: endpoint.group === "delivery" };
  const startedMs = performance.now();
  let response: TransportResponse | undefined;
  let failure: ErrorCode | undefined;
  /** Time spent on disk access, which is not the request's. */
  let waitedMs = 0;
  try {
    const headers = { accept: "application/json", ...access.headers };
    response = await transport.request(url, { ...limits, headers, token: access.token });
    counts.bytes += response.wireBytes;
    if (isFromEdge(response.headers)) attempt.servedByEdge();
    const answeredMs = performance.now();
    await reading.memory?.ready;
    waitedMs = performance.now() - answeredMs;
    return readAnswer(response, asked, reading.parse, now(), reading.memory);
  } catch (error) {
    failure = isOffprintError(error) ? error.code : "UNEXPECTED";
    throw error;
  } finally {
    onRequest?.({
      endpoint: endpoint.name,
      get url() {
        return shownUrl(url);
      },
      attempt: attempt.number,
      status: response?.status ?? null,
      durationMs: performance.now() - startedMs - waitedMs,
      bytes: response?.wireBytes ?? 0,
      cache: cacheText(response?.headers ?? {}),
      ...(failure !== undefined && { error: failure }),
    });
  }
}

/** `end` also detaches it: the other may outlive many readers, and `AbortSignal.any` would leak memory for each. */
function endsWith(outer: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const { signal } = controller;
  // Every waiting request listens to it, and a reader for each of many spaces to the other one.
  setMaxListeners(0, signal, ...(outer === undefined ? [] : [outer]));
  const follow = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) follow();
  else outer?.addEventListener("abort", follow, { once: true });
  const end = (): void => {
    outer?.removeEventListener("abort", follow);
    controller.abort();
  };
  return { signal, end };
}

function kindOf({ group }: Endpoint, query: object): RequestKind {
  const kind: RequestKind = { group };
  if ("per_page" in query && typeof query.per_page === "number") kind.perPage = query.per_page;
  if ("version" in query && query.version === "draft") kind.draft = true;
  return kind;
}

/** Not on a `RefreshHit`. `X-RateLimit` is not read: it counts the requests in flight, and only for drafts. */
function isFromEdge(headers: Readonly<Record<string, string>>): boolean {
  return /^hit\b/i.test(headers["x-cache"] ?? "");
}

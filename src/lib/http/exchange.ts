import { type Deadline, endBySignal, startDeadline } from "./deadline.js";
import { exchangeError } from "./exchange-error.js";
import type { HttpAgent, HttpAnswer, HttpMethod, RequestBody } from "./http-agent.js";
import { readBody } from "./read-response-body.js";

export interface ExchangeRequest {
  /** Default: GET. */
  method?: HttpMethod;
  body?: RequestBody;
  /** Sent unchanged, in addition to `accept-encoding` and `user-agent`; names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Delivery token. Added to the query only when sent, so no logged or thrown URL contains it. */
  token?: string | undefined;
  signal?: AbortSignal;
  /** Milliseconds for the whole request, connecting included. */
  timeoutMs: number;
  /** Milliseconds without any byte. */
  idleMs: number;
  /** Largest body in bytes, as sent and as decoded. */
  maxBytes: number;
}

export interface AnswerHead {
  status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  headers: Record<string, string>;
  /** The server's own clock (`Date`), ms since the epoch; null when absent or malformed. */
  dateMs: number | null;
}

export interface TransportHead extends AnswerHead {
  /** Bytes of the body on the wire. */
  wireBytes: number;
}

/** Receives decoded pieces; awaited. */
export type ReceiveChunk = (chunk: Uint8Array) => void | Promise<void>;

/** Picks the body's receiver, or throws to refuse it. Undefined: the body is dropped. */
export type ReceiveBody = (head: AnswerHead) => ReceiveChunk | undefined;

/** @throws UpstreamError for network or answer; the reason of the signal; what the receiver throws (a full disk) */
export async function exchange(
  connect: () => Promise<HttpAgent>,
  url: URL,
  request: ExchangeRequest,
  receive: ReceiveBody,
): Promise<TransportHead> {
  const deadline = startDeadline(url, request.timeoutMs, request.idleMs, request.signal);
  const running: Exchange = { url, request, deadline };
  try {
    const answer = await send(connect, running);
    deadline.touch();
    const head = headOf(answer);
    return { ...head, wireBytes: await readAnswer(answer.body, head, running, receive) };
  } finally {
    deadline.stop();
  }
}

interface Exchange {
  url: URL;
  request: ExchangeRequest;
  deadline: Deadline;
}

/** A fault before the status is a network fault. */
async function send(
  connect: () => Promise<HttpAgent>,
  { url, request, deadline: { signal, touch } }: Exchange,
): Promise<HttpAnswer> {
  try {
    signal.throwIfAborted();
    const agent = await connect();
    const answering = agent.request({
      origin: url.origin,
      path: sentPath(url, request.token),
      method: request.method ?? "GET",
      headers: { "accept-encoding": "gzip, br", "user-agent": "offprint", ...request.headers },
      ...(request.body !== undefined && { body: sentBody(request.body, touch) as Uint8Array }),
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // undici notices a signal only after it has connected.
    return await endBySignal(answering, signal);
  } catch (error) {
    throw exchangeError(error, { url, status: null, signal });
  }
}

/** A fault of the body means a truncated answer; what the receiver throws is not its fault. */
async function readAnswer(
  body: HttpAnswer["body"],
  head: AnswerHead,
  { url, request, deadline: { signal, touch } }: Exchange,
  receive: ReceiveBody,
): Promise<number> {
  try {
    const onChunk = (await received(() => receive(head))) ?? drop;
    const reading = readBody(body, {
      url,
      status: head.status,
      headers: bodyHeaders(head, request.method),
      maxBytes: request.maxBytes,
      onChunk: (chunk) => received(() => onChunk(chunk)),
      onArrival: touch,
      signal,
    });
    return await endBySignal(reading, signal);
  } catch (error) {
    if (error instanceof ReceiverError) throw error.cause;
    throw exchangeError(error, { url, status: head.status, signal });
  } finally {
    body.on("error", drop);
    body.destroy();
  }
}

/** Each piece sent restarts the idle deadline. */
function sentBody(body: RequestBody, touch: () => void): RequestBody {
  if (body instanceof Uint8Array) return body;
  return (async function* () {
    for await (const piece of body) {
      touch();
      yield piece;
    }
    touch();
  })();
}

/** Body headers. An answer without a body may have the length of the body it stands for. */
function bodyHeaders({ status, headers }: AnswerHead, method: HttpMethod | undefined): Record<string, string> {
  return method === "HEAD" || status === 204 || status === 304 ? {} : headers;
}

class ReceiverError extends Error {}

async function received<T>(call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new ReceiverError("The receiver of a body failed", { cause });
  }
}

function drop(): void {}

function sentPath(url: URL, token: string | undefined): string {
  const path = `${url.pathname}${url.search}`;
  if (token === undefined) return path;
  return `${path}${url.search === "" ? "?" : "&"}token=${encodeURIComponent(token)}`;
}

function headOf({ statusCode, headers: sent }: HttpAnswer): AnswerHead {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(sent)) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return { status: statusCode, headers, dateMs: dateOf(headers.date) };
}

function dateOf(text: string | undefined): number | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

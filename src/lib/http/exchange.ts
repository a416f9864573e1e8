import { type Deadline, startDeadline } from "./deadline.js";
import { endBySignal } from "./end-by-signal.js";
import { exchangeError } from "./exchange-error.js";
import type { HttpAgent, HttpAnswer, HttpMethod, RequestBody } from "./http-agent.js";
import { readBody } from "./read-response-body.js";

/** What one request needs. */
export interface ExchangeRequest {
  /** Default: GET. */
  method?: HttpMethod;
  /** What PUT sends. */
  body?: RequestBody;
  /** Sent as they are, beside `accept-encoding` and `user-agent`; names in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** Delivery token: added to the sent query here, so that no URL that is logged or thrown ever holds it. */
  token?: string | undefined;
  signal?: AbortSignal;
  /** Milliseconds for the whole request, connecting included. */
  timeoutMs: number;
  /** Milliseconds without any byte. */
  idleMs: number;
  /** Largest body in bytes, as sent and as decoded. */
  maxBytes: number;
}

/** Status and headers of an answer. */
export interface AnswerHead {
  status: number;
  /** Names in lower case; repeated headers joined with a comma. */
  headers: Record<string, string>;
  /** The server's own clock (`Date`) in milliseconds since the epoch; null when absent or malformed. */
  dateMs: number | null;
}

/** The head of an answer whose body was read. */
export interface TransportHead extends AnswerHead {
  /** Bytes of the body as they came over the wire. */
  wireBytes: number;
}

/** Receives a decoded body piece by piece; awaited. */
export type ReceiveChunk = (chunk: Uint8Array) => void | Promise<void>;

/** Decides by the head who receives the body, or throws to refuse it; undefined: the body is read and dropped. */
export type ReceiveBody = (head: AnswerHead) => ReceiveChunk | undefined;

/**
 * Sends one request and hands the body of its answer on.
 *
 * @param connect gives the agent to send it over
 * @throws UpstreamError for a fault of the network or of the answer; the reason of the signal; or what `receive`
 *   and the receiver that it returns have thrown (a full disk, a refused type), unchanged
 */
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

/** One request while it is under way. */
interface Exchange {
  url: URL;
  request: ExchangeRequest;
  deadline: Deadline;
}

/** A fault before there is a status lies in the network. */
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

/** A fault of the body cuts the answer off; what the receiver throws is no fault of the answer. */
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

/** What is sent in pieces is a sign of life, too. */
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

/** Headers that describe the body which comes: an answer that has none may tell the length of the one it stands for. */
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

import { STATUS_CODES } from "node:http";
import type { ReplicaAnswer, StreamedAnswer } from "../answers/answer.js";

/** A request as the handler sees it, from HTTP or `fetch`. */
export interface HttpRequest {
  method: string;
  /** Path and query as received; begins with a slash. */
  target: string;
  /** The replica's address as the client sees it, without a trailing slash. */
  origin: string;
  /** Returns a header; `name` in lower case. */
  header(name: string): string | undefined;
}

/** A response with its body in memory; empty for 204 and 304. */
export interface WholeResponse extends ReplicaAnswer<Uint8Array> {
  /** Call it after the body is sent: its memory will be reused. */
  release?: () => void;
}

/** HEAD has the same body as GET. The sender must leave it out. */
export type HttpResponse = WholeResponse | StreamedAnswer;

export function isStreamed(response: HttpResponse | ReplicaAnswer): response is StreamedAnswer {
  return "pieces" in response.body;
}

export interface AnsweredRequest {
  method: string;
  /** Path and query as sent. They contain the token. */
  target: string;
  /** null: the connection ended before an answer. */
  status: number | null;
  /** Whether the whole answer was sent. */
  complete: boolean;
  /** From the request's head to the end of its answer. */
  durationMs: number;
}

export function errorResponse(
  status: number,
  error = STATUS_CODES[status],
  headers: Record<string, string> = {},
): WholeResponse {
  const body = Buffer.from(JSON.stringify({ error }));
  const described = { "Content-Type": "application/json; charset=utf-8", "Content-Length": String(body.byteLength) };
  return { status, headers: { ...described, ...headers }, body };
}

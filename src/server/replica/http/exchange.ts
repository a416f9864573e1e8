import { STATUS_CODES } from "node:http";
import type { ReplicaAnswer, StreamedAnswer } from "../answers/answer.js";

/** A request as the handler sees it, wherever it came from. */
export interface HttpRequest {
  method: string;
  /** Path and query as they came; begins with a slash. */
  target: string;
  /** Where the client reaches this replica, without a slash at the end. */
  origin: string;
  /** A header; `name` in lower case. */
  header(name: string): string | undefined;
}

/** A response whose body is in memory; that of a 204 and of a 304 is empty. */
export interface WholeResponse extends ReplicaAnswer<Uint8Array> {
  /** To be called when the body was sent: its memory is used for another body then. */
  release?: () => void;
}

/** The response to HEAD has the same body as that to GET. Whoever sends it leaves the body out. */
export type HttpResponse = WholeResponse | StreamedAnswer;

export function isStreamed(response: HttpResponse | ReplicaAnswer): response is StreamedAnswer {
  return "pieces" in response.body;
}

/** A request, and how it was answered. */
export interface AnsweredRequest {
  method: string;
  /** Path and query as they were sent. They hold the token. */
  target: string;
  /** null: the connection ended before there was an answer. */
  status: number | null;
  /** Whether the answer was sent to its end. */
  complete: boolean;
  /** From the request's head to the end of its answer. */
  durationMs: number;
}

/** A response with an error. */
export function errorResponse(
  status: number,
  error = STATUS_CODES[status],
  headers: Record<string, string> = {},
): WholeResponse {
  const body = Buffer.from(JSON.stringify({ error }));
  const described = { "Content-Type": "application/json; charset=utf-8", "Content-Length": String(body.byteLength) };
  return { status, headers: { ...described, ...headers }, body };
}

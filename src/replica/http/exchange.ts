import type { StreamedBody } from "../answers/answer.js";

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
export interface WholeResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** To be called when the body was sent: its memory is used for another body then. */
  release?: () => void;
}

/** A response whose body is read while it is sent. */
export interface StreamedResponse {
  status: number;
  headers: Record<string, string>;
  body: StreamedBody;
}

/** The response to HEAD has the same body as that to GET. Whoever sends it leaves the body out. */
export type HttpResponse = WholeResponse | StreamedResponse;

export function isStreamed(response: HttpResponse): response is StreamedResponse {
  return "pieces" in response.body;
}

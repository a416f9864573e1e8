import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { WholeResponse } from "./exchange.js";

/** A request with a body of more bytes is refused. Smaller bodies are ignored. */
const maxBodyBytes = 16 * 1024;

/**
 * Refuses a request for its headers alone, before its address is read; undefined where nothing is wrong with them.
 *
 * @param isOwnHost Whether a `Host` header may be answered.
 */
export function refusalOf(
  { headers }: IncomingMessage,
  isOwnHost: (host: string | undefined) => boolean,
): WholeResponse | undefined {
  if (Number(headers["content-length"] ?? 0) > maxBodyBytes || headers["transfer-encoding"] !== undefined) {
    return errorResponse(413, "A request has no body here", { Connection: "close" });
  }
  return isOwnHost(headers.host) ? undefined : errorResponse(421, "This replica serves its own machine only");
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

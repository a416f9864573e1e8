import type { WholeResponse } from "../replica/http/exchange.js";

/** Everything that a page may load comes from this server; no text of a page runs, whatever it is. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** What every response of the explorer carries. No other site reads them: there is no header for that. */
const common = {
  "Content-Security-Policy": policy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "private, no-store",
};

/** A response with a text. */
export function textResponse(
  status: number,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): WholeResponse {
  const body = Buffer.from(text.toWellFormed());
  const described = { "Content-Type": `${type}; charset=utf-8`, "Content-Length": String(body.byteLength) };
  return { status, headers: { ...common, ...described, ...headers }, body };
}

/** A redirect to another address of the explorer. */
export function redirectResponse(location: string, headers: Record<string, string> = {}): WholeResponse {
  return textResponse(302, "text/plain", "", { Location: location, ...headers });
}

import type { ErrorCode } from "../../lib/errors.js";
import type { TransportResponse } from "../../lib/http/transport.js";
import { shownUrl, UpstreamError } from "../../lib/http/upstream-error.js";
import { redact } from "../../lib/redact/redact.js";
import { isObject } from "../../lib/shape.js";
import { parseRetryAfter } from "./retry-delay.js";

/** Documented: 400, 422 name a parameter, 401 a wrong token, 403 a refused request, 404 an unknown path or record. */
export function answerError(
  { status, headers, body }: Pick<TransportResponse, "status" | "headers" | "body">,
  { url, confidential }: { url: URL; confidential: boolean },
  nowMs: number,
): UpstreamError {
  const { code, retriable, hint } = meaningOf(status);
  const said = confidential ? "" : serverText(body);
  return new UpstreamError(code, `${shownUrl(url)} answered ${status}${said === "" ? "" : `: ${said}`}.`, {
    status,
    retriable,
    tooMuch: tooMuchStatuses.has(status),
    hint: said.startsWith("an HTML page") && !retriable ? htmlHint : hint,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
  });
}

export const htmlHint =
  "Check source.url (or source.region): the host looks like a web site, not the content interface.";

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text.slice(0, 500));
}

/** The answer would be too large, or a gateway did not wait for it. */
const tooMuchStatuses: ReadonlySet<number> = new Set([413, 504]);

interface Meaning {
  code: ErrorCode;
  retriable: boolean;
  hint: string;
}

function meaningOf(status: number): Meaning {
  if (status === 401 || status === 403) {
    const hint = "Check source.token, and that source.url is of the space's own region. Drafts need a preview token.";
    return { code: "UPSTREAM_REFUSED", retriable: false, hint };
  }
  if (status === 404) {
    const hint = "Check source.url: host and region. The interface has this path, but this host has no such record.";
    return { code: "UPSTREAM_NOT_FOUND", retriable: false, hint };
  }
  if (status === 429) {
    const hint = "Another process may use the same token. Lower queue.concurrency or set queue.rateLimit.";
    return { code: "UPSTREAM_RATE_LIMITED", retriable: true, hint };
  }
  if (status >= 500 || status === 408) {
    return { code: "UPSTREAM_UNREACHABLE", retriable: true, hint: "The upstream has a fault. Try again later." };
  }
  if (status >= 400) {
    const hint = "The upstream refused a parameter. Check source.include, releases and languages.";
    return { code: "UPSTREAM_INVALID_REQUEST", retriable: false, hint };
  }
  return { code: "UPSTREAM_BAD_ANSWER", retriable: false, hint: "Check source.url (or source.region)." };
}

const quotedLength = 200;

function serverText(body: Uint8Array): string {
  const text = Buffer.from(body.subarray(0, 4_000)).toString("utf8");
  if (isHtml(text)) return "an HTML page";
  try {
    const value: unknown = JSON.parse(text);
    const said = Array.isArray(value) ? value[0] : isObject(value) && value.error;
    return typeof said === "string" ? quote(said) : "";
  } catch {
    return "";
  }
}

/** A server's text for a message: without secrets and control characters, and short. */
function quote(text: string): string {
  const clean = redact(text)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .replace(/\.$/, "");
  return clean.length > quotedLength ? `${clean.slice(0, quotedLength)}…` : clean;
}

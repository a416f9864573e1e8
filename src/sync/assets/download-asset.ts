import type { TransportHead } from "../../lib/http/exchange.js";
import type { Transport } from "../../lib/http/transport.js";
import { isUpstreamError, UpstreamError } from "../../lib/http/upstream-error.js";
import { parseRetryAfter, retryDelay } from "../upstream/retry-delay.js";
import type { AssetFile } from "./asset-file.js";
import { type AssetHosts, assetTarget, parseUrl } from "./asset-hosts.js";
import { type PartialBody, partialBody, TooLarge } from "./partial-body.js";

const maxRedirects = 5;
/** A host is skipped for this run after so many failed assets in a row, all retries included. */
const maxStrikes = 10;

export interface DownloadContext {
  hosts: AssetHosts;
  transport: Pick<Transport, "download">;
  /** How often a failed request is sent again. */
  retries: number;
  /** Longest pause between two pieces, in milliseconds; the whole download may take ten times as long. */
  timeoutMs: number;
  signal: AbortSignal;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  /** Host → number of assets that failed in a row; empty at the start of a run. */
  strikes: Map<string, number>;
}

/** Headers of an answer whose bytes are in the file. */
export interface DownloadedAsset {
  contentType: string | undefined;
  etag: string | undefined;
  lastModified: string | undefined;
}

type Validators = Partial<Pick<DownloadedAsset, "etag" | "lastModified">>;

export interface MissingAsset {
  missing: "gone" | "failed" | "too-large";
  /** HTTP status of the last answer; null when there was none. */
  status: number | null;
  /** What happened, as the end of a sentence that starts with the URL: `answered 503`. */
  reason: string;
  /** Size of an asset that is too large, or a lower bound; else 0. */
  bytes: number;
}

type Outcome = DownloadedAsset | { unchanged: true } | MissingAsset;

/**
 * Into a file, piece by piece. Checks every redirect like the first URL; sends no secret. Retries network faults, 408,
 * 429 and 5xx, and continues behind the bytes it has. @param known validators of the stored bytes
 */
export async function downloadAsset(
  url: string,
  maxBytes: number,
  context: DownloadContext,
  file: AssetFile,
  known?: Validators,
): Promise<Outcome> {
  const host = parseUrl(url)?.host ?? "";
  const strikes = context.strikes.get(host) ?? 0;
  if (strikes >= maxStrikes) return failed(`was not tried, because ${host} failed ${strikes} times in a row`, null);
  const body = partialBody(file, maxBytes);
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await followRedirects(url, context, body, { ...conditions(known), ...(await body.resume()) });
      context.strikes.delete(host);
      return result;
    } catch (error) {
      context.signal.throwIfAborted();
      if (!isUpstreamError(error)) throw error;
      if (!error.retriable) return failed(reasonOf(error), error.status);
      if (attempt > context.retries) {
        context.strikes.set(host, (context.strikes.get(host) ?? 0) + 1);
        return failed(`${reasonOf(error)} (${attempt} ${attempt === 1 ? "attempt" : "attempts"})`, error.status);
      }
      await context.sleep(retryDelay(error, attempt, context.random), context.signal);
    }
  }
}

async function followRedirects(
  start: string,
  context: DownloadContext,
  body: PartialBody,
  headers: Record<string, string>,
): Promise<Outcome> {
  // The URL of the content or of a redirect. The request may go to a mapped origin, which no message shows.
  let shown = start;
  let before: URL | undefined;
  let status: number | null = null;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const target = assetTarget(shown, context.hosts);
    const led = hop === 0 ? "was not fetched: " : "redirects to a URL that is not fetched: ";
    if (!target.allowed) return failed(led + target.reason, status);
    if (before?.protocol === "https:" && target.url.protocol === "http:") {
      return failed("redirects from https to http", status);
    }
    const answer = await exchange(target.url, target.publicOnly, context, body, headers);
    if ("missing" in answer) return answer;
    const location = [301, 302, 303, 307, 308].includes(answer.status) ? answer.headers.location : undefined;
    if (location === undefined) return outcomeOf(answer);
    const next = URL.canParse(location, shown) ? new URL(location, shown).href : undefined;
    if (next === undefined) return failed("redirects to something that is not a URL", answer.status);
    status = answer.status;
    before = target.url;
    shown = next;
  }
  return failed(`redirects more than ${maxRedirects} times`, status);
}

async function exchange(
  url: URL,
  publicOnly: boolean,
  context: DownloadContext,
  body: PartialBody,
  headers: Record<string, string>,
): Promise<TransportHead | MissingAsset> {
  try {
    const head = await context.transport.download(url, {
      headers,
      signal: context.signal,
      timeoutMs: context.timeoutMs * 10,
      idleMs: context.timeoutMs,
      // The body has its own limit; this one is for bodies of other answers.
      maxBytes: body.maxBytes + 1_000_000,
      publicOnly,
      onHead: body.expect,
      onChunk: body.receive,
    });
    await body.end(head);
    return head;
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { missing: "too-large", status: 200, reason: "is larger than assets.maxBytes allows", bytes: error.bytes };
  }
}

function conditions({ etag, lastModified }: Validators = {}): Record<string, string> {
  if (etag !== undefined) return { "if-none-match": etag };
  return lastModified === undefined ? {} : { "if-modified-since": lastModified };
}

function outcomeOf(head: TransportHead): Outcome {
  const { status, headers } = head;
  if (status === 304) return { unchanged: true };
  if (status === 200 || status === 206) return keptHeaders(headers);
  if (status === 403 || status === 404 || status === 410) {
    return { missing: "gone", status, reason: `answered ${status}`, bytes: 0 };
  }
  // 416 refuses the rest of an asset: the next attempt asks for all of it.
  if (status !== 408 && status !== 416 && status !== 429 && status < 500) return failed(`answered ${status}`, status);
  const retryAfterMs = parseRetryAfter(headers["retry-after"], head.dateMs ?? Date.now());
  throw new UpstreamError("ASSET_FAILED", `answered ${status}`, {
    status,
    retriable: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function keptHeaders(headers: Record<string, string>): DownloadedAsset {
  return {
    contentType: headers["content-type"],
    etag: validator(headers.etag),
    lastModified: validator(headers["last-modified"]),
  };
}

/** A header that may be sent back in a conditional request: printable ASCII of at most 256 characters. */
function validator(text: string | undefined): string | undefined {
  return text !== undefined && /^[\x20-\x7e]{1,256}$/.test(text) ? text : undefined;
}

function failed(reason: string, status: number | null): MissingAsset {
  return { missing: "failed", status, reason, bytes: 0 };
}

/** What happened, without the URL: the message already starts with it. */
function reasonOf(error: UpstreamError): string {
  if (error.code === "ASSET_FAILED") return error.message;
  if (error.code === "UPSTREAM_TIMEOUT") return "was not answered in time";
  const detail = error.cause instanceof Error ? error.cause.message : "";
  if (error.code === "ASSET_NOT_ALLOWED") return `was not fetched: ${detail}`;
  const what = error.code === "UPSTREAM_BAD_ANSWER" ? "was truncated or malformed" : "could not be reached";
  return detail === "" ? what : `${what}: ${detail}`;
}

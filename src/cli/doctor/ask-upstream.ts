import type { Config } from "../../config/config.js";
import type { Endpoint, QueryOf } from "../../contract/endpoint.js";
import { endpoints } from "../../contract/endpoints.js";
import { encodeRequest } from "../../contract/request.js";
import { type ErrorCode, isOffprintError } from "../../lib/errors.js";
import { createTransport, type Transport } from "../../lib/http/transport.js";
import { parseAs } from "../../lib/parse-as.js";
import { anything, isObject } from "../../lib/shape.js";

export interface UpstreamAnswer {
  status?: number;
  /** True if it redirects to the same host, as it does to name the current cv. */
  isRedirected?: boolean;
  movedToOrigin?: string | undefined;
  isJson: boolean;
  body?: unknown;
  /** The server's time minus ours, in milliseconds. Undefined if the answer does not give it. */
  skewMs?: number | undefined;
  failure?: { code: ErrorCode; message: string; hint?: string };
}

/** The answers to three requests. An undefined one was not sent because the first one failed. */
export interface UpstreamFacts {
  origin: string;
  published: UpstreamAnswer;
  draft?: UpstreamAnswer;
  space?: UpstreamAnswer;
}

export interface AskOptions {
  config: Config;
  /** Address of the source. For `demo:`, where it was started. */
  url: string;
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
  now?: () => number;
}

const longestWaitMs = 15_000;
const largestBytes = 32 * 1024 * 1024;

/** Sends at most three requests, each once: a published story, a draft, the space. Follows no redirect. */
export async function askUpstream({ config, url, env, signal, now = Date.now }: AskOptions): Promise<UpstreamFacts> {
  const base = new URL(url);
  const transport = createTransport({ connections: 1, env });
  const asking = { transport, base, token: config.source.token, signal, now };
  const timeoutMs = Math.min(config.queue.timeoutMs, longestWaitMs);
  const one = { per_page: 1 } as const;
  try {
    const published = await ask({ ...asking, timeoutMs }, endpoints.stories, { version: "published", ...one });
    const facts = { origin: base.origin, published };
    if (!isAnswered(published)) return facts;
    const draft = await ask({ ...asking, timeoutMs }, endpoints.stories, { version: "draft", ...one });
    return { ...facts, draft, space: await ask({ ...asking, timeoutMs }, endpoints.spaceMe, {}) };
  } finally {
    await transport.close();
  }
}

export function spaceIdOf(facts: UpstreamFacts): number | undefined {
  const id = spaceRecordOf(facts)?.id;
  return typeof id === "number" ? id : undefined;
}

/** The languages that the space lists in addition to the default one. Undefined if it returns no valid list. */
export function languagesOf(facts: UpstreamFacts): string[] | undefined {
  const codes = spaceRecordOf(facts)?.language_codes;
  if (!Array.isArray(codes)) return undefined;
  return codes.every((code) => typeof code === "string") ? codes : undefined;
}

function spaceRecordOf({ space }: UpstreamFacts): Record<string, unknown> | undefined {
  const record = isObject(space?.body) ? space.body.space : undefined;
  return isObject(record) ? record : undefined;
}

/** True if the API accepted the token: it served something, or redirected to the current cv. */
export function isAnswered({ status, isJson, isRedirected }: UpstreamAnswer): boolean {
  return (status === 200 && isJson) || isRedirected === true;
}

interface Asking {
  transport: Transport;
  base: URL;
  token: string;
  signal: AbortSignal | undefined;
  timeoutMs: number;
  now(): number;
}

async function ask<E extends Endpoint>(asking: Asking, endpoint: E, query: QueryOf<E>): Promise<UpstreamAnswer> {
  const { transport, base, token, timeoutMs, now } = asking;
  const { pathname, search } = encodeRequest(endpoint, { path: {}, query });
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}${pathname}${search}`, base);
  const limits = { timeoutMs, idleMs: timeoutMs, maxBytes: largestBytes };
  const signal = asking.signal === undefined ? {} : { signal: asking.signal };
  const sentMs = now();
  try {
    const headers = { accept: "application/json" };
    const response = await transport.request(url, { ...limits, headers, token, ...signal });
    const { status, headers: got, dateMs, body } = response;
    const parsed = parseAs(body, anything);
    const target = status >= 300 && status < 400 ? originOf(got.location, url.href) : undefined;
    return {
      status,
      isJson: parsed !== undefined,
      body: parsed,
      isRedirected: target === url.origin,
      movedToOrigin: target === url.origin ? undefined : target,
      skewMs: dateMs === null ? undefined : skewOf(dateMs, got.age, (sentMs + now()) / 2),
    };
  } catch (error) {
    if (!isOffprintError(error)) throw error;
    asking.signal?.throwIfAborted();
    return { isJson: false, failure: { code: error.code, message: error.message, hint: error.hint } };
  }
}

/** A cached answer has the `Date` when it was made, and its `Age` in seconds. The sum is the server's time. */
function skewOf(dateMs: number, age: string | undefined, ourMs: number): number {
  const ageMs = /^\d{1,9}$/.test(age ?? "") ? Number(age) * 1000 : 0;
  return Math.round(dateMs + ageMs - ourMs);
}

function originOf(location: string | undefined, from: string): string | undefined {
  return location !== undefined && URL.canParse(location, from) ? new URL(location, from).origin : undefined;
}

import type { RecordCheck } from "../../contract/record-check.js";
import type { UnknownKey } from "../../contract/unknown-key.js";
import { costLimits } from "../../lib/cost-limits.js";
import { bodyText, nestedTooDeeply } from "../../lib/http/collect-body.js";
import { truncated } from "../../lib/http/read-response-body.js";
import type { TransportResponse } from "../../lib/http/transport.js";
import { shownUrl, UpstreamError } from "../../lib/http/upstream-error.js";
import { parseExact, printExact } from "../../lib/json/exact-json.js";
import { NestingError, parseBounded } from "../../lib/json/nesting.js";
import { type KnownRecords, type LargeMember, splitRecord, splitRecords } from "../../lib/json/record-texts.js";
import { isObject } from "../../lib/shape.js";
import type { Answer, KnownPages, Moved, Page, RecordFault, RecordText } from "./answer.js";
import { answerError, htmlHint, isHtml } from "./answer-error.js";
import { faultsOf, UnknownKeyDraft } from "./record-faults.js";
import { redactRecord } from "./redact-record.js";

export interface AskedFor {
  url: URL;
  /** The answer may contain secrets of the space, so errors show none of it. */
  confidential: boolean;
  /** True if a redirect contains the current cv (delivery) or is an error. */
  moves: boolean;
}

interface ParsedBody<T> {
  body: T;
  cv: number | null;
  redacted?: readonly string[];
  unknown?: readonly UnknownKey[];
}

/** @returns the parsed body, or what is wrong with its shape @throws SyntaxError */
export type ParseBody<T> = (text: string, headers: Readonly<Record<string, string>>) => ParsedBody<T> | UnreadBody;

/** Bodies that need not be parsed. The headers of an answer are always its own. */
export interface BodyMemory<T> {
  /** Settled once the bodies are known; never rejects. */
  readonly ready?: Promise<unknown> | undefined;
  recall(pieces: readonly Uint8Array[], headers: Readonly<Record<string, string>>): ParsedBody<T> | undefined;
}

interface UnreadBody {
  problem: string;
  /** True if only its single record is malformed. */
  isUnusable?: boolean;
}

/** A redirect names the current cv; it is not followed. @param nowMs for a server without clock */
export function readAnswer<T>(
  response: TransportResponse,
  asked: AskedFor,
  parse: ParseBody<T>,
  nowMs: number,
  memory?: BodyMemory<T>,
): Answer<T> {
  const { status, headers, dateMs } = response;
  if (status >= 300 && status < 400) {
    const moved = readRedirect(response, asked);
    requireReachedCv(moved.cv, response, asked);
    return moved;
  }
  if (status !== 200) throw answerError(response, asked, dateMs ?? nowMs);
  const known = memory?.recall(response.pieces, headers);
  const parsed = known ?? parseText(response, asked, parse);
  if ("problem" in parsed) throw badShape(asked, parsed);
  requireReachedCv(parsed.cv, response, asked);
  return { kind: "served", dateMs, ...parsed };
}

/** A cv is a time in seconds: hours away from the server's own clock, it is never reached. */
function requireReachedCv(cv: number | null, { status, dateMs }: TransportResponse, { url }: AskedFor): void {
  if (cv === null || dateMs === null || cv * 1000 <= dateMs + costLimits.cvAheadMs) return;
  const hours = Math.round((cv * 1000 - dateMs) / 3_600_000);
  const message = `${shownUrl(url)} names cv ${cv}, which is ${hours} hours ahead of the server's own clock (${new Date(dateMs).toISOString()}).`;
  throw new UpstreamError("UPSTREAM_BAD_ANSWER", message, {
    status,
    hint: "A cv is a time in seconds. Check source.url, and whether a proxy in between changes the parameter `cv` or the header Date.",
  });
}

/** Looking at each of 100 records for unknown keys takes 5 % of the time of their page, at these 1 %. */
const alwaysLookedAt = 8;
const recordsPerLook = 8;

interface PageOptions<T> {
  knownOf?: KnownRecords<RecordText<T>>;
  large?: LargeMember;
  lenient?: boolean | undefined;
  /** What of a record's text may be kept; the same text if all of it. */
  project?: (text: string) => string;
}

/** The records under `key`, in an array or map. @param lenient malformed records are faults of the page */
export function pageOf<T>(
  key: string,
  check: RecordCheck<T>,
  { knownOf, large, lenient = false, project }: PageOptions<T> = {},
): ParseBody<Page<T>> {
  return (text, headers) => {
    const split = splitRecords(text, key, { knownOf, large });
    if (split === undefined) return { problem: `it has no list "${key}"` };
    const records: RecordText<T>[] = [];
    const faults: RecordFault[] = [];
    const unknown = new UnknownKeyDraft(check);
    unknown.addRest(split.rest, key);
    for (const [i, parsed] of split.values.entries()) {
      const known = split.known?.[i];
      if (known !== undefined) {
        records.push(known as RecordText<T>);
        continue;
      }
      const read = split.texts[i] ?? "";
      const text = project?.(read) ?? read;
      const value = text === read ? parsed : (JSON.parse(text) as unknown);
      if (i < alwaysLookedAt || i % recordsPerLook === 0) unknown.add(value, `${key}[${i}]`);
      if (check.is(value)) {
        records.push({ text, value });
        continue;
      }
      const found = faultsOf(check, value, `${key}[${i}]`);
      if (!lenient) return { problem: `${key}[${i}]: ${found.faults[0]?.problem}` };
      faults.push(...found.faults);
      if (found.usable !== undefined) records.push({ text, value: found.usable });
    }
    const page = { records, ...pagingOf(headers) };
    return { body: faults.length === 0 ? page : { ...page, faults }, cv: cvOf(split.rest.cv), ...unknown.found() };
  };
}

/** Known pages as bodies: complete ones without a cv, which differs at each reading. */
export function bodiesOf<T>(pages: KnownPages<T>): BodyMemory<Page<T>> {
  return {
    ready: pages.ready,
    recall(pieces, headers) {
      const records = pages.recall(pieces);
      return records && { body: { records, ...pagingOf(headers) }, cv: null };
    },
  };
}

function pagingOf(headers: Readonly<Record<string, string>>): Pick<Page<unknown>, "total" | "perPage"> {
  return { total: countHeader(headers.total), perPage: countHeader(headers["per-page"]) };
}

/** A list under `key` that not every space has: null if it is missing. */
export function listBeside<T>(key: string, check: RecordCheck<T>): ParseBody<RecordText<T>[] | null> {
  const parse = pageOf<T>(key, check, { lenient: true });
  return (text, headers) => {
    const body = parseBounded(text);
    if (typeof body === "object" && body !== null && !Object.hasOwn(body, key)) {
      return { body: null, cv: cvOf((body as { cv?: unknown }).cv) };
    }
    const parsed = parse(text, headers);
    return "problem" in parsed ? parsed : { body: parsed.body.records, cv: parsed.cv };
  };
}

/** The object under `key`. @param isSecret errors show no value of it */
export function recordOf<T>(
  key: string,
  check: RecordCheck<T>,
  { isSecret = false, project = same }: { isSecret?: boolean; project?: (text: string) => string } = {},
): ParseBody<RecordText<T>> {
  return (body) => {
    const split = splitRecord(body, key);
    if (split === undefined) return { problem: `it has no object "${key}"`, isUnusable: isEmptyHanded(body, key) };
    const text = project(split.text);
    const value = text === split.text ? split.value : (JSON.parse(text) as unknown);
    const unknown = new UnknownKeyDraft(check);
    unknown.addRest(split.rest, key);
    // Its keys, too, may be secrets, until they are redacted.
    if (!isSecret) unknown.add(value, key);
    const answer = { cv: cvOf(split.rest.cv), ...unknown.found() };
    if (check.is(value)) return { body: { text, value }, ...answer };
    const { usable, faults } = faultsOf(check, value, key, isSecret);
    if (usable === undefined) return { problem: `${key}: ${faults[0]?.problem}`, isUnusable: true };
    return { body: { text, value: usable, faults }, ...answer };
  };
}

function same(text: string): string {
  return text;
}

/** True if the answer has the key of the record, but no record under it. */
function isEmptyHanded(text: string, key: string): boolean {
  const body: unknown = JSON.parse(text);
  return isObject(body) && Object.hasOwn(body, key);
}

/** {@link recordOf}, with the record reduced by `project` and redacted, in its text, too. */
export function projectedRecordOf<T>(
  key: string,
  check: RecordCheck<T>,
  project: (record: T) => T,
): ParseBody<RecordText<T>> {
  const parse = recordOf<T>(key, check, { isSecret: true });
  return (text, headers) => {
    const parsed = parse(text, headers);
    if ("problem" in parsed) return parsed;
    const { value, redacted } = redactRecord(project(parseExact(parsed.body.text) as T));
    const kept = printExact(value);
    const read: unknown = JSON.parse(kept);
    const usable = check.is(read) ? read : (check.usable(read) ?? (read as T));
    const unknown = new UnknownKeyDraft(check);
    unknown.add(read, key);
    return { ...parsed, body: { ...parsed.body, text: kept, value: usable }, redacted, ...unknown.found() };
  };
}

/** The current cv, from a redirect. No error shows the location, because that repeats the token. */
function readRedirect({ status, headers, dateMs }: TransportResponse, asked: AskedFor): Moved {
  const location = headers.location ?? "";
  const target = URL.canParse(location, asked.url.href) ? new URL(location, asked.url.href) : undefined;
  if (target !== undefined && target.origin !== asked.url.origin) {
    throw redirectError(asked, status, "to another origin", `If it is yours, set source.url to ${target.origin}.`);
  }
  const cv = target === undefined ? "" : (target.searchParams.get("cv") ?? "");
  if (!asked.moves || !/^\d{1,15}$/.test(cv)) {
    throw redirectError(asked, status, "without a cv", "Check source.url: host, and http or https.");
  }
  return { kind: "moved", cv: Number(cv), dateMs };
}

function redirectError({ url }: AskedFor, status: number, what: string, hint: string): UpstreamError {
  const message = `${shownUrl(url)} answered ${status} with a redirect ${what}; redirects are not followed.`;
  return new UpstreamError("UPSTREAM_BAD_ANSWER", message, { status, hint });
}

function parseText<T>(response: TransportResponse, asked: AskedFor, parse: ParseBody<T>): ReturnType<ParseBody<T>> {
  const { pieces, headers } = response;
  const text = bodyText(pieces)?.replace(/^\uFEFF/, "");
  if (text === undefined) throw badShape(asked, { problem: "it is not UTF-8 text" });
  if (text.trim() === "") throw truncated(asked.url, 200, "it is empty");
  if (isHtml(text)) {
    const message = `${shownUrl(asked.url)} answered with an HTML page instead of JSON.`;
    throw new UpstreamError("UPSTREAM_BAD_ANSWER", message, { status: 200, hint: htmlHint });
  }
  try {
    return parse(text, headers);
  } catch (error) {
    if (error instanceof NestingError) throw nestedTooDeeply(asked.url, 200, error);
    // Without Content-Length, only this shows truncation. V8's message quotes the text, so it is not repeated.
    if (error instanceof SyntaxError) throw truncated(asked.url, 200, `its ${response.body.length} bytes are not JSON`);
    throw error;
  }
}

function badShape({ url, confidential }: AskedFor, { problem, isUnusable }: UnreadBody): UpstreamError {
  const shown = confidential ? "it has no usable record" : problem;
  const message = `Unexpected response from ${shownUrl(url)}: ${shown}.`;
  const hint =
    "Check source.url (or source.region): this host may be another service or another version of the interface.";
  return new UpstreamError("UPSTREAM_BAD_ANSWER", message, {
    status: 200,
    hint,
    unusable: isUnusable ? problem : undefined,
  });
}

function countHeader(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}

function cvOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : null;
}

// Node 20 has String.prototype.isWellFormed; the ES2023 library of the compiler does not know it.
/// <reference lib="es2024.string" />
import { uuidLength } from "../collections/uuid-list.js";
import { canonicalText } from "./canonical-json.js";
import { missing, openBrace } from "./characters.js";
import { memberText } from "./member.js";
import { parseBounded } from "./nesting.js";
import { type JsonScan, skipSpace, skipText, skipValue, startScan } from "./text.js";

/** The records of an answer, as canonical texts and as parsed values. */
export interface RecordTexts {
  /** Canonical texts in order (see `canonicalJson`). They may share memory with the body. */
  texts: string[];
  /** The parsed records; undefined for a known record. */
  values: unknown[];
  /** By index: the known record with the same text. Absent without `knownOf`. */
  known?: (KnownRecord | undefined)[];
  /** The names in a map of records, in order; empty for an array. */
  keys: string[];
  /** The other keys of the answer, parsed. */
  rest: Record<string, unknown>;
}

export interface KnownRecord {
  readonly text: string;
  readonly value: unknown;
}

/** Looks up the known record of a uuid. */
export type KnownRecords<T extends KnownRecord = KnownRecord> = (uuid: string) => T | undefined;

/** Of the large object under `name`, only `kept` is needed: a story's content takes three quarters of the parsing. */
export interface LargeMember {
  readonly name: string;
  readonly kept: string;
}

export interface SplitOptions {
  /** Finds known records. A record with the same text is not parsed or checked again. */
  knownOf?: KnownRecords | undefined;
  /** Of each record, all of this member but `kept` may stay unparsed. */
  large?: LargeMember | undefined;
}

/** In one pass: the array elements or map values under `key`; undefined without. @throws SyntaxError, NestingError */
export function splitRecords(body: string, key: string, options: SplitOptions = {}): RecordTexts | undefined {
  const scan = scanToMember(body, key);
  const start = scan?.at ?? 0;
  const records = scan === undefined ? undefined : readRecords(scan, options);
  if (scan === undefined || records === undefined) {
    parseBounded(body);
    return undefined;
  }
  return { ...records, rest: restOf(body, key, start, scan.at) };
}

/** The only record of an answer, and the other keys. */
export interface RecordAlone {
  /** Canonical; see `canonicalJson`. */
  text: string;
  value: unknown;
  rest: Record<string, unknown>;
}

/** Undefined if body or record are no objects. @throws SyntaxError, NestingError */
export function splitRecord(body: string, key: string): RecordAlone | undefined {
  const scan = scanToMember(body, key);
  if (scan === undefined || body[scan.at] !== "{") {
    parseBounded(body);
    return undefined;
  }
  const start = scan.at;
  const record = readRecord(scan);
  return { ...record, rest: restOf(body, key, start, scan.at) };
}

/** A scan at the value of the first top-level member with that name, or undefined. */
function scanToMember(body: string, key: string): JsonScan | undefined {
  const scan = startScan(body);
  skipSpace(scan);
  for (let before = "{"; body[scan.at] === before; before = ",") {
    scan.at++;
    const name = readName(scan);
    if (name === undefined) return undefined;
    if (name === key) return scan;
    skipValue(scan);
    skipSpace(scan);
  }
  return undefined;
}

/** A string literal whose value is the text between its quotes. */
const plainText = /^"[^"\\\u0000-\u001f]*"$/;

/** Moves over a name and its colon; returns undefined if there is no name. */
function readName(scan: JsonScan): string | undefined {
  skipSpace(scan);
  const start = scan.at;
  if (scan.text[start] !== '"') return undefined;
  skipValue(scan);
  const literal = scan.text.slice(start, scan.at);
  const name: string = plainText.test(literal) ? literal.slice(1, -1) : JSON.parse(literal);
  skipSpace(scan);
  if (scan.text[scan.at] !== ":") return undefined;
  scan.at++;
  skipSpace(scan);
  return name;
}

/** Reads the array or map at the scan and moves past it; returns undefined for other values. */
function readRecords(scan: JsonScan, { knownOf, large }: SplitOptions): Omit<RecordTexts, "rest"> | undefined {
  const { text } = scan;
  const records: Omit<RecordTexts, "rest"> = { texts: [], values: [], keys: [], ...(knownOf && { known: [] }) };
  const isMap = text[scan.at] === "{";
  const end = isMap ? "}" : "]";
  if (!isMap && text[scan.at] !== "[") return undefined;
  scan.at++;
  skipSpace(scan);
  while (text[scan.at] !== end) {
    const name = isMap ? readName(scan) : undefined;
    if (isMap && name === undefined) throw new SyntaxError(`a map without a name at character ${scan.at}`);
    const known = knownOf === undefined ? undefined : skipKnown(scan, knownOf);
    const record = known === undefined ? readRecord(scan, large) : { text: known.text, value: undefined };
    records.texts.push(record.text);
    records.values.push(record.value);
    if (known !== undefined && records.known !== undefined) records.known[records.texts.length - 1] = known;
    if (name !== undefined) records.keys.push(name);
    skipSpace(scan);
    const next = text[scan.at];
    if (next === end) break;
    if (next !== ",") throw new SyntaxError(`neither a comma nor ${end} at character ${scan.at}`);
    scan.at++;
    skipSpace(scan);
    if (text[scan.at] === end) throw new SyntaxError(`a comma before ${end} at character ${scan.at}`);
  }
  scan.at++;
  return records;
}

/** The uuid is searched in this many characters from a record's start. */
const uuidWithin = 120;
const uuidMember = '"uuid":"';

/** Moves over a known record. The first uuid selects the candidate; the comparison decides. */
function skipKnown(scan: JsonScan, knownOf: KnownRecords): KnownRecord | undefined {
  const { text, at } = scan;
  const member = text.slice(at, at + uuidWithin).indexOf(uuidMember);
  if (member < 0) return undefined;
  const start = at + member + uuidMember.length;
  const known = knownOf(text.slice(start, start + uuidLength));
  if (known === undefined || text.charCodeAt(at) !== openBrace || !text.startsWith(known.text, at)) return undefined;
  skipText(scan, known.text.length);
  return known;
}

function readRecord(scan: JsonScan, large?: LargeMember): { text: string; value: unknown } {
  const start = scan.at;
  const place = large && { name: large.name, start: missing, end: missing };
  scan.canonical = true;
  scan.plain = true;
  scan.proven = true;
  scan.member = place;
  skipValue(scan);
  const source = scan.text.slice(start, scan.at);
  const value = (large && sketch(scan, source, start, large)) ?? (JSON.parse(source) as unknown);
  return { text: canonicalText(scan, source, value), value };
}

/** Not allowed inside JSON strings, and never in a canonical text. */
const controls = /[\u0000-\u001f]/;

/** Only `kept` of its large member, if the scan has proved it canonical. @param start of the record in the text */
function sketch(scan: JsonScan, source: string, start: number, { kept }: LargeMember): unknown {
  const { canonical, proven, member } = scan;
  if (!canonical || !proven || member === undefined || scan.text.charCodeAt(member.start) !== openBrace)
    return undefined;
  const content = scan.text.slice(member.start, member.end);
  if (controls.test(content) || !source.isWellFormed()) return undefined;
  const text = memberText(content, kept);
  const rest = text === undefined ? "{}" : `{${JSON.stringify(kept)}:${JSON.stringify(text)}}`;
  return JSON.parse(`${source.slice(0, member.start - start)}${rest}${source.slice(member.end - start)}`);
}

/** Parses the rest, which proves it. @throws SyntaxError also if the key appears twice */
function restOf(body: string, key: string, start: number, end: number): Record<string, unknown> {
  const rest = parseBounded(`${body.slice(0, start)}null${body.slice(end)}`) as Record<string, unknown>;
  if (rest[key] !== null) throw new SyntaxError(`"${key}" appears twice in the answer`);
  delete rest[key];
  return rest;
}

// Node 20 has String.prototype.isWellFormed; the ES2023 library of the compiler does not know it.
/// <reference lib="es2024.string" />
import { uuidLength } from "../collections/uuid-list.js";
import { canonicalText } from "./canonical-json.js";
import { missing, openBrace } from "./characters.js";
import { memberText } from "./member.js";
import { parseBounded } from "./nesting.js";
import { type JsonScan, skipSpace, skipText, skipValue, startScan } from "./text.js";

/** The records of an answer, each as its canonical text and as the value that it parses to. */
export interface RecordTexts {
  /** Canonical texts in the order of the answer; see `canonicalJson`. They may share memory with the body. */
  texts: string[];
  /** The same records, parsed; undefined where the record is a known one. */
  values: unknown[];
  /** At the index of each record whose text equals that of a known record: that record. Absent without `knownOf`. */
  known?: (KnownRecord | undefined)[];
  /** The names of the records of a map, in the order of the answer; empty for an array. */
  keys: string[];
  /** All other keys of the answer, parsed. */
  rest: Record<string, unknown>;
}

/** A record that was read before. */
export interface KnownRecord {
  /** Canonical text; see `canonicalJson`. */
  readonly text: string;
  readonly value: unknown;
}

/** Looks up the known record of a uuid. */
export type KnownRecords<T extends KnownRecord = KnownRecord> = (uuid: string) => T | undefined;

/**
 * A member that makes up most of a record, and is hardly looked at: of an object under `name`, the text `kept` is enough.
 * The content of a story, of which only `component` is wanted, takes three fourths of the time that parsing takes.
 */
export interface LargeMember {
  readonly name: string;
  readonly kept: string;
}

export interface SplitOptions {
  /**
   * Records that may come again unchanged. A record whose text equals that of a known one is neither parsed nor proved
   * canonical again.
   */
  knownOf?: KnownRecords | undefined;
  /** Of each record, this member may be left unparsed but for what is kept of it. */
  large?: LargeMember | undefined;
}

/**
 * Reads the records of an answer in one pass over its text: the elements of the array, or the values of the map,
 * under `key` of the top-level object. The order of keys inside a record is kept.
 *
 * @returns undefined when the body is not an object, or has no array or map under `key`.
 * @throws SyntaxError when the body is not JSON, NestingError when it is nested too deeply.
 */
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

/** One record of an answer and the other keys beside it. */
export interface RecordAlone {
  /** Canonical text; see `canonicalJson`. */
  text: string;
  value: unknown;
  rest: Record<string, unknown>;
}

/**
 * Reads the single record of an answer: the object under `key` of the top-level object.
 *
 * @returns undefined when the body is not an object, or has no object under `key`.
 * @throws SyntaxError when the body is not JSON, NestingError when it is nested too deeply.
 */
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

/** A scan at the value of the first member of the top-level object with that name; undefined when there is none. */
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

/** A string literal without escapes and control characters: its text is what stands between the quotes. */
const plainText = /^"[^"\\\u0000-\u001f]*"$/;

/** Moves over a member's name and its colon to the value; returns undefined when there is no name. */
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

/** Reads the array or map at the scan and moves behind it; returns undefined for any other value. */
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

/** The uuid of a record is looked for in this many characters from its beginning. */
const uuidWithin = 120;
const uuidMember = '"uuid":"';

/**
 * Moves over a record whose text equals that of a known record. The first uuid in the text only says which record to
 * compare with: the comparison decides.
 */
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

/** What `JSON.parse` refuses inside a text, and a canonical text never has. */
const controls = /[\u0000-\u001f]/;

/**
 * The record without its large member but for what is kept of that; undefined where the scan has not proved that the text
 * is canonical JSON, or the member is no object.
 *
 * @param start where the record begins in the text of the scan
 */
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

/**
 * The other members of the body. Parsing them also proves that the text around the records is JSON.
 * @throws SyntaxError when it is not, or when the key is there twice.
 */
function restOf(body: string, key: string, start: number, end: number): Record<string, unknown> {
  const rest = parseBounded(`${body.slice(0, start)}null${body.slice(end)}`) as Record<string, unknown>;
  if (rest[key] !== null) throw new SyntaxError(`"${key}" stands in the answer twice`);
  delete rest[key];
  return rest;
}

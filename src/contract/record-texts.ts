import { canonicalText } from "./canonical-json.js";
import { type JsonScan, skipSpace, skipValue, startScan } from "./json-scan.js";

/** The records of an answer, each as its canonical text and as the value that it parses to. */
export interface RecordTexts {
  /** Canonical texts in the order of the answer; see {@link canonicalJson}. They may share memory with the body. */
  texts: string[];
  /** The same records, parsed. */
  values: unknown[];
  /** The names of the records when they stand in a map, in the order of the answer; empty for an array. */
  keys: string[];
  /** All other keys of the answer, parsed. */
  rest: Record<string, unknown>;
}

/**
 * Takes the records out of an answer in one pass over its text: the elements of the array, or the values of the map,
 * that stands under `key` of the top-level object. The order of keys inside a record is kept.
 *
 * @returns undefined when the body is not an object, or has no array or map under `key`.
 * @throws SyntaxError when the body is not JSON.
 */
export function splitRecords(body: string, key: string): RecordTexts | undefined {
  const scan = scanToMember(body, key);
  const start = scan?.at ?? 0;
  const records = scan === undefined ? undefined : readRecords(scan);
  if (scan === undefined || records === undefined) {
    JSON.parse(body);
    return undefined;
  }
  return { ...records, rest: restOf(body, key, start, scan.at) };
}

/** One record of an answer and the other keys beside it. */
export interface RecordAlone {
  /** Canonical text; see {@link canonicalJson}. */
  text: string;
  value: unknown;
  rest: Record<string, unknown>;
}

/**
 * Takes the single record out of an answer: the object that stands under `key` of the top-level object.
 *
 * @returns undefined when the body is not an object, or has no object under `key`.
 * @throws SyntaxError when the body is not JSON.
 */
export function splitRecord(body: string, key: string): RecordAlone | undefined {
  const scan = scanToMember(body, key);
  if (scan === undefined || body[scan.at] !== "{") {
    JSON.parse(body);
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

/** Moves over a member's name and its colon, to the value; undefined when there is no name. */
function readName(scan: JsonScan): string | undefined {
  skipSpace(scan);
  const start = scan.at;
  if (scan.text[start] !== '"') return undefined;
  skipValue(scan);
  const name: string = JSON.parse(scan.text.slice(start, scan.at));
  skipSpace(scan);
  if (scan.text[scan.at] !== ":") return undefined;
  scan.at++;
  skipSpace(scan);
  return name;
}

/** The elements of the array, or the values of the map, at the scan; moves behind it. Undefined for anything else. */
function readRecords(scan: JsonScan): Omit<RecordTexts, "rest"> | undefined {
  const { text } = scan;
  const records: Omit<RecordTexts, "rest"> = { texts: [], values: [], keys: [] };
  const isMap = text[scan.at] === "{";
  const end = isMap ? "}" : "]";
  if (!isMap && text[scan.at] !== "[") return undefined;
  scan.at++;
  skipSpace(scan);
  while (text[scan.at] !== end) {
    const name = isMap ? readName(scan) : undefined;
    if (isMap && name === undefined) throw new SyntaxError(`a map without a name at character ${scan.at}`);
    const record = readRecord(scan);
    records.texts.push(record.text);
    records.values.push(record.value);
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

function readRecord(scan: JsonScan): { text: string; value: unknown } {
  const start = scan.at;
  scan.canonical = true;
  scan.plain = true;
  skipValue(scan);
  const source = scan.text.slice(start, scan.at);
  const value: unknown = JSON.parse(source);
  return { text: canonicalText(scan, source, value), value };
}

/**
 * The body without the records. Parsing it also proves that what stands around them is JSON.
 * @throws SyntaxError when it is not, or when the key is there twice.
 */
function restOf(body: string, key: string, start: number, end: number): Record<string, unknown> {
  const rest: Record<string, unknown> = JSON.parse(`${body.slice(0, start)}null${body.slice(end)}`);
  if (rest[key] !== null) throw new SyntaxError(`"${key}" stands in the answer twice`);
  delete rest[key];
  return rest;
}

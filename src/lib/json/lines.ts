import { closeBracket, comma, lineFeed, openBracket } from "./characters.js";

/** A file of records (a shard, or content) is a JSON array with one record per line. */

const empty = "[]\n";
const start = "[\n";
const between = ",\n";
const end = "\n]\n";

/** The text of a file of records; `[]` and a line feed without records. */
export function linesText(records: readonly string[]): string {
  return records.length === 0 ? empty : `${start}${records.join(between)}${end}`;
}

/** The bytes of a file of records, from text or UTF-8. */
export function linesBytes(records: readonly (string | Uint8Array)[]): Uint8Array {
  if (records.length === 0) return Buffer.from(empty);
  const bytes = Buffer.allocUnsafe(lengthOf(records));
  let at = bytes.write(start);
  for (const [index, record] of records.entries()) {
    if (index > 0) {
      // Inlined: a call costs more than writing two bytes.
      bytes[at++] = comma;
      bytes[at++] = lineFeed;
    }
    if (typeof record === "string") at += bytes.write(record, at);
    else {
      bytes.set(record, at);
      at += record.length;
    }
  }
  bytes.write(end, at);
  return bytes;
}

function lengthOf(records: readonly (string | Uint8Array)[]): number {
  let length = start.length + end.length - between.length;
  for (const record of records) length += Buffer.byteLength(record) + between.length;
  return length;
}

/** The records of such a file, inverse of {@link linesText}; undefined if the framing differs. */
export function linesOf(text: string): string[] | undefined {
  if (text === empty) return [];
  if (!text.startsWith(start) || !text.endsWith(end) || text.length <= start.length + end.length) return undefined;
  return text.slice(start.length, -end.length).split(between);
}

/** Offsets of the records in such a file. */
export interface LinePositions {
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Locates the records without decoding; undefined unless there are `count`, framed as expected. */
export function locateLines(bytes: Uint8Array, count: number): LinePositions | undefined {
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  let position = bytes.indexOf(lineFeed) + 1;
  if (position !== start.length || bytes[0] !== openBracket) return undefined;
  for (let index = 0; index < count; index += 1) {
    const lineEnd = bytes.indexOf(lineFeed, position);
    if (lineEnd <= position) return undefined;
    starts[index] = position;
    ends[index] = bytes[lineEnd - 1] === comma ? lineEnd - 1 : lineEnd;
    position = lineEnd + 1;
  }
  if (bytes[position] !== closeBracket || bytes.length !== position + 2) return undefined;
  return { starts, ends };
}

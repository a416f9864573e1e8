import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  lineFeed,
  missing,
  openBrace,
  openBracket,
  quote,
} from "./characters.js";

/*
 * Reads single values out of canonical JSON bytes (no white space between tokens, keys escaped as `JSON.stringify`
 * escapes them) without parsing the rest. Nothing here recurses, so nesting may be of any depth.
 *
 * A position is the byte index at which a value begins; `missing` means that there is no such value.
 */

/**
 * A path as {@link findPath} needs it: of each segment the bytes of its key, and its position in an array or
 * `missing`.
 */
export type EncodedPath = readonly { key: Uint8Array; position: number }[];

/** One member of an object, as positions in the bytes. */
export interface Member {
  name: string;
  /** Position of the key's opening quote. */
  start: number;
  valueStart: number;
  /** Behind the value's last byte. */
  end: number;
}

/** Encodes a path, outermost name first: `["content", "items", "0"]`. A segment of digits is also an array position. */
export function encodePath(path: readonly string[]): EncodedPath {
  return path.map((segment) => ({
    key: Buffer.from(`${JSON.stringify(segment)}:`),
    position: /^\d{1,9}$/.test(segment) ? Number(segment) : missing,
  }));
}

/**
 * A large member of an object, such as the content of a story. Members behind it are looked for from the end of the
 * object; where the member lies is noted once it was walked through, so that later searches jump over it.
 */
export interface PassedMember {
  /** As {@link encodePath} encodes it. */
  readonly key: Uint8Array;
  /** Where the value begins; `missing` until it is known. */
  start: number;
  /** Behind the value's last byte. */
  end: number;
  /** Behind the last byte of the object. */
  objectEnd: number;
}

/**
 * The position of the value that a path leads to from the value at `at`, or `missing`.
 *
 * @param passed A large member of the value at `at`, which is walked through once at most; changed by this call.
 */
export function findPath(bytes: Uint8Array, at: number, path: EncodedPath, passed?: PassedMember): number {
  let position = at;
  for (const segment of path) {
    position =
      bytes[position] === openBracket
        ? findElement(bytes, position, segment.position)
        : findMember(bytes, position, segment.key, position === at ? passed : undefined);
    if (position === missing) return missing;
  }
  return position;
}

/** The parsed value at a position; undefined for `missing`. */
export function valueAt(bytes: Uint8Array, at: number): unknown {
  if (at === missing) return undefined;
  const first = bytes[at];
  if (first === quote) return stringAt(bytes, at);
  if (first === 0x6e) return null;
  if (first === 0x74) return true;
  if (first === 0x66) return false;
  return JSON.parse(textOf(bytes, at, skipValue(bytes, at)));
}

/** Most strings hold no escape; they are decoded, which is faster than parsing. */
function stringAt(bytes: Uint8Array, at: number): string {
  let end = at + 1;
  for (; end < bytes.length && bytes[end] !== quote; end += 1) {
    if (bytes[end] === backslash) return JSON.parse(textOf(bytes, at, skipString(bytes, at)));
  }
  return textOf(bytes, at + 1, end);
}

/** All members of the object at a position, in order; empty when there is no object. */
export function membersAt(bytes: Uint8Array, at: number): Member[] {
  const members: Member[] = [];
  if (at === missing || bytes[at] !== openBrace) return members;
  let position = at + 1;
  while (bytes[position] === quote) {
    const keyEnd = skipString(bytes, position);
    const end = skipValue(bytes, keyEnd + 1);
    members.push({ name: JSON.parse(textOf(bytes, position, keyEnd)), start: position, valueStart: keyEnd + 1, end });
    if (bytes[end] !== comma) break;
    position = end + 1;
  }
  return members;
}

/** The position behind the value that begins at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first === openBrace || first === openBracket) return skipNested(bytes, at);
  let position = at;
  while (position < bytes.length && !endsScalar(bytes[position])) position += 1;
  return position;
}

/** The text of bytes `start` to `end`. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  if (Buffer.isBuffer(bytes)) return bytes.toString("utf8", start, end);
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8");
}

function findMember(bytes: Uint8Array, at: number, key: Uint8Array, passed?: PassedMember): number {
  if (bytes[at] !== openBrace) return missing;
  let position = at + 1;
  while (bytes[position] === quote) {
    if (startsWith(bytes, position, key)) return position + key.length;
    const valueStart = skipString(bytes, position) + 1;
    const isKnown = passed !== undefined && valueStart === passed.start;
    if (passed !== undefined && !isKnown && startsWith(bytes, position, passed.key)) {
      return findMemberBehind(bytes, valueStart, key, passed);
    }
    const end = isKnown ? passed.end : skipValue(bytes, valueStart);
    if (bytes[end] !== comma) return missing;
    position = end + 1;
  }
  return missing;
}

/**
 * A member behind the large one, whose value begins at `start`. The object is read backwards from its end, so that the
 * large one is read only when there is no such member. No name stands twice in an object.
 *
 * Reading backwards is unambiguous: a quote inside a string follows an odd number of backslashes, the opening one none.
 */
function findMemberBehind(bytes: Uint8Array, start: number, key: Uint8Array, passed: PassedMember): number {
  let position = passed.objectEnd - 2;
  let depth = 1;
  let end = position + 1;
  while (position >= start) {
    const byte = bytes[position];
    if (byte === quote) {
      const opening = openingQuote(bytes, position);
      if (depth === 1 && bytes[position + 1] === colon && startsWith(bytes, opening, key)) return opening + key.length;
      position = opening - 1;
      continue;
    }
    if (byte === closeBrace || byte === closeBracket) depth += 1;
    else if (byte === openBrace || byte === openBracket) depth -= 1;
    else if (byte === comma && depth === 1) end = position;
    position -= 1;
  }
  passed.start = start;
  passed.end = end;
  return missing;
}

/** The quote that opens the string which the quote at `closing` closes. */
function openingQuote(bytes: Uint8Array, closing: number): number {
  let position = closing - 1;
  for (; position > 0; position -= 1) {
    if (bytes[position] !== quote) continue;
    let escapes = position;
    while (bytes[escapes - 1] === backslash) escapes -= 1;
    if ((position - escapes) % 2 === 0) return position;
  }
  return position;
}

function findElement(bytes: Uint8Array, at: number, index: number): number {
  if (index === missing || bytes[at + 1] === closeBracket) return missing;
  let position = at + 1;
  for (let left = index; left > 0; left -= 1) {
    const end = skipValue(bytes, position);
    if (bytes[end] !== comma) return missing;
    position = end + 1;
  }
  return position;
}

function startsWith(bytes: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index += 1) {
    if (bytes[at + index] !== key[index]) return false;
  }
  return true;
}

/** The first bytes of a string are compared one by one: calling `indexOf` is faster only for longer strings. */
const shortText = 24;

function skipString(bytes: Uint8Array, at: number): number {
  let position = at + 1;
  const short = Math.min(position + shortText, bytes.length);
  while (position < short) {
    const byte = bytes[position];
    if (byte === quote) return position + 1;
    position += byte === backslash ? 2 : 1;
  }
  for (;;) {
    const end = Uint8Array.prototype.indexOf.call(bytes, quote, position);
    if (end === missing) return bytes.length;
    let escapes = end;
    while (escapes > position && bytes[escapes - 1] === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end + 1;
    position = end + 1;
  }
}

function skipNested(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let position = at;
  while (position < bytes.length) {
    const byte = bytes[position];
    if (byte === quote) {
      position = skipString(bytes, position);
      continue;
    }
    position += 1;
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) return position;
    }
  }
  return bytes.length;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || byte === lineFeed;
}

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

/** Reads values out of canonical JSON bytes (no white space) without parsing the rest or recursing. */

/** A path for {@link findPath}: per segment the key in bytes, and the array index or `missing`. */
export type EncodedPath = readonly { key: Uint8Array; position: number }[];

export interface Member {
  name: string;
  /** At the key's opening quote. */
  start: number;
  valueStart: number;
  /** After the value's last byte. */
  end: number;
}

/** Encodes a path, outermost name first: `["content", "items", "0"]`. Digits are also an index. */
export function encodePath(path: readonly string[]): EncodedPath {
  return path.map((segment) => ({
    key: Buffer.from(`${JSON.stringify(segment)}:`),
    position: /^\d{1,9}$/.test(segment) ? Number(segment) : missing,
  }));
}

/** A large member (a story's content): later ones are searched from the object's end, or jump over it. */
export interface PassedMember {
  readonly key: Uint8Array;
  /** Where the value begins; `missing` until known. */
  start: number;
  /** After the value's last byte. */
  end: number;
  objectEnd: number;
}

/** The offset of the value at a path, or `missing`. @param passed a large member, scanned once */
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

export function valueAt(bytes: Uint8Array, at: number): unknown {
  if (at === missing) return undefined;
  const first = bytes[at];
  if (first === quote) return stringAt(bytes, at);
  if (first === 0x6e) return null;
  if (first === 0x74) return true;
  if (first === 0x66) return false;
  return JSON.parse(textOf(bytes, at, skipValue(bytes, at)));
}

/** Most strings have no escapes: decoding them is faster than parsing. */
function stringAt(bytes: Uint8Array, at: number): string {
  let end = at + 1;
  for (; end < bytes.length && bytes[end] !== quote; end += 1) {
    if (bytes[end] === backslash) return JSON.parse(textOf(bytes, at, skipString(bytes, at)));
  }
  return textOf(bytes, at + 1, end);
}

/** The members of the object at an offset, in order; empty if there is no object. */
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

/** The offset after the value at `at`. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first === openBrace || first === openBracket) return skipNested(bytes, at);
  let position = at;
  while (position < bytes.length && !endsScalar(bytes[position])) position += 1;
  return position;
}

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
 * Finds a member after the large one at `start`, backwards from the object's end. Names are unique,
 * and an odd number of backslashes precedes a quote inside a string, none the opening one.
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

/** Shorter strings are compared byte by byte: `indexOf` is faster only for longer ones. */
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

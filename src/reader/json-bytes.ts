/**
 * Reads single values out of canonical JSON bytes (no white space between tokens, keys escaped as `JSON.stringify`
 * escapes them) without parsing the rest. Nothing here recurses: content may be nested as deeply as it likes.
 *
 * A position is the byte index at which a value begins; {@link missing} stands for "there is no such value".
 */

export const missing = -1;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** A path as {@link findPath} compares it: each segment as the bytes of its key, and as array position if it is one. */
export type EncodedPath = readonly { key: Uint8Array; position: number }[];

/** One member of an object in bytes: the name, where the member begins (its key) and where its value lies. */
export interface Member {
  name: string;
  start: number;
  valueStart: number;
  /** Behind the value's last byte. */
  end: number;
}

/** Prepares a path, outermost name first; a segment of digits is also the position in an array. */
export function encodePath(path: readonly string[]): EncodedPath {
  return path.map((segment) => ({
    key: Buffer.from(`${JSON.stringify(segment)}:`),
    position: /^\d{1,9}$/.test(segment) ? Number(segment) : missing,
  }));
}

/** A large member of an object that lies in the way of others: where its value is, once it was passed. */
export interface PassedMember {
  /** As {@link encodePath} gives it. */
  readonly key: Uint8Array;
  /** {@link missing} until the member was passed. */
  start: number;
  end: number;
  /** Behind the last byte of the object: what lies behind the member is looked for from there. */
  objectEnd: number;
}

/**
 * The position of the value that a path leads to from the value at `at`, or {@link missing}.
 *
 * @param passed A member of the outermost object that is walked through once only: where it is known, it is jumped over.
 */
export function findPath(bytes: Uint8Array, at: number, path: EncodedPath, passed?: PassedMember): number {
  let position = at;
  for (const segment of path) {
    position =
      bytes[position] === openArray
        ? findElement(bytes, position, segment.position)
        : findMember(bytes, position, segment.key, position === at ? passed : undefined);
    if (position === missing) return missing;
  }
  return position;
}

/** The parsed value at a position; undefined for {@link missing}. */
export function valueAt(bytes: Uint8Array, at: number): unknown {
  if (at === missing) return undefined;
  const first = bytes[at];
  if (first === quote) return stringAt(bytes, at);
  if (first === 0x6e) return null;
  if (first === 0x74) return true;
  if (first === 0x66) return false;
  return JSON.parse(textOf(bytes, at, skipValue(bytes, at)));
}

/** Most texts hold no escape: they are decoded, not parsed. */
function stringAt(bytes: Uint8Array, at: number): string {
  let end = at + 1;
  for (; end < bytes.length && bytes[end] !== quote; end += 1) {
    if (bytes[end] === backslash) return JSON.parse(textOf(bytes, at, skipString(bytes, at)));
  }
  return textOf(bytes, at + 1, end);
}

/** All members of the object at a position, in order; none when there is no object. */
export function membersAt(bytes: Uint8Array, at: number): Member[] {
  const members: Member[] = [];
  if (at === missing || bytes[at] !== openObject) return members;
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
  if (first === openObject || first === openArray) return skipNested(bytes, at);
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
  if (bytes[at] !== openObject) return missing;
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
 * A member behind the large one, whose value begins at `start`: walked through backwards from the end of the object, so that
 * the large one is only touched when there is no such member. No name stands twice in an object.
 *
 * Backwards works as well: inside of a text every quote has an odd number of backslashes in front, the one that opens it
 * has none.
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
    if (byte === closeObject || byte === closeArray) depth += 1;
    else if (byte === openObject || byte === openArray) depth -= 1;
    else if (byte === comma && depth === 1) end = position;
    position -= 1;
  }
  passed.start = start;
  passed.end = end;
  return missing;
}

/** The quote that opens the text which the quote at `closing` closes. */
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
  if (index === missing || bytes[at + 1] === closeArray) return missing;
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

/** Bytes of a text that are looked at one by one: calling the engine's own search pays for longer ones only. */
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
    if (byte === openObject || byte === openArray) depth += 1;
    else if (byte === closeObject || byte === closeArray) {
      depth -= 1;
      if (depth === 0) return position;
    }
  }
  return bytes.length;
}

function endsScalar(byte: number | undefined): boolean {
  return byte === comma || byte === closeObject || byte === closeArray || byte === 0x0a;
}

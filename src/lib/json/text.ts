import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "./characters.js";
import { OpenLevels } from "./nesting.js";

/** A position in JSON text. A value is known to be JSON only if it is `proven`; otherwise `JSON.parse` decides. */
export interface JsonScan {
  readonly text: string;
  at: number;
  /** The first backslash from `at` on, or the length of the text; cached. */
  backslash: number;
  /** False for a spelling unlike `JSON.stringify` (but numbers, key order, lone surrogates). The caller sets true. */
  canonical: boolean;
  /** Parsing and printing the value loses nothing. */
  plain: boolean;
  /** False once only `JSON.parse` can decide. Control characters are not checked. The caller sets it to true. */
  proven: boolean;
  /** The member whose place {@link skipValue} notes, if any. */
  member: MemberPlace | undefined;
}

/** Offsets of a member's value; `start` is `missing` if the object does not have it. */
export interface MemberPlace {
  readonly name: string;
  start: number;
  end: number;
}

const shortEscapes: ReadonlySet<number> = new Set([..."bfnrt"].map((char) => char.charCodeAt(0)));
const literalEnd = /[\s,\]}]/g;
/** A double represents every whole number with up to this many digits. */
const exactDigits = 15;

export function startScan(text: string, at = 0): JsonScan {
  const scan = { text, at, backslash: at, canonical: true, plain: true, proven: true, member: undefined };
  findBackslash(scan, at);
  return scan;
}

export function skipSpace(scan: JsonScan): void {
  let at = scan.at;
  while (isSpace(scan.text.charCodeAt(at))) at++;
  if (at === scan.at) return;
  scan.at = at;
  scan.canonical = false;
}

/** Moves over `length` characters, which the caller knows to be one canonical value. */
export function skipText(scan: JsonScan, length: number): void {
  scan.at += length;
  if (scan.backslash < scan.at) findBackslash(scan, scan.at);
}

/** Moves past a value. If the text is not JSON, the scan ends anywhere. @throws NestingError */
export function skipValue(scan: JsonScan): void {
  const { text } = scan;
  const start = text.charCodeAt(scan.at);
  if (start === quote) skipString(scan);
  else if (start === openBrace || start === openBracket) skipNested(scan);
  else skipLiteral(scan);
}

/** Reused: allocating levels per record would be most of what reading allocates. */
const levels = new OpenLevels();

/** What may come next: after the brace, a comma, a key, the bracket, a colon or comma, a value. */
const [firstKey, key, keyEnd, firstItem, value, valueEnd] = [0, 1, 2, 3, 4, 5];

/** Moves over an object or array. Skips a misplaced token, which leaves the value unproven. */
function skipNested(scan: JsonScan): void {
  const { text } = scan;
  let { at } = scan;
  let next = value;
  levels.clear();
  do {
    const code = text.charCodeAt(at);
    if (code === quote) {
      scan.at = at;
      next = next <= key && levels.isInObject ? skipKey(scan) : skipScalar(scan, next);
      at = scan.at;
    } else if (code === comma) {
      if (next !== valueEnd) scan.proven = false;
      if (levels.depth === 1) endMember(scan, at);
      at++;
      next = levels.isInObject ? key : value;
    } else if (code === openBrace || code === openBracket) {
      if (next !== value && next !== firstItem) scan.proven = false;
      at++;
      next = levels.open(code === openBrace) ? firstKey : firstItem;
    } else if (code === closeBrace || code === closeBracket) {
      const isEmpty = next === firstKey || next === firstItem;
      if (levels.isInObject !== (code === closeBrace) || (next !== valueEnd && !isEmpty)) scan.proven = false;
      if (levels.close() === 0) endMember(scan, at);
      at++;
      next = valueEnd;
    } else if (code === colon) {
      if (next !== keyEnd) scan.proven = false;
      at++;
      next = value;
    } else {
      scan.at = at;
      if (isSpace(code)) skipSpace(scan);
      else next = skipScalar(scan, next);
      at = scan.at;
    }
  } while (levels.depth > 0 && at < text.length);
  scan.at = at;
  if (levels.depth > 0) scan.proven = false;
}

/** Moves over a key and its colon; returns what may come next. */
function skipKey(scan: JsonScan): number {
  const { text, at, member } = scan;
  noteKey(scan);
  if (member !== undefined && levels.depth === 1 && isNamed(text, at + 1, scan.at - 1, member.name)) {
    member.start = scan.at + 1;
  }
  if (text.charCodeAt(scan.at) !== colon) return keyEnd;
  scan.at++;
  return value;
}

/** Moves over a string, a number, `true`, `false` or `null`; returns what may come next. */
function skipScalar(scan: JsonScan, next: number): number {
  if (next !== value && next !== firstItem) scan.proven = false;
  if (scan.text.charCodeAt(scan.at) === quote) skipString(scan);
  else skipLiteral(scan);
  return valueEnd;
}

/** Notes the end of the wanted member's value, if it precedes this place. */
function endMember({ member }: JsonScan, at: number): void {
  if (member !== undefined && member.start >= 0 && member.end < 0) member.end = at;
}

function isNamed(text: string, start: number, end: number, name: string): boolean {
  return end - start === name.length && text.startsWith(name, start);
}

/** Moves over a key. An index, an escaped or a possibly repeated key makes the value not plain. */
function noteKey(scan: JsonScan): void {
  const { text } = scan;
  let at = scan.at + 1;
  let hash = 0;
  let digitsOnly = true;
  let code = text.charCodeAt(at);
  while (code !== quote && at < scan.backslash) {
    hash = (Math.imul(hash, 31) + code) | 0;
    if (code < 0x30 || code > 0x39) digitsOnly = false;
    at++;
    code = text.charCodeAt(at);
  }
  const escaped = code !== quote && skipString(scan);
  if (code === quote) scan.at = at + 1;
  // JSON.parse moves such keys to the front. The text itself stays canonical.
  if (digitsOnly) scan.plain = false;
  if (escaped || levels.isRepeated(hash)) {
    scan.plain = false;
    scan.canonical = false;
  }
}

function skipString(scan: JsonScan): boolean {
  const { text } = scan;
  let end = text.indexOf('"', scan.at + 1);
  if (end >= 0 && scan.backslash > end) {
    scan.at = end + 1;
    return false;
  }
  let escaped = false;
  while (end >= 0 && scan.backslash < end) {
    escaped = true;
    const at = scan.backslash;
    if (!isCanonicalEscape(text, at)) scan.canonical = false;
    if (end === at + 1) end = text.indexOf('"', at + 2);
    findBackslash(scan, at + 2);
  }
  if (end < 0) scan.proven = false;
  scan.at = end < 0 ? text.length : end + 1;
  return escaped;
}

/** Whether JSON.stringify writes this escape. Rare `\\u001f` counts as not canonical. */
function isCanonicalEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1);
  return code === quote || code === backslash || shortEscapes.has(code);
}

/** A double never prints as a longer literal. */
const longestPrinted = 32;

/** Whether `JSON.stringify` prints the number the same way: not `1.50`, `-0` and 2^53 + 1. */
export function isPrinted(literal: string): boolean {
  return literal.length <= longestPrinted && String(Number(literal)) === literal;
}

function skipLiteral(scan: JsonScan): void {
  const { text } = scan;
  const start = scan.at;
  let code = text.charCodeAt(start);
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
    let at = start + 1;
    let digitsOnly = code >= 0x31;
    for (code = text.charCodeAt(at); isNumberPart(code); code = text.charCodeAt(at)) {
      if (code < 0x30 || code > 0x39) digitsOnly = false;
      at++;
    }
    scan.at = at;
    if (digitsOnly && at - start <= exactDigits) return;
    if (isPrinted(text.slice(start, at))) return;
    scan.plain = false;
    scan.proven = digitsOnly && scan.proven;
    return;
  }
  const word = code === 0x74 ? "true" : code === 0x6e ? "null" : "false";
  if (text.startsWith(word, start)) {
    scan.at = start + word.length;
    return;
  }
  scan.proven = false;
  literalEnd.lastIndex = start + 1;
  const end = literalEnd.exec(text);
  scan.at = end === null ? text.length : end.index;
}

function findBackslash(scan: JsonScan, from: number): void {
  const at = scan.text.indexOf("\\", from);
  scan.backslash = at < 0 ? scan.text.length : at;
}

function isNumberPart(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || code === 0x65 || code === 0x45
  );
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Moves over the next bracket, comma, colon or scalar, and returns it; "" at the end. */
export function nextToken(scan: JsonScan): string {
  skipSpace(scan);
  const start = scan.at;
  const char = scan.text.charAt(start);
  if (char !== "" && "{}[],:".includes(char)) scan.at++;
  else if (char !== "") skipValue(scan);
  return scan.text.slice(start, scan.at);
}

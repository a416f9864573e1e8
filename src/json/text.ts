import { costLimits } from "../cost-limits.js";
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from "./characters.js";
import { NestingError } from "./nesting.js";

/**
 * A position in a JSON string. {@link skipValue} moves it behind one value and records how the value is spelled.
 * A scan does not validate: only `JSON.parse` decides whether the value is JSON.
 */
export interface JsonScan {
  readonly text: string;
  at: number;
  /** Position of the first backslash at or after `at`, or the length of the text; kept, so that it is searched once. */
  backslash: number;
  /**
   * False once a value is not spelled as `JSON.stringify` spells it: white space, other escapes, other forms of a
   * number, a repeated key. The order of keys and lone surrogates do not count. The caller sets it to true.
   */
  canonical: boolean;
  /** False once `JSON.stringify(JSON.parse(value))` would lose something. The caller sets it to true. */
  plain: boolean;
}

const shortEscapes: ReadonlySet<number> = new Set([..."bfnrt"].map((char) => char.charCodeAt(0)));
const literalEnd = /[\s,\]}]/g;
/** The keys of an object are compared pair by pair up to this number, and kept in a set above it. */
const comparedKeys = 32;
/** A double represents every whole number of up to this many digits. */
const exactDigits = 15;

/** A scan at `at`, by default at the beginning of the text. */
export function startScan(text: string, at = 0): JsonScan {
  const scan = { text, at, backslash: at, canonical: true, plain: true };
  findBackslash(scan, at);
  return scan;
}

/** Moves over spaces, tabs and line breaks. */
export function skipSpace(scan: JsonScan): void {
  let at = scan.at;
  while (isSpace(scan.text.charCodeAt(at))) at++;
  if (at === scan.at) return;
  scan.at = at;
  scan.canonical = false;
}

/** Moves over the next `length` characters, which the caller knows to be one canonical value. */
export function skipText(scan: JsonScan, length: number): void {
  scan.at += length;
  if (scan.backslash < scan.at) findBackslash(scan, scan.at);
}

/**
 * Moves from the first character of a value to the one behind its last. In a text that is not JSON the scan ends
 * somewhere between here and the end of the text.
 *
 * @throws NestingError for more levels than are read
 */
export function skipValue(scan: JsonScan): void {
  const { text } = scan;
  const start = text.charCodeAt(scan.at);
  if (start === quote) skipString(scan);
  else if (start === openBrace || start === openBracket) skipNested(scan);
  else skipLiteral(scan);
}

/** An object or array that is not closed yet. */
interface OpenBracket {
  /** Hashes of the object's keys so far; undefined for an array. */
  hashes: number[] | undefined;
  /** The same hashes as a set, once there are more than {@link comparedKeys}. */
  many: Set<number> | undefined;
}

function skipNested(scan: JsonScan): void {
  const { text } = scan;
  const open: OpenBracket[] = [];
  let top: OpenBracket | undefined;
  let expectsKey = false;
  while (scan.at < text.length) {
    const code = text.charCodeAt(scan.at);
    if (code === quote) {
      if (expectsKey && top?.hashes !== undefined) noteKey(scan, top, top.hashes);
      else skipString(scan);
      expectsKey = false;
    } else if (code === comma) {
      scan.at++;
      expectsKey = true;
    } else if (code === colon) {
      scan.at++;
    } else if (code === openBrace || code === openBracket) {
      scan.at++;
      top = { hashes: code === openBrace ? [] : undefined, many: undefined };
      if (open.push(top) > costLimits.answerNesting) throw new NestingError();
      expectsKey = true;
    } else if (code === closeBrace || code === closeBracket) {
      scan.at++;
      open.pop();
      top = open[open.length - 1];
      if (top === undefined) return;
    } else if (isSpace(code)) skipSpace(scan);
    else skipLiteral(scan);
  }
}

/** Moves over a key. A key that is an array index, is escaped or may be repeated makes the value not plain. */
function noteKey(scan: JsonScan, top: OpenBracket, hashes: number[]): void {
  const { text } = scan;
  const start = scan.at + 1;
  const escaped = skipString(scan);
  let hash = 0;
  let digitsOnly = true;
  for (let i = start; i < scan.at - 1; i++) {
    const code = text.charCodeAt(i);
    hash = (Math.imul(hash, 31) + code) | 0;
    if (code < 0x30 || code > 0x39) digitsOnly = false;
  }
  // JSON.parse moves such keys to the front of the object. The text itself stays canonical.
  if (digitsOnly) scan.plain = false;
  if (escaped || isRepeated(top, hashes, hash)) {
    scan.plain = false;
    scan.canonical = false;
  }
}

/** Adds the hash of a key to its object; returns whether it was there already. */
function isRepeated(top: OpenBracket, hashes: number[], hash: number): boolean {
  if (top.many !== undefined) {
    const before = top.many.size;
    return top.many.add(hash).size === before;
  }
  for (let i = 0; i < hashes.length; i++) if (hashes[i] === hash) return true;
  hashes.push(hash);
  if (hashes.length > comparedKeys) top.many = new Set(hashes);
  return false;
}

/** Moves over a string; returns whether it holds an escape. */
function skipString(scan: JsonScan): boolean {
  const { text } = scan;
  let end = text.indexOf('"', scan.at + 1);
  let escaped = false;
  while (end >= 0 && scan.backslash < end) {
    escaped = true;
    const at = scan.backslash;
    if (!isCanonicalEscape(text, at)) scan.canonical = false;
    if (end === at + 1) end = text.indexOf('"', at + 2);
    findBackslash(scan, at + 2);
  }
  scan.at = end < 0 ? text.length : end + 1;
  return escaped;
}

/**
 * Whether JSON.stringify writes this escape. `\\u001f` counts as not canonical; it is rare, and rewriting it is
 * correct.
 */
function isCanonicalEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at + 1);
  return code === quote || code === backslash || shortEscapes.has(code);
}

/** Moves over a number, `true`, `false` or `null`. */
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
    if (!digitsOnly || at - start > exactDigits) noteNumber(scan, text.slice(start, at));
    return;
  }
  literalEnd.lastIndex = start + 1;
  const end = literalEnd.exec(text);
  scan.at = end === null ? text.length : end.index;
}

function noteNumber(scan: JsonScan, literal: string): void {
  if (String(Number(literal)) === literal) return;
  scan.canonical = false;
  if (!isExact(literal)) scan.plain = false;
}

/**
 * Whether a double represents the number of this literal exactly: `1.0` yes, `12345678901234567890` no. A literal of
 * more than {@link costLimits.numberCharacters} is never taken for exact, and keeps its digits.
 */
export function isExact(literal: string): boolean {
  if (literal.length > costLimits.numberCharacters) return false;
  const printed = String(Number(literal));
  return printed === literal || decimalOf(printed) === decimalOf(literal);
}

/** A number literal as significant digits and a power of ten (`1.50` → `15e-1`): equal values give equal texts. */
function decimalOf(literal: string): string {
  const match = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (match === null) return literal;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const digits = trimZeros(whole + fraction);
  if (digits.text === "") return "0";
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.dropped);
  return `${literal.startsWith("-") ? "-" : ""}${digits.text}e${power}`;
}

function trimZeros(digits: string): { text: string; dropped: number } {
  let start = 0;
  let end = digits.length;
  while (start < end && digits.charCodeAt(start) === 0x30) start++;
  while (end > start && digits.charCodeAt(end - 1) === 0x30) end--;
  return { text: digits.slice(start, end), dropped: digits.length - end };
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

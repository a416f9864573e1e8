// Node 20 has String.prototype.isWellFormed; the ES2023 library of the compiler does not know it.
/// <reference lib="es2024.string" />

/**
 * A place in a JSON text. {@link skipValue} moves it over one value and tells what it saw on the way; whether the value
 * is JSON at all is for `JSON.parse` to say.
 */
export interface JsonScan {
  readonly text: string;
  /** Whether the text has no half surrogate pair, which JSON.stringify would escape. */
  readonly wellFormed: boolean;
  at: number;
  /** Place of the first backslash at or after `at`, or the end of the text: kept here so that it is searched once. */
  backslash: number;
  /** Whether the values since it was set to true are spelled as `JSON.stringify` spells them, keys in any order. */
  canonical: boolean;
  /** Whether `JSON.stringify(JSON.parse(value))` loses nothing of the values since it was set to true. */
  plain: boolean;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const shortEscapes: ReadonlySet<number> = new Set([..."bfnrt"].map((char) => char.charCodeAt(0)));
const literalEnd = /[\s,\]}]/g;
/** Up to so many keys of one object are compared pair by pair, which is faster than a set. */
const comparedKeys = 32;
/** The longest run of digits that every double carries. */
const exactDigits = 15;

/** A scan at the beginning of the text. */
export function startScan(text: string): JsonScan {
  const scan = { text, wellFormed: text.isWellFormed(), at: 0, backslash: -1, canonical: true, plain: true };
  findBackslash(scan, 0);
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

/** Moves over characters that are known to be one whole, canonical value. */
export function skipText(scan: JsonScan, length: number): void {
  scan.at += length;
  if (scan.backslash < scan.at) findBackslash(scan, scan.at);
}

/**
 * Moves over one value, from its first character to behind its last one. Nesting may be of any depth. A text that is
 * not JSON moves it anywhere up to the end of the text.
 */
export function skipValue(scan: JsonScan): void {
  const { text } = scan;
  const start = text.charCodeAt(scan.at);
  if (start === quote) skipString(scan);
  else if (start === openBrace || start === openBracket) skipNested(scan);
  else skipLiteral(scan);
}

/** An open bracket. `hashes` are those of the keys so far; undefined for an array. */
interface OpenBracket {
  hashes: number[] | undefined;
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
      open.push(top);
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

/** Moves over a key; an array index, an escape or one that its object may already have makes the value not plain. */
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
  // JSON.parse moves an array index to the front, so the value must not be printed again; its own spelling may stay.
  if (digitsOnly) scan.plain = false;
  if (escaped || isRepeated(top, hashes, hash)) {
    scan.plain = false;
    scan.canonical = false;
  }
}

/** Whether the object had a key of this hash before; remembers it. */
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

/** Moves over a string; tells whether it holds an escape. */
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

/** Whether JSON.stringify writes this escape; of those for control characters only the usual short ones are known. */
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

/** Whether a double carries the number that the literal names: printed again it has the same value. */
export function isExact(literal: string): boolean {
  const printed = String(Number(literal));
  return printed === literal || decimalOf(printed) === decimalOf(literal);
}

/** The value of a number literal as significant digits and a power of ten, so that equal values have equal texts. */
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

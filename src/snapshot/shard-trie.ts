import { lowerBound } from "../lib/collections/lower-bound.js";

/**
 * Which records share a shard: a pure function of the records and of `shardBytes`.
 *
 * A record's place is its key's hexadecimal digits (a uuid without dashes, in lower case), read as binary digits. All
 * records whose place begins with a prefix share a shard. Places are written with dashes where a uuid has them: so most keys
 * are their own place. A prefix is split in two while its file would be larger than
 * `shardBytes`, holds more than one record, and the prefix has less than 64 digits.
 */

/** A prefix of this length is never split. */
export const maxPrefix = 64;

/** A record, or a whole shard of the previous generation, which goes into a new shard. */
export interface Piece {
  /** See {@link placeOf}; for a shard: {@link firstPlace} of its prefix. */
  place: string;
  /** Orders records of the same place. */
  key: string;
  records: number;
  /** See {@link lineWeight}; for a shard: the sum over its records. */
  weight: number;
}

/** One new shard: the pieces from `start` up to, not including, `end`. */
export interface Leaf {
  prefix: string;
  start: number;
  end: number;
}

/**
 * The shards of all pieces.
 * @param pieces Sorted with {@link comparePieces}; a piece that is a shard is not itself larger than `shardBytes`.
 * @param shardBytes Largest size of a shard's file in bytes, unless it holds a single record.
 * @returns Sorted by prefix.
 */
export function layOutShards(pieces: readonly Piece[], shardBytes: number): Leaf[] {
  const weights = runningSums(pieces, (piece) => piece.weight);
  const counts = runningSums(pieces, (piece) => piece.records);
  const leaves: Leaf[] = [];
  const visit = (prefix: string, start: number, end: number): void => {
    if (start === end) return;
    const bytes = fileBytes(weights[end]! - weights[start]!);
    const records = counts[end]! - counts[start]!;
    if (bytes <= shardBytes || records === 1 || prefix.length === maxPrefix) {
      leaves.push({ prefix, start, end });
      return;
    }
    const middle = firstWithDigitOne(pieces, start, end, prefix.length);
    visit(`${prefix}0`, start, middle);
    visit(`${prefix}1`, middle, end);
  };
  visit("", 0, pieces.length);
  return leaves;
}

/**
 * The place of a key in the order of all: its hexadecimal digits in lower case, with dashes as in a uuid (8-4-4-4 and the rest).
 * @throws RangeError for a key with any other character.
 */
export function placeOf(key: string): string {
  const place = placeOfText(key);
  if (place === undefined) throw new RangeError(`Not a hexadecimal key: ${JSON.stringify(key)}`);
  return place;
}

/** The same for a text that content names a record by, which may be anything; undefined if it cannot be a key. */
function placeOfText(text: string): string | undefined {
  if (plainUuid.test(text)) return text;
  const digits = text.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]+$/.test(digits) ? withDashes(digits) : undefined;
}

/** A uuid as nearly all are: it is its own place. */
export const plainUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The first place that a prefix covers: its hexadecimal digits, padded with zeros. */
export function firstPlace(prefix: string): string {
  let digits = "";
  for (let at = 0; at < prefix.length; at += 4) {
    digits += Number.parseInt(prefix.slice(at, at + 4).padEnd(4, "0"), 2).toString(16);
  }
  return withDashes(digits);
}

/** What of a place decides how records are divided: its first {@link maxPrefix} binary digits. */
export function dividedBy(place: string): string {
  return place.slice(0, indexOfDigit(maxPrefix / 4 - 1) + 1);
}

/** A dash stands only where digits follow it, so that places are ordered as their digits are. */
function withDashes(digits: string): string {
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ];
  return groups.filter((group) => group !== "").join("-");
}

/** Where the hexadecimal digit with this number stands in a place. */
function indexOfDigit(number: number): number {
  if (number < 8) return number;
  return number + (number < 12 ? 1 : number < 16 ? 2 : number < 20 ? 3 : 4);
}

/** 0 when the prefix covers the place; negative or positive when the place lies before or after all that it covers. */
export function comparePlaceToPrefix(place: string, prefix: string): number {
  for (let at = 0; at < prefix.length; at++) {
    const difference = binaryDigit(place, at) - (prefix.charCodeAt(at) - zero);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Index of the shard whose prefix covers a place; undefined when none does. `shards` are sorted and do not overlap. */
function shardOf(shards: readonly { prefix: string }[], place: string): number | undefined {
  const at = shardFrom(shards, place);
  return at < shards.length && comparePlaceToPrefix(place, shards[at]!.prefix) === 0 ? at : undefined;
}

/** Index of the shard that would hold a key; undefined if none would, or if the text is no hexadecimal key. */
export function shardOfKey(shards: readonly { prefix: string }[], key: string): number | undefined {
  const place = placeOfText(key);
  return place === undefined ? undefined : shardOf(shards, place);
}

/** Index of the first shard that covers a place or lies behind it; their number where none does. */
export function shardFrom(shards: readonly { prefix: string }[], place: string): number {
  return lowerBound(shards.length, (one) => comparePlaceToPrefix(place, shards[one]!.prefix) <= 0);
}

/** The order of records within a shard and of shards: by place, then by key, both in code-unit order. */
export function comparePieces(a: Pick<Piece, "place" | "key">, b: Pick<Piece, "place" | "key">): number {
  if (a.place !== b.place) return a.place < b.place ? -1 : 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return 0;
}

/** What a record adds to its shard, in bytes: its line, a comma and a line feed. */
export function lineWeight(line: string): number {
  return Buffer.byteLength(line) + 2;
}

/**
 * Size of the file of records with this total weight: `[`, `]` and line feeds are added, the last comma is not there.
 */
export function fileBytes(weight: number): number {
  return weight + 3;
}

/** Inverse of {@link fileBytes}. */
export function weightOf(bytes: number): number {
  return bytes - 3;
}

const [zero, nine, a] = [0x30, 0x39, 0x61];

/** Digit `at` of a place in binary; digits behind its end are zeros. */
function binaryDigit(place: string, at: number): number {
  const index = indexOfDigit(at >> 2);
  if (index >= place.length) return 0;
  const code = place.charCodeAt(index);
  const digit = code <= nine ? code - zero : code - a + 10;
  return (digit >> (3 - (at & 3))) & 1;
}

/**
 * Index of the first piece whose digit `at` is 1. All pieces share the digits before it, so those with a 0 come
 * first.
 */
function firstWithDigitOne(pieces: readonly Piece[], start: number, end: number, at: number): number {
  return start + lowerBound(end - start, (one) => binaryDigit(pieces[start + one]!.place, at) === 1);
}

function runningSums(pieces: readonly Piece[], amount: (piece: Piece) => number): number[] {
  const sums = [0];
  let sum = 0;
  for (const piece of pieces) {
    sum += amount(piece);
    sums.push(sum);
  }
  return sums;
}

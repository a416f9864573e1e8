import { lowerBound } from "../lib/collections/lower-bound.js";

/**
 * Which records share a shard depends only on the records and `shardBytes`. A record's place is its
 * key's hex digits, read as binary. Records whose place begins with the same prefix share a shard.
 * Places have a uuid's dashes: most keys are their own place. A prefix is split in two while its
 * file would exceed `shardBytes`, it has more than one record, and it has fewer than 64 digits.
 */

/** A prefix of this length is never split. */
export const maxPrefix = 64;

/** A record, or a whole previous shard, for a new shard. */
export interface Piece {
  /** See {@link placeOf}; for a shard: {@link firstPlace} of its prefix. */
  place: string;
  /** Orders records with the same place. */
  key: string;
  records: number;
  /** See {@link lineWeight}; for a shard: the sum of its records. */
  weight: number;
}

/** One new shard: the pieces from `start` up to, not including, `end`. */
export interface Leaf {
  prefix: string;
  start: number;
  end: number;
}

/** Divides sorted pieces into shards, sorted by prefix, of at most `shardBytes` unless of a single record. */
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

/** Keys that share a file. */
export interface SharedFile {
  prefix: string;
  /** By {@link comparePieces}. */
  keys: string[];
  weight: number;
}

/** Divides records into files as {@link layOutShards}. @param most bytes of a file, or what else the weights count */
export function layOutFiles(keys: readonly string[], weightOf: (key: string) => number, most: number): SharedFile[] {
  const pieces = keys.map((key) => ({ place: placeOf(key), key, records: 1, weight: weightOf(key) }));
  pieces.sort(comparePieces);
  return layOutShards(pieces, most).map(({ prefix, start, end }) => {
    const own = pieces.slice(start, end);
    return { prefix, keys: own.map(({ key }) => key), weight: own.reduce((sum, { weight }) => sum + weight, 0) };
  });
}

/** A key's hex digits in lower case, with the dashes of a uuid. @throws RangeError for any other character */
export function placeOf(key: string): string {
  const place = placeOfText(key);
  if (place === undefined) throw new RangeError(`Not a hexadecimal key: ${JSON.stringify(key)}`);
  return place;
}

/** {@link placeOf} for any text in content; undefined if it cannot be a key. */
function placeOfText(text: string): string | undefined {
  if (plainUuid.test(text)) return text;
  const digits = text.replaceAll("-", "").toLowerCase();
  return /^[0-9a-f]+$/.test(digits) ? withDashes(digits) : undefined;
}

/** Nearly every uuid: it is its own place. */
const plainUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The first place that a prefix covers: its hex digits, padded with zeros. */
export function firstPlace(prefix: string): string {
  let digits = "";
  for (let at = 0; at < prefix.length; at += 4) {
    digits += Number.parseInt(prefix.slice(at, at + 4).padEnd(4, "0"), 2).toString(16);
  }
  return withDashes(digits);
}

/** The part of a place that decides its shard: its first {@link maxPrefix} binary digits. */
export function dividedBy(place: string): string {
  return place.slice(0, indexOfDigit(maxPrefix / 4 - 1) + 1);
}

/** A dash only before further digits, so that places sort like their digits. */
function withDashes(digits: string): string {
  const starts = [0, 8, 12, 16, 20];
  const groups = starts.map((start, index) => digits.slice(start, starts[index + 1]));
  return groups.filter((group) => group !== "").join("-");
}

/** The index of a hex digit in a place. */
function indexOfDigit(number: number): number {
  if (number < 8) return number;
  return number + (number < 12 ? 1 : number < 16 ? 2 : number < 20 ? 3 : 4);
}

/** 0 if the prefix covers the place; else its sign says whether the place is before or after. */
export function comparePlaceToPrefix(place: string, prefix: string): number {
  for (let at = 0; at < prefix.length; at++) {
    const difference = binaryDigit(place, at) - (prefix.charCodeAt(at) - zero);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Index of the shard for a key; undefined if there is none, or the text is not a hex key. */
export function shardOfKey(shards: readonly { prefix: string }[], key: string): number | undefined {
  const place = placeOfText(key);
  if (place === undefined) return undefined;
  const at = shardFrom(shards, place);
  return at < shards.length && comparePlaceToPrefix(place, shards[at]!.prefix) === 0 ? at : undefined;
}

/** Index of the first shard that covers a place or follows it, or the number of shards. */
export function shardFrom(shards: readonly { prefix: string }[], place: string): number {
  return lowerBound(shards.length, (one) => comparePlaceToPrefix(place, shards[one]!.prefix) <= 0);
}

/** Sorts records in a shard, and shards: by place, then key, in code-unit order. */
export function comparePieces(a: Pick<Piece, "place" | "key">, b: Pick<Piece, "place" | "key">): number {
  if (a.place !== b.place) return a.place < b.place ? -1 : 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return 0;
}

/** The bytes that a record adds to its shard: its line, a comma and a line feed. */
export function lineWeight(line: string): number {
  return Buffer.byteLength(line) + 2;
}

/** File size for a total weight: adds `[`, `]` and line feeds, subtracts the last comma. */
export function fileBytes(weight: number): number {
  return weight + 3;
}

/** Inverse of {@link fileBytes}. */
export function weightOf(bytes: number): number {
  return bytes - 3;
}

const [zero, nine, a] = [0x30, 0x39, 0x61];

/** Binary digit `at` of a place; 0 past its end. */
function binaryDigit(place: string, at: number): number {
  const index = indexOfDigit(at >> 2);
  if (index >= place.length) return 0;
  const code = place.charCodeAt(index);
  const digit = code <= nine ? code - zero : code - a + 10;
  return (digit >> (3 - (at & 3))) & 1;
}

/** The first piece whose digit `at` is 1: all share the earlier digits, so zeros come first. */
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

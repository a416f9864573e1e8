import type { SortKey } from "../../../contract/sort.js";
import { Lru } from "../../../lib/collections/lru.js";
import { isLarge, objectValue } from "./columns.js";
import { integerOf, numberOf } from "./read-number.js";
import { type FieldSource, rowNumbers, rowsAtOnce } from "./shard-rows.js";
import { type Sliced, sortSliced } from "./slices.js";

/** Returns the keys that can affect the order: a repeated key never does. */
export function decidingKeys(keys: readonly SortKey[]): SortKey[] {
  const seen = new Set<string>();
  return keys.filter(({ property, cast }) => {
    const name = JSON.stringify([property, cast]);
    return !seen.has(name) && seen.add(name);
  });
}

/** By `sort_by` (docs/interface-reference.md, section 4.1), stable. May return `rows` itself. */
export function* sortRows(
  keys: readonly SortKey[],
  source: FieldSource,
  rows: Uint32Array,
  rankRows: RankRows,
): Sliced<Uint32Array> {
  let sorted = rows;
  // Each pass is stable, so the most important key comes last.
  for (const key of decidingKeys(keys).reverse()) {
    const { ranks, distinct } = yield* rankRows(key, source, rows);
    const last = distinct + 1;
    const withoutValue = key.nulls === "first" ? 0 : last;
    const isDescending = key.direction === "desc";
    const placeOf = (row: number) => {
      const rank = ranks[row]!;
      if (rank === 0) return withoutValue;
      return isDescending ? last - rank : rank;
    };
    sorted = yield* sortByPlace(sorted, placeOf, last + 1);
  }
  return sorted;
}

/** Number of rows moved between two yields: one move takes a few nanoseconds. */
const movedAtOnce = 16_384;

/** Sorts rows by an integer from 0 to `places` - 1: stable, without comparing. Returns a copy. */
export function* sortByPlace(rows: Uint32Array, placeOf: (row: number) => number, places: number): Sliced<Uint32Array> {
  const next = new Uint32Array(places + 1);
  for (let at = 0; at < rows.length; at += 1) {
    next[placeOf(rows[at]!) + 1]! += 1;
    if (at % movedAtOnce === 0) yield;
  }
  for (let place = 1; place < places; place += 1) next[place]! += next[place - 1]!;
  const sorted = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!;
    const place = placeOf(row);
    sorted[next[place]!] = row;
    next[place]! += 1;
    if (at % movedAtOnce === 0) yield;
  }
  return sorted;
}

/** The rank of each row among the values of a field. Equal values have equal ranks. */
interface FieldRanks {
  /** By row: 0 without a value, 1 for the smallest value, and so on. */
  ranks: Uint32Array;
  distinct: number;
}

/** Number of fields whose ranks are kept; each takes four bytes per row. */
const keptRanks = 8;
/** Selections smaller than 1/8 of all rows are ranked separately: ranking all rows takes longer. */
const smallShare = 8;

export type RankRows = (key: SortKey, source: FieldSource, rows: Uint32Array) => Sliced<FieldRanks>;

/** Keeps the ranks of recent fields, so another page, filter or direction compares no values. */
export function createRankCache(all: () => Uint32Array): RankRows {
  const cache = new Lru<string, FieldRanks>(keptRanks);
  return function* (key, source, rows) {
    const name = JSON.stringify([key.property, key.cast]);
    const known = cache.get(name);
    if (known !== undefined) return known;
    if (rows.length * smallShare < source.count) return yield* rankRows(key, source, rows);
    const ranks = yield* rankRows(key, source, all());
    cache.set(name, ranks);
    return ranks;
  };
}

/** Texts compare by code unit, whatever the locale. Null, empty and unreadable have no rank. */
function* rankRows(key: SortKey, source: FieldSource, rows: Uint32Array): Sliced<FieldRanks> {
  const field = source.field(key.property);
  const read = valueReader(key);
  const values: (string | number)[] = [];
  const valued = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const stored = field(rows[at]!);
    const value = read(stored);
    if (value !== undefined) {
      valued[values.length] = rows[at]!;
      values.push(value);
    }
    if (at % rowsAtOnce === 0 || isLarge(stored)) yield;
  }
  const sorted = yield* sortSliced(rowNumbers(values.length), (a, b) => compareValues(values[a]!, values[b]!));
  const ranks = new Uint32Array(source.count);
  let distinct = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    const place = sorted[at]!;
    if (at === 0 || values[place] !== values[sorted[at - 1]!]) distinct += 1;
    ranks[valued[place]!] = distinct;
    if (at % rowsAtOnce === 0) yield;
  }
  return { ranks, distinct };
}

function compareValues(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function valueReader(key: SortKey): (value: unknown) => string | number | undefined {
  if (key.cast === "int") return integerOf;
  if (key.cast === "float") return numberOf;
  return key.property[0] === "content" ? textValue : propertyValue;
}

/** Sorted length of texts, in characters: the values of all rows are in memory while sorting. */
const comparedCharacters = 1024;

/** A custom field sorts as text, even if it holds a number. */
function textValue(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "" || value === objectValue) return undefined;
  return Array.isArray(value) ? undefined : beginningOf(String(value));
}

/** Copies the compared part of a text: a substring would keep the whole text in memory. */
function beginningOf(text: string): string {
  if (text.length <= comparedCharacters) return text;
  return Buffer.from(text.slice(0, comparedCharacters), "utf16le").toString("utf16le");
}

/** A story property is a number in every record or a text in every record, and sorts as such. */
function propertyValue(value: unknown): string | number | undefined {
  return typeof value === "number" ? value : textValue(value);
}

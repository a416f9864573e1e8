import type { SortKey } from "../../../contract/sort.js";
import type { RankRows } from "./field-ranks.js";
import type { FieldSource } from "./shard-rows.js";
import type { Sliced } from "./slices.js";

/** The keys that can decide the order: a second key that reads the same values never does. */
export function decidingKeys(keys: readonly SortKey[]): SortKey[] {
  const seen = new Set<string>();
  return keys.filter(({ property, cast }) => {
    const name = JSON.stringify([property, cast]);
    return !seen.has(name) && seen.add(name);
  });
}

/** The fields that sort keys read, as paths of a story. */
export function sortFields(keys: readonly SortKey[]): string[][] {
  return keys.map((key) => [...key.property]);
}

/**
 * Puts rows in the order of `sort_by` (docs/interface-reference.md, section 4.1). Rows without a value stand together
 * at the end that the key names; rows that no key tells apart keep the order that they have.
 *
 * @returns the given array or another one of the same length
 */
export function* sortRows(
  keys: readonly SortKey[],
  source: FieldSource,
  rows: Uint32Array,
  rankRows: RankRows,
): Sliced<Uint32Array> {
  let sorted = rows;
  // Each pass keeps the order of equals, so the key that decides first is sorted by last.
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

/** Number of rows that are moved between two yields: moving one takes a few nanoseconds. */
const movedAtOnce = 16_384;

/**
 * Sorts rows by a whole number from 0 to `places` - 1: stable, without comparing rows.
 *
 * @returns another array of the same length
 */
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

import type { SortKey } from "../../../contract/sort.js";
import type { RankRows } from "./field-ranks.js";
import type { FieldSource } from "./shard-rows.js";
import type { Sliced } from "./slices.js";

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

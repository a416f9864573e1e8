import type { StoriesQuery } from "../contract/endpoints.js";
import { filterFields, filterTest, type RowTest } from "./filter.js";
import type { FieldSource } from "./shard-rows.js";
import type { Sliced } from "./slices.js";
import { type RowOrder, sortFields, sortOrder } from "./sort.js";
import { sortSliced } from "./sort-sliced.js";
import { storyTests, testFields } from "./story-tests.js";

/** Rows that are tested between two yields: each of them may have many tests. */
const rowsBetweenYields = 64;

/** What a selection works on: rows with their fields, the default order, and the row of a uuid. */
export interface SelectSource extends FieldSource {
  order(): Uint32Array;
  rank(): Uint32Array;
  rowOf(uuid: string): number | undefined;
}

/** The fields that {@link selectRows} reads for a query: they can be made ready before. */
export function neededFields(query: StoriesQuery): (readonly string[])[] {
  return [
    ...testFields(query),
    ...(query.filter_query === undefined ? [] : filterFields(query.filter_query)),
    ...sortFields(query.sort_by ?? []),
  ];
}

/**
 * All rows that a story list holds, in its order (seed section 4.1); pages are cut by the caller.
 *
 * The order is that of `sort_by`; without it the relevance of `search_term`, then that of `by_uuids_ordered`, then the
 * default order, which also decides among equals.
 *
 * @param found The rows that `search_term` found, with their relevance (lower is better); undefined without it.
 */
export function* selectRows(
  source: SelectSource,
  query: StoriesQuery,
  found?: ReadonlyMap<number, number>,
): Sliced<Uint32Array> {
  const tests = storyTests(query, source);
  if (query.filter_query !== undefined) tests.push(filterTest(query.filter_query, source));
  if (found !== undefined) tests.push((row) => found.has(row));
  const all = candidates(source, query);
  const selected = tests.length === 0 ? all : yield* filterRows(all, tests);
  const order = yield* chosenOrder(source, query, selected, found);
  return order === undefined ? selected : yield* sortSliced(selected.slice(), order);
}

function* filterRows(rows: Uint32Array, tests: readonly RowTest[]): Sliced<Uint32Array> {
  const selected = new Uint32Array(rows.length);
  let count = 0;
  for (const [at, row] of rows.entries()) {
    if (tests.every((test) => test(row))) selected[count++] = row;
    if (at % rowsBetweenYields === 0) yield;
  }
  return selected.slice(0, count);
}

/** All rows, or those of the named uuids, in the default order. */
function candidates(source: SelectSource, query: StoriesQuery): Uint32Array {
  const uuids = query.by_uuids_ordered ?? query.by_uuids;
  if (uuids === undefined) return source.order();
  const rows = new Set(uuids.map((uuid) => source.rowOf(uuid)).filter((row) => row !== undefined));
  const rank = source.rank();
  return Uint32Array.from(rows).sort((a, b) => rank[a]! - rank[b]!);
}

/** undefined: the default order, which the candidates have already. */
function* chosenOrder(
  source: SelectSource,
  query: StoriesQuery,
  rows: Uint32Array,
  found: ReadonlyMap<number, number> | undefined,
): Sliced<RowOrder | undefined> {
  const rank = source.rank();
  const byRank: RowOrder = (a, b) => rank[a]! - rank[b]!;
  if (query.sort_by !== undefined) return yield* sortOrder(query.sort_by, source, rows, byRank);
  if (found !== undefined) return (a, b) => found.get(a)! - found.get(b)! || byRank(a, b);
  if (query.by_uuids_ordered === undefined) return undefined;
  const places = new Map<number | undefined, number>();
  query.by_uuids_ordered.forEach((uuid, place) => {
    const row = source.rowOf(uuid);
    if (!places.has(row)) places.set(row, place);
  });
  return (a, b) => places.get(a)! - places.get(b)!;
}

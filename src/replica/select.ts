import type { StoriesQuery } from "../contract/endpoints.js";
import { filterFields, filterTest, type RowTest } from "./filter.js";
import { type RowOrder, sortFields, sortOrder } from "./sort.js";
import { type FieldSource, orderFields } from "./story-rows.js";
import { storyTests, testFields } from "./story-tests.js";

/** What a selection works on: rows with their fields, the default order, and the row of a uuid. */
export interface SelectSource extends FieldSource {
  order(): Uint32Array;
  rank(): Uint32Array;
  rowOf(uuid: string): number | undefined;
}

/** The fields that {@link selectRows} reads for a query: they can be made ready before. */
export function neededFields(query: StoriesQuery): (readonly string[])[] {
  return [
    ...orderFields,
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
export function selectRows(
  source: SelectSource,
  query: StoriesQuery,
  found?: ReadonlyMap<number, number>,
): ArrayLike<number> {
  const tests = storyTests(query, source);
  if (query.filter_query !== undefined) tests.push(filterTest(query.filter_query, source));
  if (found !== undefined) tests.push((row) => found.has(row));
  const order = chosenOrder(source, query, found);
  const rows = candidates(source, query);
  if (tests.length === 0 && order === undefined) return rows;
  const selected = rows.filter((row) => passes(tests, row));
  return order === undefined ? selected : selected.sort(order);
}

function passes(tests: readonly RowTest[], row: number): boolean {
  for (const test of tests) {
    if (!test(row)) return false;
  }
  return true;
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
function chosenOrder(
  source: SelectSource,
  query: StoriesQuery,
  found: ReadonlyMap<number, number> | undefined,
): RowOrder | undefined {
  const rank = source.rank();
  const byRank: RowOrder = (a, b) => rank[a]! - rank[b]!;
  if (query.sort_by !== undefined) return sortOrder(query.sort_by, source, byRank);
  if (found !== undefined) return (a, b) => found.get(a)! - found.get(b)! || byRank(a, b);
  if (query.by_uuids_ordered === undefined) return undefined;
  const places = new Map<number | undefined, number>();
  query.by_uuids_ordered.forEach((uuid, place) => {
    const row = source.rowOf(uuid);
    if (!places.has(row)) places.set(row, place);
  });
  return (a, b) => places.get(a)! - places.get(b)!;
}

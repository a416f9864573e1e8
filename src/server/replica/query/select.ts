import type { StoriesQuery } from "../../../contract/endpoints.js";
import type { RankRows } from "./field-ranks.js";
import { filterFields, filterTests } from "./filter.js";
import { type FilteredRows, filterRows } from "./filter-rows.js";
import type { FieldSource } from "./shard-rows.js";
import type { Sliced } from "./slices.js";
import { sortByPlace, sortRows } from "./sort.js";
import { storyTests, testFields } from "./story-tests.js";

export interface SelectSource extends FieldSource, FilteredRows {
  order(): Uint32Array;
  rank(): Uint32Array;
  rowOf(uuid: string): number | undefined;
  rankRows: RankRows;
}

/** Returns the fields {@link selectRows} reads for a query, to prepare them first. */
export function neededFields(query: StoriesQuery): (readonly string[])[] {
  return [
    ...testFields(query),
    ...(query.filter_query === undefined ? [] : filterFields(query.filter_query)),
    ...(query.sort_by ?? []).map(({ property }) => property),
  ];
}

/** The default order breaks ties (docs/interface-reference.md, 4.1). @param found relevance by row; lower is better */
export function* selectRows(
  source: SelectSource,
  query: StoriesQuery,
  found?: ReadonlyMap<number, number>,
): Sliced<Uint32Array> {
  const { all: conditions, any } = filterTests(query.filter_query ?? { all: [], any: [] }, source);
  const isFound = found === undefined ? [] : [(row: number) => found.has(row)];
  const all = [...storyTests(query, source), ...isFound, ...conditions];
  const named = candidates(source, query);
  const isUnfiltered = all.length + any.length === 0;
  const selected = isUnfiltered ? named : yield* filterRows(named, source, { all, any });
  return yield* inOrder(source, query, selected, found);
}

function candidates(source: SelectSource, query: StoriesQuery): Uint32Array {
  const uuids = query.by_uuids_ordered ?? query.by_uuids;
  if (uuids === undefined) return source.order();
  const rows = new Set(uuids.map((uuid) => source.rowOf(uuid)).filter((row) => row !== undefined));
  const rank = source.rank();
  return Uint32Array.from(rows).sort((a, b) => rank[a]! - rank[b]!);
}

const worstRelevance = 2;

function* inOrder(
  source: SelectSource,
  query: StoriesQuery,
  rows: Uint32Array,
  found: ReadonlyMap<number, number> | undefined,
): Sliced<Uint32Array> {
  if (query.sort_by !== undefined) return yield* sortRows(query.sort_by, source, rows, source.rankRows);
  if (query.by_uuids_ordered !== undefined) return yield* inListedOrder(source, query.by_uuids_ordered, rows);
  return found === undefined ? rows : yield* sortByPlace(rows, (row) => found.get(row)!, worstRelevance + 1);
}

function* inListedOrder(source: SelectSource, uuids: readonly string[], rows: Uint32Array): Sliced<Uint32Array> {
  const places = new Map<number | undefined, number>();
  uuids.forEach((uuid, place) => {
    const row = source.rowOf(uuid);
    if (!places.has(row)) places.set(row, place);
  });
  return yield* sortByPlace(rows, (row) => places.get(row)!, uuids.length);
}

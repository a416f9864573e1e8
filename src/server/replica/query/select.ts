import type { StoriesQuery } from "../../../contract/endpoints.js";
import { textOf } from "../../../lib/json/bytes.js";
import { NumberText, parseExact } from "../../../lib/json/exact-json.js";
import { filterTests, translateFilter } from "./filter.js";
import { filterRows } from "./filter-rows.js";
import { costProblem, neededFields } from "./query-cost.js";
import type { Sliced, SliceRunner } from "./slices.js";
import { sortByPlace, sortRows } from "./sort.js";
import type { StoryRows } from "./story-rows.js";
import { storyTests } from "./story-tests.js";

/** The rows of a list in order, or why the query would cost too much. */
export type Selection = ArrayLike<number> | { refused: string };

export async function selectStoryRows(
  rows: StoryRows,
  query: StoriesQuery,
  language: string,
  slices: SliceRunner,
): Promise<Selection> {
  const cost = costProblem(query, rows.count);
  if (cost !== undefined) return { refused: cost };
  const filter = query.filter_query === undefined ? undefined : translateFilter(query.filter_query, language);
  const translated = { ...query, filter_query: filter };
  await rows.prepareOrder();
  if (query.by_uuids !== undefined || query.by_uuids_ordered !== undefined) await rows.prepareUuids();
  return slices.run(searchAndSelect(rows, translated));
}

function* searchAndSelect(rows: StoryRows, query: StoriesQuery): Sliced<ArrayLike<number>> {
  const ready = yield* rows.prepare(neededFields(query));
  const found = query.search_term === undefined ? undefined : yield* searchRows(rows, query.search_term);
  return yield* selectRows({ ...rows, field: ready.field }, query, found);
}

/** The default order breaks ties (docs/interface-reference.md, 4.1). @param found relevance by row; lower is better */
export function* selectRows(
  source: StoryRows,
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

function candidates(source: StoryRows, query: StoriesQuery): Uint32Array {
  const uuids = query.by_uuids_ordered ?? query.by_uuids;
  if (uuids === undefined) return source.order();
  const rows = new Set(uuids.map((uuid) => source.rowOf(uuid)).filter((row) => row !== undefined));
  const rank = source.rank();
  return Uint32Array.from(rows).sort((a, b) => rank[a]! - rank[b]!);
}

const worstRelevance = 2;

function* inOrder(
  source: StoryRows,
  query: StoriesQuery,
  rows: Uint32Array,
  found: ReadonlyMap<number, number> | undefined,
): Sliced<Uint32Array> {
  if (query.sort_by !== undefined) return yield* sortRows(query.sort_by, source, rows, source.rankRows);
  if (query.by_uuids_ordered !== undefined) return yield* inListedOrder(source, query.by_uuids_ordered, rows);
  return found === undefined ? rows : yield* sortByPlace(rows, (row) => found.get(row)!, worstRelevance + 1);
}

function* inListedOrder(source: StoryRows, uuids: readonly string[], rows: Uint32Array): Sliced<Uint32Array> {
  const places = new Map<number | undefined, number>();
  uuids.forEach((uuid, place) => {
    const row = source.rowOf(uuid);
    if (!places.has(row)) places.set(row, place);
  });
  return yield* sortByPlace(rows, (row) => places.get(row)!, uuids.length);
}

const searchFields = [["full_slug"], ["name"]] as const;

/** Returns the relevance by row: 0 in the full slug, 1 in the name, 2 in the content. */
export function* searchRows(rows: StoryRows, term: string): Sliced<ReadonlyMap<number, number>> {
  const ready = yield* rows.prepare(searchFields);
  const found = new Map<number, number>();
  const wanted = term.toLowerCase();
  const escaped = JSON.stringify(wanted).slice(1, -1).toLowerCase();
  const fullSlug = ready.field(["full_slug"]);
  const name = ready.field(["name"]);
  const contains = (value: unknown) => typeof value === "string" && value.toLowerCase().includes(wanted);
  for (let row = 0; row < rows.count; row += 1) {
    if (contains(fullSlug(row))) found.set(row, 0);
    else if (contains(name(row))) found.set(row, 1);
    else if (rows.text(row).toLowerCase().includes(escaped) && someValue(exactContent(rows, row), wanted))
      found.set(row, 2);
    yield;
  }
  return found;
}

/** The content of a row, with each number as the record spells it. */
export function exactContent(rows: StoryRows, row: number): unknown {
  const bytes = rows.valueBytes(row, ["content"]);
  return bytes.length === 0 ? undefined : parseExact(textOf(bytes, 0, bytes.length));
}

function someValue(value: unknown, wanted: string): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "object" && next !== null && !(next instanceof NumberText)) {
      for (const inner of Object.values(next)) left.push(inner);
    } else if (next !== null && String(next).toLowerCase().includes(wanted)) {
      return true;
    }
  }
  return false;
}

import type { StoriesQuery } from "../contract/endpoints.js";
import { parts } from "../reader/part-names.js";
import type { Reader } from "../reader/reader.js";
import { type ColumnStore, createColumnStore } from "./columns.js";
import { translateFilter } from "./filter.js";
import { createGate, type Gate } from "./gate.js";
import { createLinkRows, type LinkRows } from "./link-rows.js";
import { costProblem } from "./query-cost.js";
import { searchRows } from "./search.js";
import { neededFields, selectRows } from "./select.js";
import { createShardRows, rowsBy } from "./shard-rows.js";
import { type OnceSliced, onceSliced, runInSlices, type Sliced } from "./slices.js";
import { createStoryRows, type StoryRows } from "./story-rows.js";

/** One generation as the replica answers from it. */
export interface ServedGeneration {
  reader: Reader;
  /** What every answer of this generation tells as its cv. */
  cv: number;
  /** Stories of an edition; no rows for an edition that the snapshot lacks. */
  stories(edition: string): StoryRows;
  /** Variant stories of experiments. */
  variants(edition: string): StoryRows;
  /** The links listing of a version. */
  links(version: "published" | "draft"): LinkRows;
  /** The platform's own metadata record of an asset by its id, as JSON; undefined where the snapshot holds none. */
  assetRecords: OnceSliced<(id: number) => Uint8Array | undefined>;
  /**
   * The rows that a list holds, in its order. What was selected last is kept: the pages of one list are selected once,
   * and requests that come at the same time share the work.
   *
   * @returns the rows, or why the query is refused: it would cost too much.
   * @param part Name of the stories or variants that are selected from.
   */
  select(part: string, rows: StoryRows, query: StoriesQuery, language: string): Promise<Selection>;
}

/** The rows of a list, or why there are none to be had. */
type Selection = ArrayLike<number> | string;

/** Lists that are selected at the same time: each holds the fields that it reads in memory until it is done. */
const selectionsAtOnce = 16;
/** Selections that are kept; each takes four bytes a story at most. */
const keptSelections = 16;

/**
 * Returns the view of a reader, the same one as long as the reader lives. Columns are shared by all of them: a shard that
 * two generations have in common is walked once.
 */
export function createGenerations(): (reader: Reader) => ServedGeneration {
  const columns = createColumnStore();
  const gate = createGate(selectionsAtOnce);
  const views = new WeakMap<Reader, ServedGeneration>();
  return (reader) => {
    const view = views.get(reader) ?? serveGeneration(reader, columns, gate);
    views.set(reader, view);
    return view;
  };
}

function serveGeneration(reader: Reader, columns: ColumnStore, gate: Gate): ServedGeneration {
  const stories = byName((part) => createStoryRows(reader.shards(part), columns));
  const links = byName((version) => createLinkRows(reader, version as "published" | "draft", columns));
  const selections = new Map<string, Promise<Selection>>();
  return {
    reader,
    cv: cvOf(reader),
    stories: (edition) => stories(parts.stories(edition)),
    variants: (edition) => stories(parts.variants(edition)),
    links,
    assetRecords: onceSliced(() => assetRecords(reader, columns)),
    select(part, rows, query, language) {
      const key = JSON.stringify([part, selectingQuery(query)]);
      const selected = selections.get(key) ?? gate(() => select(rows, query, language));
      selections.delete(key);
      selections.set(key, selected);
      selected.catch(() => selections.delete(key));
      if (selections.size > keptSelections) selections.delete(selections.keys().next().value!);
      return selected;
    },
  };
}

function* assetRecords(reader: Reader, columns: ColumnStore): Sliced<(id: number) => Uint8Array | undefined> {
  const rows = createShardRows(reader.shards(parts.assetMetadata), columns);
  const ready = yield* rows.prepare([["id"]]);
  const byId = yield* rowsBy(rows.count, ready.field(["id"]));
  return (id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : rows.bytes(row);
  };
}

async function select(rows: StoryRows, query: StoriesQuery, language: string): Promise<Selection> {
  const cost = costProblem(query, rows.count);
  if (cost !== undefined) return cost;
  const filter = query.filter_query === undefined ? undefined : translateFilter(query.filter_query, language);
  const translated = { ...query, filter_query: filter };
  await rows.prepareOrder();
  if (query.by_uuids !== undefined || query.by_uuids_ordered !== undefined) await rows.prepareUuids();
  return runInSlices(
    (function* (): Sliced<ArrayLike<number>> {
      const ready = yield* rows.prepare(neededFields(translated));
      const found = query.search_term === undefined ? undefined : yield* searchRows(rows, query.search_term);
      return yield* selectRows({ ...rows, field: ready.field }, translated, found);
    })(),
  );
}

/** The parameters that decide which stories a list holds, without those that only say how they are answered. */
function selectingQuery(query: StoriesQuery): StoriesQuery {
  const {
    page: _page,
    per_page: _perPage,
    cv: _cv,
    resolve_relations: _relations,
    resolve_links: _links,
    resolve_links_level: _linksLevel,
    resolve_level: _level,
    resolve_assets: _assets,
    excluding_fields: _fields,
    excluding_story_fields: _storyFields,
    fallback_lang: _fallback,
    ...selecting
  } = query;
  return selecting;
}

function byName<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}

/**
 * The snapshot's cv. An upstream that tells none (the manifest says null) is served with the time of the commit in Unix
 * seconds: like a cv it grows with every change, and never moves without one.
 */
function cvOf({ manifest }: Reader): number {
  return manifest.cv ?? Math.max(1, Math.floor(Date.parse(manifest.committedAt) / 1000));
}

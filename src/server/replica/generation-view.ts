import { selectingParameters } from "../../contract/endpoint.js";
import { endpoints, type LinksQuery, type StoriesQuery } from "../../contract/endpoints.js";
import { byName, inMap } from "../../lib/collections/in-map.js";
import { Lru } from "../../lib/collections/lru.js";
import type { Gate } from "../../lib/concurrency/gate.js";
import { parts } from "../../snapshot/layout.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import { recordsOf } from "../../snapshot/reader/shard-bytes.js";
import { indexAssets } from "./query/asset-index.js";
import type { ColumnStore } from "./query/columns.js";
import { createLinkRows, selectLinkRows } from "./query/link-rows.js";
import { type Selection, selectStoryRows } from "./query/select.js";
import { createShardRows, rowsBy } from "./query/shard-rows.js";
import type { Sliced, SliceRunner } from "./query/slices.js";
import { createStoryRows, type StoryRows } from "./query/story-rows.js";

export type GenerationView = ReturnType<typeof createGenerationView>;

export interface StoryList {
  edition: string;
  kind: "stories" | "variants";
  query: StoriesQuery;
  /** The language of the edition's records, for filters on translated fields. */
  language: string;
}

/** What the views of one snapshot share, so that a common shard is read once. */
export interface ViewContext {
  columns: ColumnStore;
  slices: SliceRunner;
  /** Limits how many lists are selected at once. */
  gate: Gate;
}

/** Number of selections kept, for stories and links each. One takes at most four bytes per row. */
const keptSelections = 16;

const storySelection = new Set(selectingParameters(endpoints.stories));
const linkSelection = new Set(selectingParameters(endpoints.links));

/** Views a generation. Indexes, orders and fields are built on first use. */
export function createGenerationView(reader: Reader, { columns, slices, gate }: ViewContext) {
  const stories = byName((part) => createStoryRows(reader.shards(part), columns, slices));
  const links = byName((version: "published" | "draft") =>
    slices.lazy(() => createLinkRows(reader, version, columns, slices)),
  );
  const assets = slices.lazy(() => indexAssets(reader.shards(parts.assets)));
  const records = byName((part) => reader.shards(part).flatMap(recordsOf));
  const shareStories = createSharedWork<Selection>(keptSelections);
  const shareLinks = createSharedWork<ArrayLike<number>>(keptSelections);
  return {
    reader,
    cv: cvOf(reader),
    slices,
    /** Stories of an edition; empty if the snapshot lacks it. */
    stories: (edition: string): StoryRows => stories(parts.stories(edition)),
    /** Variant stories: the versions that experiments compare. */
    variants: (edition: string): StoryRows => stories(parts.variants(edition)),
    links: (version: "published" | "draft") => links(version).ready(),
    /** The stored records of a part, in its order; empty if the snapshot lacks it. */
    records: (part: string): readonly Uint8Array[] => records(part),
    /** The platform's own metadata record of an asset by id, as JSON; undefined if missing. */
    assetMetadata: slices.lazy(() => indexAssetMetadata(reader, columns, slices)),
    assets: assets.ready,
    /** The rows of a list, in order. Pages and concurrent requests share recent selections. */
    selectStories({ edition, kind, query, language }: StoryList): Promise<Selection> {
      const part = parts[kind](edition);
      return shareStories(selectionKey(part, query, storySelection), () =>
        gate(() => selectStoryRows(stories(part), query, language, slices)),
      );
    },
    /** The rows of a links listing, in order. Needs no gate: it reads three small fields. */
    selectLinks: (version: "published" | "draft", query: LinksQuery) =>
      shareLinks(selectionKey(version, query, linkSelection), async () => {
        const rows = await links(version).ready();
        await rows.prepareOrder();
        return slices.run(selectLinkRows(rows, query));
      }),
  };
}

/** Returns one key for all requests that select the same rows: only selecting parameters count. */
function selectionKey(from: string, query: object, selecting: ReadonlySet<string>): string {
  return JSON.stringify([from, Object.entries(query).filter(([name]) => selecting.has(name))]);
}

function* indexAssetMetadata(
  reader: Reader,
  columns: ColumnStore,
  slices: SliceRunner,
): Sliced<(id: number) => Uint8Array | undefined> {
  const rows = createShardRows(reader.shards(parts.assetMetadata), columns, slices);
  const byId = yield* rowsBy(rows, ["id"]);
  return (id) => {
    const row = byId.get(id);
    return row === undefined ? undefined : rows.bytes(row);
  };
}

/** Without a cv upstream, the commit time in Unix seconds: like a cv it grows with each change. */
function cvOf({ manifest }: Reader): number {
  return manifest.cv ?? Math.max(1, Math.floor(Date.parse(manifest.committedAt) / 1000));
}

export type SharedWork<T> = (key: string, work: () => Promise<T>) => Promise<T>;

/** Keeps recent results. Concurrent callers of a key share the work. Failures are not kept. */
export function createSharedWork<T>(keptResults: number): SharedWork<T> {
  const kept = new Lru<string, Promise<T>>(keptResults);
  return (key, work) =>
    inMap(kept, key, () => {
      const made = work();
      made.catch(() => kept.delete(key));
      return made;
    });
}

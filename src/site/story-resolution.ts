import { partRecords } from "../content/model/part-records.js";
import type { ShapingConfig } from "../content/tree/content-settings.js";
import { isPage, isSettingsType } from "../content/tree/pageless-stories.js";
import { parseRecord } from "../contract/parse-record.js";
import { link as linkTable } from "../contract/record-table.js";
import type { AssetMetadataRecord } from "../contract/records.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { parts } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { RowFilter } from "../snapshot/reader/index-questions.js";
import { indexedAddress } from "../snapshot/reader/noting-reader.js";
import type { IndexedAddress } from "../snapshot/reader/reader.js";
import { storedRecord } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
import type { AssetFiles } from "./asset-files.js";
import type { StoredStory } from "./loaded-stories.js";
import { type ResolvedStory, resolveStories } from "./resolve-stories.js";
import type { ReadOptions, StoryFilter } from "./snapshot.js";
import type { OpenEdition } from "./snapshot-editions.js";
import type { Taxonomies } from "./taxonomies.js";

export interface StorySource {
  store: Store;
  manifest: Manifest;
  config: Pick<ShapingConfig, "resolve" | "assets" | "content" | "source">;
  assets: AssetFiles;
  taxonomies: Taxonomies;
}

/** Returns a function that resolves stored stories as the options of a question want them. */
export function storyResolution({ store, manifest, config, assets, taxonomies }: StorySource) {
  let metadata: Promise<ReadonlyMap<number, AssetMetadataRecord>> | undefined;
  return async (
    edition: OpenEdition,
    stored: readonly StoredStory[],
    read: ReadOptions,
    isNoting: boolean,
  ): Promise<ResolvedStory[]> => {
    metadata ??= config.assets.metadata ? readAssetMetadata(store, manifest) : Promise.resolve(new Map());
    const { resolve = true, body = false } = read;
    const { richText = resolve ? config.content.richText : "document" } = read;
    const depth = resolve ? (read.depth ?? config.resolve.depth) : undefined;
    const indexedAt = (version: string, uuid: string) => readIndexed(store, manifest, version, uuid);
    const known = {
      edition,
      config,
      assets,
      indexedAt,
      assetMetadata: await metadata,
      termPaths: await taxonomies.paths(),
    };
    return resolveStories(stored, { ...known, depth, richText, body, isNoting });
  };
}

/** Where the index has a story that no edition has. */
async function readIndexed(
  store: Store,
  manifest: Manifest,
  version: string,
  uuid: string,
): Promise<IndexedAddress | undefined> {
  const line = await storedRecord(store, manifest, parts.links(version), uuid);
  return line === undefined ? undefined : indexedAddress(parseRecord(linkTable, line));
}

async function readAssetMetadata(store: Store, manifest: Manifest): Promise<Map<number, AssetMetadataRecord>> {
  const records = await partRecords<AssetMetadataRecord>(store, manifest, parts.assetMetadata);
  return new Map(records.map((record) => [Number(record.id), record]));
}

/** Stories read together if far apart, and at a time. */
const batchStories = 64;
const concurrency = 8;

/** The stories of a filter in its order, some at a time. */
export async function* storedStories(
  { stories }: OpenEdition,
  filter: StoryFilter,
  isWanted: (uuid: string) => boolean,
): AsyncGenerator<StoredStory[]> {
  if (filter.order === "stored") {
    for await (const some of stories.stored(rowFilter(filter))) {
      yield some.filter(({ story }) => isWanted(story.uuid));
    }
    return;
  }
  const rows = (await stories.rows(rowFilter(filter))).filter(({ uuid }) => isWanted(uuid));
  for (let start = 0; start < rows.length; start += batchStories) {
    const batch = rows.slice(start, start + batchStories);
    const found = await mapBounded(batch, concurrency, ({ uuid }) => stories.record(uuid));
    yield found.filter((stored) => stored !== undefined);
  }
}

export function rowFilter({ component, startsWith = "" }: StoryFilter): RowFilter {
  const components = typeof component === "string" ? [component] : component;
  return { components: components && new Set(components), startsWith: startsWith.replace(/^\/+/, "") };
}

/**
 * The uuids of the stories of an edition that are no pages: those of settings, as in the content tree
 * (`content.types.<type>.markdown`). Reads only stories of types that are called like settings.
 */
export async function pagelessRows(
  edition: OpenEdition,
  config: Pick<ShapingConfig, "content" | "resolve">,
): Promise<ReadonlySet<string>> {
  const { stories, entry } = edition;
  const { types } = config.content;
  const component = stories.components.filter((type) => {
    const setting = Object.hasOwn(types, type) ? types[type]?.page : undefined;
    return setting === undefined ? isSettingsType(type) : !setting;
  });
  if (component.length === 0) return new Set();
  const rows = await stories.rows(rowFilter({ component }));
  const pageless = await mapBounded(rows, concurrency, async (row) => {
    const stored = await stories.record(row.uuid);
    return isPage(row, entry, { config, read: { story: () => stored?.story } }) ? [] : [row.uuid];
  });
  return new Set(pageless.flat());
}

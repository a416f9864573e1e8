import type { AssetMetadataRecord, StoryRecord } from "../contract/records.js";
import { mapBounded } from "../map-bounded.js";
import type { StoryReference } from "../reader/reader.js";
import type { AssetRecord } from "../snapshot/manifest.js";
import type { AssetFiles } from "./asset-files.js";
import type { EditionStories, InMemory, StoredStory } from "./edition-stories.js";

/** What resolving and rendering read, at once: of what is in memory. */
export interface LoadedReader {
  story(edition: string, uuid: string): StoryRecord | undefined;
  storyBytes(edition: string, uuid: string): Uint8Array | undefined;
  reference(edition: string, uuid: string): StoryReference | undefined;
  asset(url: string): AssetRecord | undefined;
  assetMetadata(id: number): AssetMetadataRecord | undefined;
}

/** Where what is not in memory comes from. */
export interface LoadingSource {
  stories: EditionStories;
  assets: Pick<AssetFiles, "record" | "recordInMemory">;
  assetMetadata: ReadonlyMap<number, AssetMetadataRecord>;
}

/** How many things are loaded at the same time. */
const concurrency = 8;

/**
 * Runs work that reads synchronously, with what is in memory. Where something was not, it is loaded and the work runs
 * again, until it has had everything: once more for each level of relations.
 *
 * @param known stories that are parsed already
 */
export async function withLoaded<T>(
  source: LoadingSource,
  known: ReadonlyMap<string, StoredStory>,
  work: (read: LoadedReader) => T,
): Promise<T> {
  const stories = new Map<string, StoredStory | undefined>(known);
  const rows = new Map<string, StoryReference | undefined>();
  const assets = new Map<string, AssetRecord | undefined>();
  for (;;) {
    const missing = new Map<string, () => Promise<void>>();
    const lookUp = <V>(
      kept: Map<string, V | undefined>,
      key: string,
      inMemory: InMemory<V> | undefined,
      load: () => Promise<V | undefined>,
    ): V | undefined => {
      if (inMemory !== undefined) kept.set(key, inMemory.value);
      else {
        const name = `${kept === stories ? "story" : kept === rows ? "row" : "asset"} ${key}`;
        missing.set(name, async () => void kept.set(key, await load()));
      }
      return inMemory?.value;
    };
    const stored = (uuid: string): StoredStory | undefined => {
      if (stories.has(uuid)) return stories.get(uuid);
      return lookUp(stories, uuid, source.stories.recordInMemory(uuid), () => source.stories.record(uuid));
    };
    const result = work({
      story: (_edition, uuid) => stored(uuid)?.story,
      storyBytes: (_edition, uuid) => stored(uuid)?.bytes,
      reference(_edition, uuid) {
        if (rows.has(uuid)) return rows.get(uuid);
        return lookUp(rows, uuid, source.stories.rowInMemory(uuid), () => source.stories.row(uuid));
      },
      asset(url) {
        if (assets.has(url)) return assets.get(url);
        return lookUp(assets, url, source.assets.recordInMemory(url), () => source.assets.record(url));
      },
      assetMetadata: (id) => source.assetMetadata.get(id),
    });
    if (missing.size === 0) return result;
    await mapBounded([...missing.values()], concurrency, (load) => load());
  }
}

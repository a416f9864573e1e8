import { assetsTag, assetTag, linkTag, termsTag } from "../content/resolve/cache-tags.js";
import type { AssetMetadataRecord } from "../contract/records.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import type { AssetRecord, EditionEntry } from "../snapshot/manifest.js";
import { rowText } from "../snapshot/reader/index-rows.js";
import { shortHash, shownOfAsset } from "../snapshot/reader/noting-reader.js";
import type { IndexedAddress, NotedReader, StoryReference } from "../snapshot/reader/reader.js";
import type { AssetFiles } from "./asset-files.js";
import type { EditionStories, InMemory, StoredStory } from "./loaded-stories.js";
import { type ReadAnswer, storyAnswer } from "./read-notes.js";

/** What resolving and rendering read, synchronously. */
export type LoadedReader = Pick<
  NotedReader,
  "story" | "storyBytes" | "reference" | "asset" | "indexedAt" | "assetMetadata" | "termPath"
>;

/** Lets synchronous work read what must be loaded first: run, load what was missing, run again. */
export interface LoadingReader {
  read: LoadedReader;
  /**
   * Runs work that reads. Use its result only if `isComplete`: everything was in memory. `reads` has
   * the answers, if they are noted.
   */
  attempt<T>(work: () => T): { result: T; isComplete: boolean; reads: readonly ReadAnswer[] };
  loadMissing(): Promise<void>;
}

export interface LoadingSource {
  stories: EditionStories;
  assets: Pick<AssetFiles, "record" | "recordInMemory">;
  assetMetadata: ReadonlyMap<number, AssetMetadataRecord>;
  termPaths: ReadonlyMap<string, string>;
  indexedAt(version: string, uuid: string): Promise<IndexedAddress | undefined>;
  /** The edition that is read. */
  edition: Pick<EditionEntry, "name" | "language">;
  /** Whether to note answers. */
  isNoting: boolean;
}

const concurrency = 8;

/** @param known parsed stories, by uuid */
export function createLoadingReader(
  { stories, assets, assetMetadata, termPaths, indexedAt, edition, isNoting }: LoadingSource,
  known: Iterable<readonly [string, StoredStory]>,
): LoadingReader {
  let missing: (() => Promise<void>)[] = [];
  let misses = 0;
  /** Requested values stay here, even if the caches drop them. */
  const lookUp = <V>(options: {
    known: Iterable<readonly [string, V]>;
    inMemory(key: string): InMemory<V> | undefined;
    load(key: string): Promise<V | undefined>;
  }) => {
    const kept = new Map<string, V | undefined>(options.known);
    const asked = new Set<string>();
    return (key: string): V | undefined => {
      const value = kept.get(key);
      if (value !== undefined || kept.has(key)) return value;
      const found = options.inMemory(key);
      if (found !== undefined) {
        kept.set(key, found.value);
        return found.value;
      }
      misses += 1;
      if (!asked.has(key)) {
        asked.add(key);
        missing.push(async () => void kept.set(key, await options.load(key)));
      }
      return undefined;
    };
  };
  const storyOf = lookUp<StoredStory>({ known, inMemory: stories.recordInMemory, load: stories.record });
  const rowOf = lookUp<StoryReference>({ known: [], inMemory: stories.rowInMemory, load: stories.row });
  const assetOf = lookUp<AssetRecord>({ known: [], inMemory: assets.recordInMemory, load: assets.record });

  const rowOfIndex = lookUp<IndexedAddress>({
    known: [],
    inMemory: () => undefined,
    load(key) {
      const at = key.indexOf("/");
      return indexedAt(key.slice(0, at), key.slice(at + 1));
    },
  });

  const read: LoadedReader = {
    story: (_edition, uuid) => storyOf(uuid)?.story,
    storyBytes: (_edition, uuid) => storyOf(uuid)?.bytes,
    reference: (_edition, uuid) => rowOf(uuid),
    asset: assetOf,
    indexedAt: (version, uuid) => rowOfIndex(`${version}/${uuid}`),
    assetMetadata: (id) => assetMetadata.get(id),
    termPath: (id) => termPaths.get(id),
  };
  const reads = new Map<string, ReadAnswer>();
  /** Asks, and notes the answer to a new question. */
  const noting =
    <Asked extends (string | number)[], T>(
      kind: string,
      ask: (...asked: Asked) => T,
      answerOf: (answer: T, asked: Asked) => Omit<ReadAnswer, "question">,
    ) =>
    (...asked: Asked): T => {
      const answer = ask(...asked);
      const question = asked.length === 1 ? `${kind} ${asked[0]}` : `${kind} ${asked[0]} ${asked[1]}`;
      if (!reads.has(question)) reads.set(question, { question, ...answerOf(answer, asked) });
      return answer;
    };
  const answerOfStory = (_story: unknown, [, uuid]: [string, string]) => {
    const found = storyOf(uuid);
    if (found === undefined) return { answer: "", tags: [linkTag(uuid, undefined, edition.language)] };
    return storyAnswer(edition, found.story, found.digest ?? shortHash(found.bytes));
  };
  const noted = (): LoadedReader => ({
    story: noting("story", read.story, answerOfStory),
    storyBytes: noting("story", read.storyBytes, answerOfStory),
    reference: noting("link", read.reference, (row, [, uuid]) => {
      return { answer: row === undefined ? "" : rowText(row), tags: [linkTag(uuid, row?.component, edition.language)] };
    }),
    asset: noting("asset", read.asset, (asset, [url]) => {
      return { answer: JSON.stringify(shownOfAsset(asset) ?? ""), tags: [assetTag(url)] };
    }),
    indexedAt: noting("row", read.indexedAt, (address, [, uuid]) => {
      return { answer: JSON.stringify(address ?? ""), tags: [linkTag(uuid, undefined, edition.language)] };
    }),
    termPath: noting("term", read.termPath, (path) => ({ answer: path ?? "", tags: [termsTag] })),
    assetMetadata: noting(
      "asset-metadata",
      (id: number) => assetMetadata.get(id),
      (metadata) => {
        return { answer: JSON.stringify(metadata ?? ""), tags: [assetsTag] };
      },
    ),
  });

  return {
    read: isNoting ? noted() : read,
    attempt(work) {
      const before = misses;
      if (isNoting) reads.clear();
      const result = work();
      return { result, isComplete: misses === before, reads: isNoting ? [...reads.values()] : [] };
    },
    async loadMissing() {
      const loads = missing;
      missing = [];
      await mapBounded(loads, concurrency, (load) => load());
    },
  };
}

import { partRecords } from "../content/model/part-records.js";
import { parseRecord } from "../contract/parse-record.js";
import { link as linkTable } from "../contract/record-table.js";
import type { AssetMetadataRecord } from "../contract/records.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { uuid as uuidShape } from "../lib/shape.js";
import { parts } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { RowFilter } from "../snapshot/reader/index-questions.js";
import type { StoryRow } from "../snapshot/reader/index-rows.js";
import { indexedAddress } from "../snapshot/reader/noting-reader.js";
import type { IndexedAddress } from "../snapshot/reader/reader.js";
import { storedRecord } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
import type { AssetFiles } from "./asset-files.js";
import { checkKey, checkOptions, checkText, filterOptions, readOptions, warnUnknown } from "./check-options.js";
import { findPage, rowOfSlug } from "./find-page.js";
import type { StoredStory } from "./loaded-stories.js";
import { resolveStories } from "./resolve-stories.js";
import type { ReadOptions, Snapshot, Story, StoryFilter, StoryKey, StoryReference, Translation } from "./snapshot.js";
import type { OpenEdition, SnapshotEditions } from "./snapshot-editions.js";
import type { SnapshotConfig } from "./snapshot-settings.js";

export interface StoryQuestionsOptions {
  store: Store;
  manifest: Manifest;
  config: Pick<SnapshotConfig, "resolve" | "assets" | "content" | "source">;
  assets: AssetFiles;
  editions: SnapshotEditions;
  asked<T>(question: () => Promise<T>): Promise<T>;
}

export type StoryQuestions = Pick<
  Snapshot,
  "story" | "page" | "stories" | "references" | "translations" | "components"
>;

export function storyQuestions(options: StoryQuestionsOptions): StoryQuestions {
  const { config, editions, asked } = options;
  const { links } = config.resolve;
  const resolved = storyResolution(options);
  const byRow = async (edition: OpenEdition, row: StoryRow | undefined, read: ReadOptions) => {
    const stored = row === undefined ? undefined : await edition.stories.record(row.uuid);
    return stored && (await resolved(edition, [stored], read))[0];
  };
  const rowOf = async (edition: OpenEdition, key: StoryKey): Promise<StoryRow | undefined> => {
    if (typeof key !== "string") {
      return "uuid" in key ? edition.stories.row(key.uuid) : rowOfSlug(edition, key.slug, links);
    }
    const row = uuidShape.is(key) ? await edition.stories.row(key) : undefined;
    return row ?? rowOfSlug(edition, key, links);
  };

  async function* stories(filter: StoryFilter, read: ReadOptions): AsyncGenerator<Story> {
    const edition = await asked(async () => {
      checkOptions("stories()", filter, filterOptions);
      checkOptions("stories()", read, readOptions);
      const opened = await editions.open({ ...read, ...filter });
      await warnOfUnknownTypes("stories()", filter, opened, editions);
      return opened;
    });
    const batches = storedStories(edition, filter);
    try {
      for (;;) {
        const batch = await asked(() => batches.next());
        if (batch.done === true) return;
        yield* await asked(() => resolved(edition, batch.value, read));
      }
    } finally {
      await batches.return(undefined);
    }
  }

  return {
    story: (key, read = {}) =>
      asked(async () => {
        checkKey("story()", key);
        checkOptions("story()", read, readOptions);
        const edition = await editions.open(read);
        const row = await rowOf(edition, key);
        const other = row === undefined ? await editionOfSlug(key, read, editions) : undefined;
        if (other === undefined) return byRow(edition, row, read);
        return byRow(other, await rowOf(other, key), read);
      }),
    page: (path, read = {}) =>
      asked(async () => {
        checkText("page()", path);
        checkOptions("page()", read, readOptions);
        const open = ({ language }: { language: string }) => editions.open({ ...read, language });
        const found = await findPage(path, { editions: editions.inAllLanguages(read), open, links });
        return found && byRow(found.edition, found.row, read);
      }),
    stories: (filter = {}, read = {}) => stories(filter, read),
    references: (filter = {}) =>
      asked(async () => {
        checkOptions("references()", filter, filterOptions);
        const edition = await editions.open(filter);
        await warnOfUnknownTypes("references()", filter, edition, editions);
        return (await edition.stories.rows(rowFilter(filter))).map((row) => referenceOf(edition, row));
      }),
    translations: (uuid) =>
      asked(async () => {
        checkText("translations()", uuid);
        return translationsOf(uuid, editions);
      }),
    components: (read = {}) => asked(async () => (await editions.open(read)).stories.components),
  };
}

/** The edition of the language in a slug such as `de/blog/first`, if the question names none. */
async function editionOfSlug(
  key: StoryKey,
  read: ReadOptions,
  editions: SnapshotEditions,
): Promise<OpenEdition | undefined> {
  const slug = typeof key === "string" ? key : "slug" in key ? key.slug : undefined;
  if (slug === undefined || read.language !== undefined) return undefined;
  const first = slug.replace(/^\/+/, "").split("/", 1)[0];
  const entry = editions.inAllLanguages(read).find(({ language }) => language === first && language !== "default");
  return entry && editions.open({ ...read, language: entry.language });
}

/** Warns about content types that no story has in any language. */
async function warnOfUnknownTypes(
  question: string,
  filter: StoryFilter,
  { stories }: OpenEdition,
  editions: SnapshotEditions,
): Promise<void> {
  const asked = [...(rowFilter(filter).components ?? [])].filter((name) => !stories.components.includes(name));
  if (asked.length === 0) return;
  const all = await Promise.all(
    editions.inAllLanguages(filter).map(({ language }) => editions.open({ ...filter, language })),
  );
  const known = [...new Set(all.flatMap((edition) => edition.stories.components))];
  for (const name of asked) if (!known.includes(name)) warnUnknown(question, "content type", name, known);
}

function storyResolution({ store, manifest, config, assets }: StoryQuestionsOptions) {
  let metadata: Promise<ReadonlyMap<number, AssetMetadataRecord>> | undefined;
  return async (edition: OpenEdition, stored: readonly StoredStory[], read: ReadOptions): Promise<Story[]> => {
    metadata ??= config.assets.metadata ? readAssetMetadata(store, manifest) : Promise.resolve(new Map());
    const { resolve = true, body = false } = read;
    const { richText = resolve ? config.content.richText : "document" } = read;
    const depth = resolve ? (read.depth ?? config.resolve.depth) : undefined;
    const indexedAt = (version: string, uuid: string) => readIndexed(store, manifest, version, uuid);
    const options = { edition, config, assets, indexedAt, assetMetadata: await metadata, depth, richText, body };
    return resolveStories(stored, options);
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

async function translationsOf(uuid: string, editions: SnapshotEditions): Promise<Translation[]> {
  const found = editions.inAllLanguages({}).map(async ({ language }) => {
    const edition = await editions.open({ language });
    const row = await edition.stories.row(uuid);
    if (row === undefined) return [];
    const { full_slug, name } = row;
    return [{ language, full_slug, name, url: edition.url(row), isDefault: language === "default" }];
  });
  return (await Promise.all(found)).flat();
}

function referenceOf({ entry, url }: OpenEdition, row: StoryRow): StoryReference {
  const { uuid, id, name, slug, full_slug, component, is_startpage, digest } = row;
  const { language } = entry;
  return { uuid, id, name, slug, full_slug, component, is_startpage, language, url: url(row), digest };
}

/** Stories read together if far apart, and at a time. */
const batchStories = 64;
const concurrency = 8;

async function* storedStories({ stories }: OpenEdition, filter: StoryFilter): AsyncGenerator<StoredStory[]> {
  if (filter.order === "stored") {
    yield* stories.stored(rowFilter(filter));
    return;
  }
  const rows = await stories.rows(rowFilter(filter));
  for (let start = 0; start < rows.length; start += batchStories) {
    const batch = rows.slice(start, start + batchStories);
    const found = await mapBounded(batch, concurrency, ({ uuid }) => stories.record(uuid));
    yield found.filter((stored) => stored !== undefined);
  }
}

function rowFilter({ component, startsWith = "" }: StoryFilter): RowFilter {
  const components = typeof component === "string" ? [component] : component;
  return { components: components && new Set(components), startsWith: startsWith.replace(/^\/+/, "") };
}

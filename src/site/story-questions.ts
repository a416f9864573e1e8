import { partRecords } from "../content/model/part-records.js";
import { linkTag, listTags } from "../content/resolve/cache-tags.js";
import { parseRecord } from "../contract/parse-record.js";
import { link as linkTable } from "../contract/record-table.js";
import type { AssetMetadataRecord } from "../contract/records.js";
import { Lru } from "../lib/collections/lru.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { uuid as uuidShape } from "../lib/shape.js";
import { parts } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { RowFilter } from "../snapshot/reader/index-questions.js";
import { rowText, type StoryRow } from "../snapshot/reader/index-rows.js";
import { indexedAddress, shortHash } from "../snapshot/reader/noting-reader.js";
import type { IndexedAddress } from "../snapshot/reader/reader.js";
import { storedRecord } from "../snapshot/reader/stored-story.js";
import type { Store } from "../snapshot/store/store.js";
import type { AssetFiles } from "./asset-files.js";
import { checkKey, checkOptions, checkText, filterOptions, readOptions, warnUnknown } from "./check-options.js";
import { findPage, rowOfSlug } from "./find-page.js";
import type { StoredStory } from "./loaded-stories.js";
import type { Note } from "./read-notes.js";
import { type ResolvedStory, resolveStories } from "./resolve-stories.js";
import type { ReadOptions, Snapshot, Story, StoryFilter, StoryKey, StoryReference, Translation } from "./snapshot.js";
import type { OpenEdition, SnapshotEditions } from "./snapshot-editions.js";
import type { SnapshotConfig } from "./snapshot-settings.js";
import { listedStories, NotedReference, questionOf, shownStory, storyFindings } from "./story-notes.js";

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

/** Many pages show the same lists. */
const keptRowHashes = 1_024;

/** @returns a function that gives the questions; its argument gets every answer */
export function storyQuestions(options: StoryQuestionsOptions): (note: Note | undefined) => StoryQuestions {
  const resolve = storyResolution(options);
  const findings = storyFindings(options);
  const rowHashes = new Lru<string, string>(keptRowHashes);
  return (note) => questionsWith(options, { note, resolve, findings, rowHashes });
}

interface Noting {
  note: Note | undefined;
  resolve: ReturnType<typeof storyResolution>;
  findings: ReturnType<typeof storyFindings>;
  /** Of lists of rows, by question. */
  rowHashes: Lru<string, string>;
}

function questionsWith(
  { config, editions, asked }: StoryQuestionsOptions,
  { note, resolve, findings, rowHashes }: Noting,
): StoryQuestions {
  const { links } = config.resolve;
  const isNoting = note !== undefined;
  const byRow = async (edition: OpenEdition, row: StoryRow | undefined, read: ReadOptions) => {
    const stored = row === undefined ? undefined : await edition.stories.record(row.uuid);
    const [found] = stored === undefined ? [] : await resolve(edition, [stored], read, isNoting);
    return found && shownStory(found, read, edition, note);
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
    const notePlace = listedStories(edition, filter, note);
    try {
      for (;;) {
        const batch = await asked(() => batches.next());
        if (batch.done === true) return notePlace(undefined);
        for (const found of await asked(() => resolve(edition, batch.value, read, isNoting))) {
          notePlace(found.story.uuid);
          yield shownStory(found, read, edition, note);
        }
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
        const found = { edition: other ?? edition, row: other === undefined ? row : await rowOf(other, key) };
        note?.(findings(["story", edition.entry.name, key], key, found));
        return byRow(found.edition, found.row, read);
      }),
    page: (path, read = {}) =>
      asked(async () => {
        checkText("page()", path);
        checkOptions("page()", read, readOptions);
        const open = ({ language }: { language: string }) => editions.open({ ...read, language });
        const languages = editions.inAllLanguages(read);
        const found = await findPage(path, { editions: languages, open, links });
        note?.(findings(["page", languages[0]?.name, path], path, found));
        return found && byRow(found.edition, found.row, read);
      }),
    stories: (filter = {}, read = {}) => stories(filter, read),
    references: (filter = {}) =>
      asked(async () => {
        checkOptions("references()", filter, filterOptions);
        const edition = await editions.open(filter);
        await warnOfUnknownTypes("references()", filter, edition, editions);
        const rows = await edition.stories.rows(rowFilter(filter));
        if (note === undefined) return rows.map((row) => referenceOf(edition, row));
        const question = questionOf("references", edition.entry.name, filter);
        const answer = rowHashes.get(question) ?? shortHash(rows.map(rowText).join("\n"));
        rowHashes.set(question, answer);
        note({ question, answer, tags: listTags(rowFilter(filter).components, edition.entry.language) });
        const list = { edition, note };
        return rows.map((row) => new NotedReference(row, list));
      }),
    translations: (uuid) =>
      asked(async () => {
        checkText("translations()", uuid);
        const found = await translationsOf(uuid, editions);
        const tags = found.map(({ component, language }) => linkTag(uuid, component, language));
        const answer = JSON.stringify(found);
        note?.({ question: `translations ${uuid}`, answer, tags: [linkTag(uuid, undefined, ""), ...tags] });
        return found.map(({ component: _, ...translation }) => translation);
      }),
    components: (read = {}) =>
      asked(async () => {
        const { entry, stories } = await editions.open(read);
        const answer = JSON.stringify(stories.components);
        note?.({ question: `components ${entry.name}`, answer, tags: listTags(undefined, entry.language) });
        return stories.components;
      }),
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
    const known = { edition, config, assets, indexedAt, assetMetadata: await metadata };
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

async function translationsOf(
  uuid: string,
  editions: SnapshotEditions,
): Promise<(Translation & { component: string })[]> {
  const found = editions.inAllLanguages({}).map(async ({ language }) => {
    const edition = await editions.open({ language });
    const row = await edition.stories.row(uuid);
    if (row === undefined) return [];
    const { full_slug, name, component } = row;
    return [{ language, full_slug, name, url: edition.url(row), isDefault: language === "default", component }];
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

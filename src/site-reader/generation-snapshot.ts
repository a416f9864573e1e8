import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AssetMetadataRecord } from "../contract/records.js";
import { isOffprintError, OffprintError } from "../errors.js";
import { contentFolderOf } from "../export/content-folder.js";
import { redirectsFile } from "../export/plan-content.js";
import { mapBounded } from "../map-bounded.js";
import { isObject, uuid as uuidShape } from "../shape.js";
import { contentHash } from "../snapshot/content-hash.js";
import { listGenerations } from "../snapshot/current-manifest.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import { manifestFile, parts } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import { readLines } from "../snapshot/read-part.js";
import type { Store } from "../store/store.js";
import { openAssetFiles } from "./asset-files.js";
import { createByteCache } from "./byte-cache.js";
import { checkKey, checkOptions, checkText, filterOptions, readOptions } from "./check-options.js";
import { readDatasourceEntries, readDatasources } from "./datasource-entries.js";
import type { StoredStory } from "./edition-stories.js";
import { findPage, rowOfSlug } from "./find-page.js";
import type { BlockLines } from "./index-file.js";
import { prunedGeneration } from "./pinned-generation.js";
import { resolveStories } from "./resolve-stories.js";
import { richTextAs, richTextContext } from "./rich-text-fields.js";
import type { RowFilter } from "./slug-list.js";
import type {
  OpenSnapshotOptions,
  ReadOptions,
  Redirect,
  Snapshot,
  Story,
  StoryFilter,
  StoryKey,
  StoryReference,
} from "./snapshot.js";
import { type OpenEdition, snapshotEditions } from "./snapshot-editions.js";
import type { SnapshotSettings } from "./snapshot-settings.js";
import type { StoryRow } from "./story-row.js";

export interface GenerationSnapshotOptions {
  store: Store;
  /** The same folder, for files that may be lost. */
  cache: Store;
  manifest: Manifest;
  settings: SnapshotSettings;
  options: OpenSnapshotOptions;
}

const defaultCacheBytes = 24 * 1024 * 1024;
/** How many stories are read together where they lie far apart, and how many at the same time. */
const batchStories = 64;
const concurrency = 8;

/** One generation as site code reads it. Nothing is read before it is asked for. */
export function createGenerationSnapshot(given: GenerationSnapshotOptions): Snapshot {
  const { store, manifest, settings, options } = given;
  const { config } = settings;
  const cacheBytes = options.cacheBytes ?? defaultCacheBytes;
  const bytes = createByteCache<BlockLines>(cacheBytes, (value) => value.bytes.length + value.starts.length * 4);
  const assets = openAssetFiles(store, manifest, config.assets, cacheBytes / 8);
  const editions = snapshotEditions({ ...given, bytes, cacheBytes, usual: options });
  let metadata: Promise<ReadonlyMap<number, AssetMetadataRecord>> | undefined;
  let isClosed = false;

  /** Runs a question, and says so where the generation was removed under it. */
  const asked = async <T>(question: () => Promise<T>): Promise<T> => {
    if (isClosed) throw closedSnapshot(manifest);
    try {
      return await question();
    } catch (error) {
      throw isOffprintError(error, "SNAPSHOT_DAMAGED") ? await orPruned(error, given) : error;
    }
  };
  const resolved = async (
    edition: OpenEdition,
    stored: readonly StoredStory[],
    read: ReadOptions,
  ): Promise<Story[]> => {
    metadata ??= config.assets.metadata ? readAssetMetadata(store, manifest) : Promise.resolve(new Map());
    const { resolve = true, body = false } = read;
    const { richText = resolve ? config.content.richText : "document" } = read;
    const depth = resolve ? (read.depth ?? config.resolve.depth) : undefined;
    const assetMetadata = await metadata;
    return resolveStories(stored, { edition, config, assets, assetMetadata, depth, richText, body });
  };
  const byRow = async (edition: OpenEdition, row: StoryRow | undefined, read: ReadOptions) => {
    const stored = row === undefined ? undefined : await edition.stories.record(row.uuid);
    return stored && (await resolved(edition, [stored], read))[0];
  };
  const rowOf = async (edition: OpenEdition, key: StoryKey): Promise<StoryRow | undefined> => {
    if (typeof key !== "string") {
      return "uuid" in key ? edition.stories.row(key.uuid) : rowOfSlug(edition, key.slug, config.resolve.links);
    }
    const row = uuidShape.is(key) ? await edition.stories.row(key) : undefined;
    return row ?? rowOfSlug(edition, key, config.resolve.links);
  };
  const context = richTextContext(config, (slug) => slug);

  async function* stories(filter: StoryFilter, read: ReadOptions): AsyncGenerator<Story> {
    const edition = await asked(async () => {
      checkOptions("stories()", filter, filterOptions);
      checkOptions("stories()", read, readOptions);
      return editions.open({ ...read, ...filter });
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
    manifest,
    generation: manifest.generation,
    cv: manifest.cv,
    level: manifest.level,
    languages: editions.inAllLanguages({}).map(({ language }) => language),
    version: editions.version,
    fingerprint: fingerprintOf(given),
    pointer: join(settings.dir, manifestFile),
    story: (key, read = {}) =>
      asked(async () => {
        checkKey("story()", key);
        checkOptions("story()", read, readOptions);
        const edition = await editions.open(read);
        return byRow(edition, await rowOf(edition, key), read);
      }),
    stories: (filter = {}, read = {}) => stories(filter, read),
    references: (filter = {}) =>
      asked(async () => {
        checkOptions("references()", filter, filterOptions);
        const edition = await editions.open(filter);
        return (await edition.stories.rows(rowFilter(filter))).map((row) => referenceOf(edition, row));
      }),
    page: (path, read = {}) =>
      asked(async () => {
        checkText("page()", path);
        checkOptions("page()", read, readOptions);
        const found = await findPage(path, {
          editions: editions.inAllLanguages(read),
          open: ({ language }) => editions.open({ ...read, language }),
          links: config.resolve.links,
        });
        return found && byRow(found.edition, found.row, read);
      }),
    translations: (uuid) =>
      asked(async () => {
        checkText("translations()", uuid);
        const found = editions.inAllLanguages({}).map(async ({ language }) => {
          const edition = await editions.open({ language });
          const row = await edition.stories.row(uuid);
          if (row === undefined) return [];
          const { full_slug, name } = row;
          return [{ language, full_slug, name, url: edition.url(full_slug), isDefault: language === "default" }];
        });
        return (await Promise.all(found)).flat();
      }),
    components: (read = {}) => asked(async () => (await editions.open(read)).stories.components),
    datasources: () => asked(async () => (await readDatasources(store, manifest)).map(({ slug }) => slug)),
    datasource: (slug) =>
      asked(async () => {
        const found = (await readDatasources(store, manifest)).find((one) => one.slug === slug);
        return found && readDatasourceEntries(store, manifest, found);
      }),
    redirects: () =>
      asked(() =>
        readRedirects(
          settings,
          editions.inAllLanguages({}).map(({ name }) => name),
        ),
      ),
    asset: (address) => asked(() => assets.bytes(address)),
    html: (document) => richTextAs("html", document, context),
    markdown: (document) => richTextAs("markdown", document, context),
    text: (document) => richTextAs("text", document, context),
    close,
    [Symbol.asyncDispose]: close,
  };

  async function close(): Promise<void> {
    isClosed = true;
    bytes.clear();
  }
}

function fingerprintOf({ manifest, settings: { config }, options }: GenerationSnapshotOptions): string {
  const { resolve, assets, content } = config;
  const { generation: _, cacheBytes: __, ...shaping } = options;
  return contentHash(JSON.stringify([manifest.checksum, resolve, assets, content, shaping]));
}

function rowFilter({ component, startsWith = "" }: StoryFilter): RowFilter {
  const components = typeof component === "string" ? [component] : component;
  return { components: components && new Set(components), startsWith: startsWith.replace(/^\/+/, "") };
}

/** The stories that fit, as they are stored, some at a time. */
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

function referenceOf({ entry, url }: OpenEdition, row: StoryRow): StoryReference {
  const { uuid, id, name, slug, full_slug, component, is_startpage, digest } = row;
  const { language } = entry;
  return { uuid, id, name, slug, full_slug, component, is_startpage, language, url: url(full_slug), digest };
}

async function readAssetMetadata(store: Store, { parts: all }: Manifest): Promise<Map<number, AssetMetadataRecord>> {
  const found = new Map<number, AssetMetadataRecord>();
  for (const shard of all[parts.assetMetadata]?.shards ?? []) {
    for (const line of await readLines(store, parts.assetMetadata, shard)) {
      const record: AssetMetadataRecord = JSON.parse(line);
      found.set(Number(record.id), record);
    }
  }
  return found;
}

async function readRedirects({ config }: SnapshotSettings, editions: readonly string[]): Promise<Redirect[]> {
  const file = join(contentFolderOf(config), redirectsFile);
  const text = await readFile(file, "utf8").catch(() => "[]");
  const lines = parsedLines(text);
  const found = new Map<string, Redirect>();
  for (const line of Array.isArray(lines) ? lines : []) {
    if (!isObject(line) || !editions.includes(String(line.edition))) continue;
    const { from, to } = line;
    if (typeof from === "string" && typeof to === "string") found.set(from, { from, to });
  }
  return [...found.values()];
}

/** @throws OffprintError `SNAPSHOT_DAMAGED` */
function parsedLines(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedFile(redirectsFile, "in the content tree is not JSON", cause);
  }
}

/** Where the generation itself is not kept any more, files that are missing are no damage. */
async function orPruned(
  error: OffprintError,
  { store, manifest, settings }: GenerationSnapshotOptions,
): Promise<OffprintError> {
  const kept = await listGenerations(store).catch(() => [manifest.generation]);
  return kept.includes(manifest.generation) ? error : prunedGeneration(manifest.generation, settings.dir, kept);
}

function closedSnapshot({ generation }: Manifest): OffprintError {
  return new OffprintError("USAGE", `The snapshot of generation ${generation} was closed before this question.`, {
    hint: "Call close() when the last page is rendered, or open another one with openSnapshot().",
  });
}

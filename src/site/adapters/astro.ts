import { readFile } from "node:fs/promises";
import {
  followSnapshot,
  openSnapshot,
  type PageSelection,
  readPages,
  type SitePage,
  type Snapshot,
  type SnapshotPlace,
  type WatchSnapshotOptions,
  watchSnapshot,
} from "../../index.js";
import {
  type CacheHint,
  type LiveEntry,
  type LiveLoader,
  type Loader,
  type LoaderContext,
  storableValue,
  warnOnce,
} from "./astro-content.js";

export type { SitePage } from "../../index.js";

/** Which stories a collection holds, and what an entry has. */
export interface OffprintLoaderOptions extends Omit<PageSelection, "body">, SnapshotPlace {
  /**
   * Id of an entry; default: the full slug without slashes at either end, and without the language's prefix where the
   * collection has one language. Ids of a collection have to differ; an empty one becomes `index`.
   */
  id?: (page: SitePage) => string;
  /** What `render(entry)` shows, as HTML; undefined: nothing. Default: the body of the story. */
  html?: (page: SitePage) => string | undefined;
}

/**
 * A loader for a content collection of Astro 5 or later:
 * `defineCollection({ loader: offprintLoader({ component: "article" }) })`. The data of an entry is a {@link SitePage}.
 *
 * Where the collection was loaded from this generation with the same options, nothing is set; nothing is read either,
 * unless an option is a function. Else only entries that differ are set, and those of stories that are gone are deleted.
 * The dev server loads a new generation as soon as it is committed; an integration that calls `refreshContent` makes it
 * do so too.
 */
export function offprintLoader(options: OffprintLoaderOptions = {}): Loader {
  const { id, html, ...plain } = options;
  const isPlain = id === undefined && html === undefined;
  return collectionLoader(options, {
    // What a function would give now is only known by calling it.
    options: isPlain ? plain : undefined,
    run: (snapshot, context) => updateStore(snapshot, options, context),
  });
}

/**
 * A loader for a collection of the entries of a datasource, by their names: `offprintDatasource("labels")`. The data of an
 * entry is `{ name, value, dimensions }`.
 *
 * @throws Error where the snapshot has no datasource of that slug
 */
export function offprintDatasource(slug: string, place: SnapshotPlace = {}): Loader {
  return collectionLoader(place, {
    options: { ...place, datasource: slug },
    run: (snapshot, context) => updateDatasource(snapshot, slug, context),
  });
}

async function updateDatasource(snapshot: Snapshot, slug: string, context: LoaderContext): Promise<void> {
  const { collection, logger, store, parseData, generateDigest } = context;
  const entries = await snapshot.datasource(slug);
  if (entries === undefined) throw new Error(`The snapshot has no datasource ${JSON.stringify(slug)}`);
  const gone = new Set(store.keys());
  const tell = warnOnce(context);
  for (const entry of entries) {
    const id = entry.name;
    if (id === "") {
      const value = JSON.stringify(entry.value);
      logger.warn(`${collection}: the datasource ${slug} has an entry without a name (${value}): it is left out`);
      continue;
    }
    gone.delete(id);
    const data = storableValue({ ...entry }, () => tell(id));
    const digest = generateDigest(data);
    if (store.get(id)?.digest !== digest) store.set({ id, data: await parseData({ id, data }), digest });
  }
  for (const id of gone) store.delete(id);
}

/** How a collection is brought up to a snapshot. */
interface Update {
  /** What decides on the result beside the snapshot; undefined: it cannot be compared, so that the update always runs. */
  options: object | undefined;
  run(snapshot: Snapshot, context: LoaderContext): Promise<void>;
}

/** Runs the update where the collection was loaded from something else, and again for each generation in the dev server. */
function collectionLoader(place: SnapshotPlace, update: Update): Loader {
  return {
    name: "offprint",
    async load(context) {
      const { pointer, address } = await loadGeneration(place, update, context);
      if (context.watcher === undefined) return;
      // What is seen of a store replaces the pointer on this machine.
      if (address.startsWith("s3:")) await watchSnapshot(place.dir, () => undefined, placeOptions(place));
      const reload = () => loadGeneration(place, update, { ...context, refreshContextData: {} });
      followPointer(context.watcher, pointer, reload, context.logger);
    },
  };
}

/** Where the metadata of a collection keeps what it was loaded from. */
const loadedFrom = "offprint";

function placeOptions({ snapshot: { config, store } = {} }: SnapshotPlace): WatchSnapshotOptions {
  return { ...(config === undefined ? {} : { config }), ...(store === undefined ? {} : { store }) };
}

/** Brings the store up to the generation that is read. */
async function loadGeneration(
  place: SnapshotPlace,
  update: Update,
  context: LoaderContext,
): Promise<Pick<Snapshot, "address" | "pointer">> {
  const { meta, refreshContextData } = context;
  const snapshot = await openSnapshot(place.dir, {
    ...place.snapshot,
    ...(refreshContextData === undefined ? {} : { generation: "latest" }),
  });
  try {
    const from = JSON.stringify([snapshot.fingerprint, await packageVersion(), update.options ?? null]);
    if (update.options === undefined || meta.get(loadedFrom) !== from) {
      await update.run(snapshot, context);
      meta.set(loadedFrom, from);
    }
    const { address, pointer } = snapshot;
    return { address, pointer };
  } finally {
    await snapshot.close();
  }
}

/** Another version of this package may make something else of the same story. Empty where a bundler moved this file. */
async function packageVersion(): Promise<string> {
  try {
    const manifest: { version?: unknown } = JSON.parse(
      await readFile(new URL("../../../../package.json", import.meta.url), "utf8"),
    );
    return String(manifest.version ?? "");
  } catch {
    return "";
  }
}

async function updateStore(snapshot: Snapshot, options: OffprintLoaderOptions, context: LoaderContext): Promise<void> {
  const { collection, store, logger } = context;
  const gone = new Set(store.keys());
  const seen = new Map<string, string>();
  const tell = warnOnce(context);
  for await (const page of readPages(snapshot, { ...options, body: true })) {
    const id = entryId(page, options);
    const other = seen.get(id);
    if (other !== undefined)
      logger.warn(`${collection}: ${page.full_slug} has the id of ${other}, ${id}: it is left out`);
    if (other !== undefined) continue;
    seen.set(id, page.full_slug);
    gone.delete(id);
    const entry = storableValue(shownAs(page, options.html), () => tell(page.full_slug));
    await setEntry(id, entry, context);
  }
  for (const id of gone) store.delete(id);
}

async function setEntry(
  id: string,
  entry: ReturnType<typeof shownAs>,
  { store, parseData, generateDigest }: LoaderContext,
): Promise<void> {
  // Of all that a page shows: the digest of its record would miss a relation that got another name.
  const digest = generateDigest({ ...entry });
  if (store.get(id)?.digest === digest) return;
  store.set({ id, ...entry, data: await parseData({ id, data: entry.data }), digest });
}

/** What an entry has: the story without its body as data, and the body as what is rendered. */
function shownAs(page: SitePage, html: OffprintLoaderOptions["html"]) {
  const { body, ...data } = page;
  const shown = html === undefined ? body : html(page);
  return { data, ...(shown === undefined ? {} : { rendered: { html: shown } }) };
}

function entryId(page: SitePage, { id, languages = "all" }: OffprintLoaderOptions): string {
  if (id !== undefined) return id(page) || rootId;
  const slug = page.full_slug.replace(/^\/+|\/+$/g, "");
  const hasOneLanguage = languages !== "all" && languages.length === 1;
  // The default language has no prefix.
  if (!hasOneLanguage || page.language === "default") return slug || rootId;
  if (slug === page.language) return rootId;
  const prefix = `${page.language}/`;
  return slug.startsWith(prefix) ? slug.slice(prefix.length) : slug;
}

/** Astro ends a load where an id is empty. */
const rootId = "index";

/** Loads again whenever the pointer is replaced, one load after the other. */
function followPointer(
  watcher: NonNullable<LoaderContext["watcher"]>,
  pointer: string,
  reload: () => Promise<unknown>,
  logger: LoaderContext["logger"],
): void {
  let last: Promise<unknown> = Promise.resolve();
  const onChange = (path: string): void => {
    if (path !== pointer) return;
    last = last
      .then(reload)
      .catch((error: unknown) => logger.error(error instanceof Error ? error.message : String(error)));
  };
  watcher.add(pointer);
  watcher.on("change", onChange);
  // A file that is replaced by a rename may be told as a new one.
  watcher.on("add", onChange);
}

/** How a live entry is asked for: by its path on the site, its uuid, or its full slug. */
export interface LiveEntryFilter {
  /** Path of the page, `/de/journal`. What `getLiveEntry(collection, "…")` takes. */
  id?: string;
  uuid?: string;
  slug?: string;
  /** With `uuid` or `slug`; default: the default language. */
  language?: string;
}

/**
 * A loader for a live collection of Astro, whose pages are rendered when they are asked for:
 * `defineLiveCollection({ loader: offprintLiveLoader() })`. It reads the newest generation, also one that is committed
 * while the server runs. The cache hint of an entry has the story's uuid as its tag, so that a cache can drop what the
 * changes of a sync name as changed, removed or affected. The id of an entry is its path on the site.
 */
export function offprintLiveLoader(
  options: Omit<OffprintLoaderOptions, "id"> = {},
): LiveLoader<SitePage, LiveEntryFilter, PageSelection> {
  const newest = followSnapshot(options.dir, options.snapshot);
  return {
    name: "offprint-live",
    loadEntry: ({ filter }) =>
      orError(async () => {
        const snapshot = await newest();
        const page = await findPage(snapshot, filter, options);
        return page === undefined ? undefined : liveEntry(page, options);
      }),
    loadCollection: ({ filter }) =>
      orError(async () => {
        const snapshot = await newest();
        const entries: LiveEntry<SitePage>[] = [];
        for await (const page of readPages(snapshot, { ...options, ...filter, body: true })) {
          entries.push(liveEntry(page, options));
        }
        return { entries, cacheHint: hintOf(entries.map(({ data }) => data)) };
      }),
  };
}

async function findPage(
  snapshot: Snapshot,
  { id, uuid, slug, language }: LiveEntryFilter,
  { version, release, depth, richText }: PageSelection,
): Promise<SitePage | undefined> {
  const how = { version, release, depth, richText, body: true };
  const given = Object.fromEntries(Object.entries(how).filter(([, value]) => value !== undefined));
  const edition = language === undefined ? given : { ...given, language };
  const story =
    id !== undefined
      ? await snapshot.page(id, given)
      : uuid !== undefined || slug !== undefined
        ? await snapshot.story(uuid !== undefined ? { uuid } : { slug: slug ?? "" }, edition)
        : undefined;
  return story === undefined ? undefined : { ...story, translations: await snapshot.translations(story.uuid) };
}

function liveEntry(page: SitePage, { html }: OffprintLoaderOptions): LiveEntry<SitePage> {
  return { id: page.url, ...shownAs(page, html), cacheHint: hintOf([page]) };
}

function hintOf(pages: readonly SitePage[]): CacheHint {
  const times = pages.map((page) => Date.parse(page.published_at ?? page.updated_at ?? "")).filter(Number.isFinite);
  return {
    tags: [...new Set(pages.map(({ uuid }) => uuid))],
    ...(times.length === 0 ? {} : { lastModified: new Date(times.reduce((a, b) => Math.max(a, b))) }),
  };
}

/** Astro wants errors as values. */
async function orError<T>(load: () => Promise<T>): Promise<T | { error: Error }> {
  try {
    return await load();
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

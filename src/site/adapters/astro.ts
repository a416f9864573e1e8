import { readFile } from "node:fs/promises";
import {
  followSnapshot,
  openSnapshot,
  type PageSelection,
  readPages,
  type SitePage,
  type Snapshot,
  type SnapshotPlace,
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

/** Which stories a collection has, and what an entry has. */
export interface OffprintLoaderOptions extends Omit<PageSelection, "body">, SnapshotPlace {
  /**
   * Id of an entry; default: the full slug without outer slashes, and without the language prefix
   * if the collection has one language. Must be unique in the collection; an empty one becomes
   * `index`.
   */
  id?: (page: SitePage) => string;
  /**
   * What `render(entry)` shows, as HTML, or undefined for nothing. Default: the body of the story.
   */
  html?: (page: SitePage) => string | undefined;
}

/**
 * A loader for a content collection of Astro 5 or later: `defineCollection({ loader:
 * offprintLoader({ component: "article" }) })`. The data of an entry is a {@link SitePage}. Sets
 * only entries that differ, and deletes those whose story was deleted. If neither the generation
 * nor the options changed, it sets nothing, and reads nothing unless an option is a function. The
 * dev server loads each new generation as soon as it is committed, and when an integration calls
 * `refreshContent`.
 */
export function offprintLoader(options: OffprintLoaderOptions = {}): Loader {
  const { id, html, ...plain } = options;
  const isPlain = id === undefined && html === undefined;
  return collectionLoader(options, {
    // Only calling a function shows what it returns now.
    options: isPlain ? plain : undefined,
    run: (snapshot, context) => updateStore(snapshot, options, context),
  });
}

/**
 * A loader for the entries of a datasource, by name: `offprintDatasource("labels")`. The data of an
 * entry is `{ name, value, dimensions }`.
 * @throws Error if the snapshot has no datasource with that slug
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

interface Update {
  /** What the result depends on besides the snapshot. Undefined: the update always runs. */
  options: object | undefined;
  run(snapshot: Snapshot, context: LoaderContext): Promise<void>;
}

/** Runs the update unless the collection is up to date; in the dev server, for each generation. */
function collectionLoader(place: SnapshotPlace, update: Update): Loader {
  return {
    name: "offprint",
    async load(context) {
      const { pointer, address } = await loadGeneration(place, update, context);
      if (context.watcher === undefined) return;
      // For a store, replaces the local pointer file when a newer generation appears.
      if (address.startsWith("s3:")) await watchSnapshot(place.dir, () => undefined, place.snapshot);
      const reload = () => loadGeneration(place, update, { ...context, refreshContextData: {} });
      followPointer(context.watcher, pointer, reload, context.logger);
    },
  };
}

const loadedFrom = "offprint";

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

/** Another version may render a story differently. Empty if a bundler moved this file. */
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
  // Digests all that a page shows: the record's digest would miss a renamed relation.
  const digest = generateDigest({ ...entry });
  if (store.get(id)?.digest === digest) return;
  store.set({ id, ...entry, data: await parseData({ id, data: entry.data }), digest });
}

/** An entry: the story without its body as data, and the body as rendered HTML. */
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

/** Astro rejects an empty id. */
const rootId = "index";

/** Loads again for each replaced pointer, one load at a time. */
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
  // A file replaced by a rename may be reported as new.
  watcher.on("add", onChange);
}

/** A live entry by its path on the site, its uuid, or its full slug. */
export interface LiveEntryFilter {
  /** Path of the page, `/de/journal`: what `getLiveEntry(collection, "…")` takes. */
  id?: string;
  uuid?: string;
  slug?: string;
  /** For `uuid` or `slug`; default: the default language. */
  language?: string;
}

/**
 * A loader for a live collection of Astro, which renders pages on request: `defineLiveCollection({
 * loader: offprintLiveLoader() })`. Reads the newest generation, even one committed while the
 * server runs. An entry's cache hint has the story's uuid and the tags of `Snapshot.track` as its
 * tags, so a cache can drop the entries that `offprint changes` names. The id of an entry is its
 * path.
 */
export function offprintLiveLoader(
  options: Omit<OffprintLoaderOptions, "id"> = {},
): LiveLoader<SitePage, LiveEntryFilter, PageSelection> {
  const newest = followSnapshot(options.dir, options.snapshot);
  return {
    name: "offprint-live",
    loadEntry: ({ filter }) =>
      orError(async () => {
        const { value: page, tags } = await (await newest()).track((s) => findPage(s, filter, options));
        return page === undefined ? undefined : liveEntry(page, options, tags);
      }),
    loadCollection: ({ filter }) =>
      orError(async () => {
        const { value: pages, tags } = await (await newest()).track(async (snapshot) => {
          const found: SitePage[] = [];
          for await (const page of readPages(snapshot, { ...options, ...filter, body: true })) found.push(page);
          return found;
        });
        return { entries: pages.map((page) => liveEntry(page, options)), cacheHint: hintOf(pages, tags) };
      }),
  };
}

async function findPage(
  snapshot: Snapshot,
  { id, uuid, slug, language }: LiveEntryFilter,
  { version, release, depth, richText }: PageSelection,
): Promise<SitePage | undefined> {
  const given = (options: object) =>
    Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const edition = given({ version, release });
  const how = { ...edition, ...given({ depth, richText }), body: true };
  const story =
    id !== undefined
      ? await snapshot.page(id, how)
      : uuid !== undefined || slug !== undefined
        ? await snapshot.story(uuid !== undefined ? { uuid } : { slug: slug ?? "" }, { ...how, ...given({ language }) })
        : undefined;
  return story === undefined ? undefined : { ...story, translations: await snapshot.translations(story.uuid, edition) };
}

function liveEntry(page: SitePage, { html }: OffprintLoaderOptions, tags: readonly string[] = []): LiveEntry<SitePage> {
  return { id: page.url, ...shownAs(page, html), cacheHint: hintOf([page], tags) };
}

function hintOf(pages: readonly SitePage[], tags: readonly string[]): CacheHint {
  const times = pages.map((page) => Date.parse(page.published_at ?? page.updated_at ?? "")).filter(Number.isFinite);
  return {
    tags: [...new Set([...pages.map(({ uuid }) => uuid), ...tags])],
    ...(times.length === 0 ? {} : { lastModified: new Date(times.reduce((a, b) => Math.max(a, b))) }),
  };
}

/** Astro expects errors as values. */
async function orError<T>(load: () => Promise<T>): Promise<T | { error: Error }> {
  try {
    return await load();
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

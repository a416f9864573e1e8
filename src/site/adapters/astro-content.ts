/** The parts of `astro/loaders` (5 and later) and `LiveLoader` in use, without importing Astro. */
export interface Loader {
  name: string;
  load(context: LoaderContext): Promise<void>;
}

export interface LoaderContext {
  collection: string;
  store: DataStore;
  meta: { get(key: string): string | undefined; set(key: string, value: string): void };
  logger: { info(message: string): void; warn(message: string): void; error(message: string): void };
  parseData(entry: { id: string; data: Record<string, unknown> }): Promise<Record<string, unknown>>;
  generateDigest(data: Record<string, unknown> | string): string;
  /** Only in the dev server. */
  watcher?: Watcher | undefined;
  /** Passed by an integration that refreshes content. */
  refreshContextData?: Record<string, unknown> | undefined;
}

export interface DataStore {
  get(id: string): { digest?: number | string } | undefined;
  set(entry: DataEntry): boolean;
  keys(): string[];
  delete(id: string): void;
}

export interface DataEntry {
  id: string;
  data: Record<string, unknown>;
  digest?: string;
  rendered?: { html: string };
}

export interface Watcher {
  add(path: string): unknown;
  on(event: "add" | "change", listener: (path: string) => void): unknown;
}

export interface LiveLoader<Data, EntryFilter, CollectionFilter> {
  name: string;
  loadEntry(context: { filter: EntryFilter }): Promise<LiveEntry<Data> | undefined | { error: Error }>;
  loadCollection(context: { filter?: CollectionFilter }): Promise<LiveCollection<Data> | { error: Error }>;
}

export interface LiveEntry<Data> {
  id: string;
  data: Data;
  rendered?: { html: string };
  cacheHint?: CacheHint;
}

export interface LiveCollection<Data> {
  entries: LiveEntry<Data>[];
  cacheHint?: CacheHint;
}

export interface CacheHint {
  tags?: string[];
  lastModified?: Date;
}

/** Drops fields named `__proto__`, at any depth: one in Astro's store ends the build. */
export function storableValue<T>(value: T, onLeftOut: () => void): T;
export function storableValue(value: unknown, onLeftOut: () => void): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => storableValue(one, onLeftOut));
  const fields = Object.entries(value).filter(([name]) => {
    if (name === "__proto__") onLeftOut();
    return name !== "__proto__";
  });
  return Object.fromEntries(fields.map(([name, field]) => [name, storableValue(field, onLeftOut)]));
}

/** Logs the first field of a collection that cannot be stored. */
export function warnOnce({ collection, logger }: LoaderContext): (where: string) => void {
  let isTold = false;
  return (where) => {
    if (isTold) return;
    isTold = true;
    logger.warn(
      `${collection}: ${where} has a field named __proto__, which Astro cannot store: such fields are left out`,
    );
  };
}

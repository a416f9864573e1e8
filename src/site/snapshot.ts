import type { Blok, StoryRecord } from "../contract/records.js";
import type { Level, Manifest } from "../snapshot/manifest.js";

/**
 * One generation of a snapshot for site code: stories resolved for display. Loads shards on demand,
 * and keeps at most {@link OpenSnapshotOptions.cacheBytes} of them in memory. Every method throws
 * `SNAPSHOT_DAMAGED` for a missing or wrong file, and `SNAPSHOT_MISSING` if the generation has been
 * pruned.
 */
export interface Snapshot extends AsyncDisposable {
  readonly manifest: Manifest;
  readonly generation: number;
  readonly cv: number | null;
  readonly level: Level;
  /** Language codes, the default language (`default`) first. */
  readonly languages: readonly string[];
  /** The default version of a question. */
  readonly version: "published" | "draft";
  /** Differs whenever answers may differ: in another generation, or under other settings. */
  readonly fingerprint: string;
  /** The absolute path of the output folder, or `s3://bucket/prefix`. */
  readonly address: string;
  /**
   * Absolute path of the file that every commit replaces, for a development server to watch. For a
   * store, a local file that `watchSnapshot` replaces when it finds a newer generation.
   */
  readonly pointer: string;
  /**
   * The story with that uuid or slug; undefined if the edition has none. Ignores outer slashes of a
   * slug. A slug that begins with a language finds that language's story, unless the options name a
   * language.
   */
  story(key: StoryKey, options?: ReadOptions): Promise<Story | undefined>;
  /** The matching stories one by one, in the filter's order; default: by full slug. */
  stories(filter?: StoryFilter, options?: ReadOptions): AsyncIterable<Story>;
  /** The matching stories, from the index alone, in the order of full slugs: for lists. */
  references(filter?: Omit<StoryFilter, "order">): Promise<readonly StoryReference[]>;
  /**
   * The page at a path of the site (`/de/blog/first`, `/`), in its language. Ignores a final slash.
   */
  page(path: string, options?: Omit<ReadOptions, "language">): Promise<Story | undefined>;
  /** The story in every language that has it, with its URL: for a switcher and for `hreflang`. */
  translations(uuid: string, options?: Omit<EditionOptions, "language">): Promise<readonly Translation[]>;
  /** Content types of an edition in code-unit order. */
  components(options?: EditionOptions): Promise<readonly string[]>;
  /** The taxonomies with all their terms; none if the snapshot has no taxonomies. */
  terms(): Promise<readonly Term[]>;
  /** The slugs of the datasources. */
  datasources(): Promise<readonly string[]>;
  /** The entries of a datasource, in order; undefined if the snapshot has none with that slug. */
  datasource(slug: string): Promise<readonly DatasourceEntry[] | undefined>;
  /**
   * Addresses of earlier generations, each with its current one, as the content tree records them.
   */
  redirects(): Promise<readonly Redirect[]>;
  /** Bytes of an asset by its `src` or upstream address; undefined if not downloaded. */
  asset(address: string): Promise<Uint8Array | undefined>;
  /** Rich text as HTML, with links and images resolved as in {@link story}. */
  html(document: unknown): string;
  /** Rich text as Markdown. */
  markdown(document: unknown): string;
  /** Rich text as plain text, one line per block. */
  text(document: unknown): string;
  /**
   * Runs a function with a snapshot that notes each answer that the function reads, and returns its
   * value with a key and tags for caches. The key is the same exactly while all these answers are,
   * in every generation and under the same settings: a page that shows nothing else needs no new
   * build. Missing stories count too, and of a list the stories that were read, or the rows. Tags name what was
   * read: `offprint changes` lists those to purge. Only counts reads before the function returns,
   * and not those of the outer snapshot. Rejects with the error of the function.
   */
  track<T>(read: (snapshot: Snapshot) => T | Promise<T>): Promise<Tracked<T>>;
  /** Frees the memory. Later questions throw. */
  close(): Promise<void>;
}

/** The result of {@link Snapshot.track}. */
export interface Tracked<T> {
  value: T;
  /** 22 letters, digits, `-` and `_`. Without any read, always the same. */
  key: string;
  /** At most 64. Without any read, none. */
  tags: readonly string[];
}

export interface OpenSnapshotOptions extends EditionOptions {
  /**
   * The generation to read. `pinned`: the one that this build opened first, in every process and
   * worker started later (through the environment variable `OFFPRINT_PINNED`). `latest`: the newest
   * one now. Default: `pinned`, or `latest` if `NODE_ENV` is `development`.
   */
  generation?: "pinned" | "latest" | number;
  /** The configuration file; default: `sync.config.yaml` in the working folder, if any. */
  config?: string;
  /** `resolve.links` of the configuration. */
  links?: { pattern?: string; home?: string | readonly string[]; use?: "path" | "slug" };
  /** `assets.baseUrl` of the configuration: precedes `<hash>/<name>` in `src`. */
  assetBaseUrl?: string;
  /** `resolve.relations` of the configuration. */
  relations?: "all" | "none" | readonly string[];
  /** Default depth of embedded relations; default: `resolve.depth` of the configuration, 0. */
  depth?: number;
  /** Bytes of shards and indexes kept in memory; default 24 MB. */
  cacheBytes?: number;
  /** How to reach a store, if an address is given instead of a folder. */
  store?: StoreOptions;
}

/**
 * How to read `s3://bucket/prefix`. The key comes from the usual AWS variables or a profile, and
 * only needs read access.
 */
export interface StoreOptions {
  /** Storage address; default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, or AWS. */
  endpoint?: string;
  /** Default: AWS_REGION, AWS_DEFAULT_REGION, the profile, or us-east-1. */
  region?: string;
  /** Puts the bucket into the path instead of the host name; default: if there is an endpoint. */
  pathStyle?: boolean;
  /** Profile of the AWS configuration files; default: AWS_PROFILE, or default. */
  profile?: string;
  /**
   * Local cache folder of the store; default: a folder named after the address in
   * `$XDG_CACHE_HOME/offprint`, or `~/.cache/offprint`.
   */
  cacheDir?: string;
  /** How often `followSnapshot` looks for a newer generation, in milliseconds; default 10,000. */
  intervalMs?: number;
}

/** The edition that a question is about. */
export interface EditionOptions {
  /** Default: published, if the snapshot has it. */
  version?: "published" | "draft";
  /** Id of a release; default: none. */
  release?: string;
  /** Default: `default`. */
  language?: string;
}

export interface ReadOptions extends EditionOptions {
  /** 0: references with `uuid`, `full_slug`, `name`, `component`, `url`; n: embedded n deep. */
  depth?: number;
  /**
   * False: the record as stored, plus only `url` and `language`; several times faster for all of a
   * large space. Default: true.
   */
  resolve?: boolean;
  /** The form of rich text; default: `content.richText`, which defaults to the document. */
  richText?: "document" | "html" | "markdown" | "text";
  /** Adds the `body` to the story. */
  body?: boolean;
  /**
   * Leaves out all but these fields, `uuid` and `language`: `["name", "url", "content.teaser"]`.
   * In {@link Snapshot.track}, changes of other fields then leave the key as it is. Default: all.
   */
  fields?: readonly string[];
}

export type StoryKey = string | { uuid: string } | { slug: string };

/** All given conditions must hold. */
export interface StoryFilter extends EditionOptions {
  /** Content types. */
  component?: string | readonly string[];
  /** Prefix of the full slug without language: `blog/`. */
  startsWith?: string;
  /**
   * Terms, of which a story carries at least one. By path (`topics/water/harbour`), by name within a
   * taxonomy (`topics/harbour`), or by id; with a final slash (`topics/water/`) also the terms below.
   * The first such question reads all stories of the edition.
   */
  term?: string | readonly string[];
  /**
   * True: only stories that are pages of the site, so none of settings or menus, as in the content
   * tree (`content.types.<type>.markdown`).
   */
  pages?: boolean;
  /**
   * The order of {@link Snapshot.stories}. `slug`: by full slug without language, in code-unit
   * order. `stored`: as in the snapshot; reads each shard once, which is several times faster if
   * the space is larger than {@link OpenSnapshotOptions.cacheBytes}. Default: `slug`.
   */
  order?: "slug" | "stored";
}

/**
 * A story as the upstream delivered it, with relations, links and assets resolved, and `url`. Asset
 * fields and images in rich text also get `src`, and `width` and `height` if known.
 */
export type Story<Content = Blok> = Omit<StoryRecord, "content" | "taxonomy_terms"> & {
  /** Only in a space with taxonomies; without paths if {@link ReadOptions.resolve} is false. */
  taxonomy_terms?: StoryTerm[];
  url: string;
  /** The edition's language: `default`, `de`. */
  language: string;
  content: Content;
  /**
   * With {@link ReadOptions.body}: the content of the story's Markdown file as HTML, that is the
   * fields named by `content.types`, or all rich text, blocks, and texts that are Markdown by their
   * name.
   */
  body?: string;
};

/** A term that a story carries. */
export type StoryTerm = NonNullable<StoryRecord["taxonomy_terms"]>[number] & {
  /** The names from the taxonomy down to the term: `topics/water/harbour`. */
  path: string;
};

/** A term of a taxonomy, or the taxonomy itself. */
export interface Term {
  readonly id: string;
  readonly name: string;
  /** The name for readers; the name if it has none. */
  readonly display_name: string;
  readonly description: string | null;
  /** The names from the taxonomy down to the term. Two terms of one name at one place share it. */
  readonly path: string;
  /** The terms below it, in the platform's order. */
  readonly children: readonly Term[];
}

/** A story's entry in the index. */
export interface StoryReference {
  uuid: string;
  id: number;
  name: string;
  slug: string;
  full_slug: string;
  component: string;
  is_startpage: boolean;
  language: string;
  url: string;
  /** A short hash of the stored record: equal hashes mean equal records. */
  digest: string;
}

export interface Translation {
  language: string;
  full_slug: string;
  name: string;
  url: string;
  /** Whether it is the requested language, or the snapshot's default. */
  isDefault: boolean;
}

export interface DatasourceEntry {
  name: string;
  value: string;
  /** The value in each dimension by its `entry_value`; null if missing. */
  dimensions: Readonly<Record<string, string | null>>;
}

export interface Redirect {
  from: string;
  to: string;
}

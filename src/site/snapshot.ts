import type { Blok, StoryRecord } from "../contract/records.js";
import type { Level, Manifest } from "../snapshot/manifest.js";

/**
 * One generation of a snapshot, as site code reads it: stories resolved to what a page shows. Shards are loaded when
 * they are asked for, and at most {@link OpenSnapshotOptions.cacheBytes} of them stay in memory.
 *
 * Every method throws `SNAPSHOT_DAMAGED` for a file that is missing or is not what the manifest names, and
 * `SNAPSHOT_MISSING` where the generation was pruned meanwhile.
 */
export interface Snapshot extends AsyncDisposable {
  readonly manifest: Manifest;
  readonly generation: number;
  readonly cv: number | null;
  readonly level: Level;
  /** Codes of the languages, the default language (`default`) first. */
  readonly languages: readonly string[];
  /** The version that is read where a question names none. */
  readonly version: "published" | "draft";
  /** Another one where the same question may have another answer: of another generation, or under other settings. */
  readonly fingerprint: string;
  /** Where the snapshot lies: the absolute path of the output folder, or `s3://bucket/prefix`. */
  readonly address: string;
  /**
   * Absolute path of the file that every commit replaces: for the watcher of a development server. Of a store, a file of this
   * machine that is replaced when a newer generation is seen: `watchSnapshot` looks for one.
   */
  readonly pointer: string;
  /**
   * The story of that uuid or slug; undefined where the edition has none. Of a slug, slashes at either end do not matter. A
   * slug that begins with a language finds the story of that language, if the options name none.
   */
  story(key: StoryKey, options?: ReadOptions): Promise<Story | undefined>;
  /** The stories that fit, one by one, in the order that the filter names: by default that of their full slugs. */
  stories(filter?: StoryFilter, options?: ReadOptions): AsyncIterable<Story>;
  /** What a list or a menu shows of the stories that fit: from the index alone, in the order of full slugs. */
  references(filter?: Omit<StoryFilter, "order">): Promise<readonly StoryReference[]>;
  /** The page at a path of the site (`/de/blog/first`, `/`), in its language; a slash at the end does not matter. */
  page(path: string, options?: Omit<ReadOptions, "language">): Promise<Story | undefined>;
  /** The story in every language that has it, with its URL there: for a switcher and for `hreflang`. */
  translations(uuid: string): Promise<readonly Translation[]>;
  /** Content types of an edition in code-unit order. */
  components(options?: EditionOptions): Promise<readonly string[]>;
  /** The slugs of the datasources. */
  datasources(): Promise<readonly string[]>;
  /** The entries of a datasource, in order; undefined where the snapshot has none of that slug. */
  datasource(slug: string): Promise<readonly DatasourceEntry[] | undefined>;
  /** Addresses that stories had in earlier generations, as far as the content tree notes them, with where they are now. */
  redirects(): Promise<readonly Redirect[]>;
  /** Bytes of an asset that a story names, by its `src` or by its address upstream; undefined where it was not fetched. */
  asset(address: string): Promise<Uint8Array | undefined>;
  /** Rich text as HTML, with its links and images resolved as in {@link story}. */
  html(document: unknown): string;
  /** Rich text as Markdown. */
  markdown(document: unknown): string;
  /** Rich text as plain text, a line for each block. */
  text(document: unknown): string;
  /** Gives the memory back. A question after that throws. */
  close(): Promise<void>;
}

export interface OpenSnapshotOptions extends EditionOptions {
  /**
   * Which generation is read. `pinned`: the one that this build opened first, in every process and worker that it
   * starts later (through the environment variable `OFFPRINT_PINNED`). `latest`: the newest one now. Default: `pinned`,
   * and `latest` where `NODE_ENV` is `development`.
   */
  generation?: "pinned" | "latest" | number;
  /** The configuration file whose settings shape URLs and assets; default: `sync.config.yaml` in the working folder, where there is one. */
  config?: string;
  /** `resolve.links` of the configuration. */
  links?: { pattern?: string; home?: string };
  /** `assets.baseUrl` of the configuration: what stands before `<hash>/<name>` in `src`. */
  assetBaseUrl?: string;
  /** `resolve.relations` of the configuration. */
  relations?: "all" | "none" | readonly string[];
  /** How deep relations are embedded where a question does not say; default: `resolve.depth` of the configuration, 0. */
  depth?: number;
  /** How many bytes of shards and indexes stay in memory; default 24 MB. */
  cacheBytes?: number;
  /** How a store is reached whose address is given in place of a folder. */
  store?: StoreOptions;
}

/** How `s3://bucket/prefix` is read. The key comes from the usual AWS variables or a profile; it need not allow to write. */
export interface StoreOptions {
  /** Where the storage answers; default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile, or AWS itself. */
  endpoint?: string;
  /** Default: AWS_REGION, AWS_DEFAULT_REGION, the profile, or us-east-1. */
  region?: string;
  /** Whether the bucket stands in the path and not in the host name; default: where there is an endpoint. */
  pathStyle?: boolean;
  /** Profile of the AWS configuration files; default: AWS_PROFILE, or default. */
  profile?: string;
  /** What is kept of the store on this machine; default: a folder of the address in `$XDG_CACHE_HOME/offprint`, or `~/.cache/offprint`. */
  cacheDir?: string;
  /** How often `followSnapshot` asks whether there is a newer generation, in milliseconds; default 10,000. */
  intervalMs?: number;
}

/** Which edition a question is about. */
export interface EditionOptions {
  /** Default: published where the snapshot has it. */
  version?: "published" | "draft";
  /** Id of a release; default: none. */
  release?: string;
  /** Default: `default`. */
  language?: string;
}

export interface ReadOptions extends EditionOptions {
  /** 0: a relation is a reference with `uuid`, `full_slug`, `name`, `component`, `url`; n: embedded n levels deep. */
  depth?: number;
  /** False: the record as it is stored, with `url` and `language` alone; several times as fast for all of a large space. Default: true. */
  resolve?: boolean;
  /** What rich text becomes; default: `content.richText` of the configuration, the document. */
  richText?: "document" | "html" | "markdown" | "text";
  /** Whether the story has its `body` too. */
  body?: boolean;
}

export type StoryKey = string | { uuid: string } | { slug: string };

/** All given conditions have to hold. */
export interface StoryFilter extends EditionOptions {
  /** Content types. */
  component?: string | readonly string[];
  /** The beginning of the full slug without language: `blog/`. */
  startsWith?: string;
  /**
   * The order of {@link Snapshot.stories}. `slug`: by full slug without language, in code-unit order. `stored`: as they
   * lie in the snapshot; each shard is read once, which is several times as fast where the space is larger than
   * {@link OpenSnapshotOptions.cacheBytes}. Default: `slug`.
   */
  order?: "slug" | "stored";
}

/**
 * A story as the upstream delivered it, with relations, links and assets resolved, and `url`. Asset fields, and images
 * in rich text, have `src`, `width` and `height` (where known) beside what they had.
 */
export type Story<Content = Blok> = Omit<StoryRecord, "content"> & {
  url: string;
  /** The edition's language: `default`, `de`. */
  language: string;
  content: Content;
  /**
   * With {@link ReadOptions.body}: as HTML what the Markdown file of the story would show, the fields that
   * `content.types` names, or all rich text, blocks and texts that are Markdown by their name.
   */
  body?: string;
};

/** What the index knows of a story. */
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
  /** A short hash of the record as it is stored: the same one means the same record. */
  digest: string;
}

export interface Translation {
  language: string;
  full_slug: string;
  name: string;
  url: string;
  /** Whether it is the language that was asked for, or the snapshot's default. */
  isDefault: boolean;
}

export interface DatasourceEntry {
  name: string;
  value: string;
  /** The value in each dimension by its `entry_value`; null where it has none. */
  dimensions: Readonly<Record<string, string | null>>;
}

export interface Redirect {
  from: string;
  to: string;
}

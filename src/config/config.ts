/** How stories are read: what visitors see, or what editors work on. */
export type Version = "published" | "draft";

/** A language to read: its code as the space has it, and the language that untranslated fields fall back to. */
export interface LanguageSetting {
  code: string;
  /** Code of the fallback language; undefined: the space's default language. */
  fallback?: string;
}

/** How the stories of a content type, or the blocks of a component, are written as Markdown. */
export interface ContentTypeSetting {
  /** Fields that become the body of the file, or are shown of the block, in order; undefined: chosen from the content. */
  body?: string[];
  /** Fields that are left out altogether. */
  exclude?: string[];
  /** Fields that stand in the front matter only. */
  frontMatter?: string[];
  /** The field that is the heading of a block. */
  heading?: string;
  /** Fields of text that hold Markdown, beside those whose names say so. */
  markdown?: string[];
}

/** What may read the Markdown files. */
export const contentTargets = ["plain", "astro", "eleventy", "hugo", "vitepress", "nuxt"] as const;
export type ContentTarget = (typeof contentTargets)[number];

export interface ManagementSetting {
  /** Origin of the management interface ({mapi_url}). */
  url?: string;
  /** Personal access token, for webhook endpoints and `/v1/space_info`. */
  token?: string;
  /** Origin of the OAuth-authorized space information ({oauth_url}). */
  oauthUrl?: string;
  /** OAuth access token, sent as `Bearer`. */
  oauthToken?: string;
  spaceId?: number;
  webhookEndpoints: number[];
}

/**
 * The configuration with every default filled in: what sync.config.yaml, the environment and the flags say together.
 * Durations are milliseconds and sizes bytes, whatever unit the file used. Folders are absolute paths.
 */
export interface Config {
  /** The folder that relative paths of the file start from. */
  baseDir: string;
  source: {
    /** Origin of the content delivery interface ({cdn_url}), or `demo:`. */
    url: string;
    token: string;
    versions: Version[];
    languages: "all" | LanguageSetting[];
    releases: string[];
    include: {
      /** Only stories whose full slug starts with one of these; empty: all. */
      startsWith: string[];
      /** Full slugs to leave out; `*` stands for any text. */
      excludeSlugs: string[];
      /** Only stories of these content types; empty: all. */
      contentTypes: string[];
      /** Datasources by slug. */
      datasources: "all" | "none" | string[];
      experiments: boolean;
      tags: boolean;
      space: boolean;
    };
    /** How long an unmoved cv is believed about what it may not cover. */
    recheckMs: number;
    /** Wait before the closing probe; undefined: 2000, and 0 for a loopback upstream. */
    settleMs?: number;
    management?: ManagementSetting;
  };
  queue: {
    concurrency: number;
    prefer: "requests" | "speed";
    /**
     * `published`: the tiers of config/rate-tiers.json; a number: requests a second; false: no limit. undefined: published,
     * and no limit for a loopback upstream.
     */
    rateLimit?: "published" | false | number;
    /** undefined: no limit. */
    maxRequests?: number;
    timeoutMs: number;
    retries: number;
  };
  safety: {
    /** Share of the stories of an edition (0 to 1) that one sync may remove. */
    maxRemoveShare: number;
    maxStaleMs: number;
  };
  resolve: {
    /** Which fields hold relations: every field whose values are uuids of known stories, a list of `component.field`, or none. */
    relations: "all" | "none" | string[];
    /** 0: references; n: targets embedded n levels deep. */
    depth: number;
    links: { pattern: string; home: string };
  };
  assets: {
    download: boolean;
    /** Host names that assets may be fetched from; `source` stands for the upstream's origin and its region's asset hosts. */
    hosts: string[];
    /** Where the asset files that content names are copied to; undefined: content names those in the output folder. */
    dir?: string;
    /** What stands before the file's path in content; undefined: a path relative to the content file. */
    baseUrl?: string;
    maxBytes: number;
    /**
     * What an asset means that is too large or cannot be fetched; content names its URL either way. `keep`: a warning.
     * `fail`: the sync commits all the same, and ends with exit code 3.
     */
    onFailure: "keep" | "fail";
    /** Whether the upstream is asked what it knows of the assets (`resolve_assets`), which content then shows. */
    metadata: boolean;
  };
  content: {
    /** undefined: `content` in the output folder. */
    dir?: string;
    /** What reads the Markdown files: its keys, dates, paths and escaping. */
    target: ContentTarget;
    formats: ("json" | "markdown")[];
    /** Rich text in the JSON files: the document of the upstream, or HTML. */
    richText: "document" | "html";
    types: Record<string, ContentTypeSetting>;
  };
  output: {
    dir: string;
    keepGenerations: number;
    shardBytes: number;
  };
  serve: {
    port: number;
    host: string;
    tokens: { public: string[]; preview: string[] };
    dialect: "compatible" | "seed" | "platform";
  };
}

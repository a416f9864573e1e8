/** Version of the stories: `published` as visitors see them, or `draft` as editors work on them. */
export type Version = "published" | "draft";

/** A language to read: its code in the space, and the fallback for untranslated fields. */
export interface LanguageSetting {
  code: string;
  /** Code of the fallback language. Undefined: the space's default language. */
  fallback?: string;
}

/** Markdown settings for the stories of a content type, or the blocks of a component. */
export interface ContentTypeSetting {
  /** Fields that become the body of the file, or that a block shows, in order. Undefined: chosen from the content. */
  body?: string[];
  /** Fields to leave out. */
  exclude?: string[];
  /** Fields only for the front matter. */
  frontMatter?: string[];
  /** Field with the heading of a block. */
  heading?: string;
  /** How single fields of a block are shown. */
  fields?: Record<string, "heading" | "prose" | "setting">;
  /** Text fields that contain Markdown, in addition to those with a name such as `markdown`. */
  markdown?: string[];
  /** Whether stories of the type become Markdown files. Undefined: unless their type is one of settings. */
  page?: boolean;
  /** Field with the date of a story. */
  date?: string;
}

/** Site generators that can read the Markdown files; `plain` is for any other reader. */
export const contentTargets = ["plain", "astro", "eleventy", "hugo", "vitepress", "nuxt", "jekyll"] as const;

export type ContentTarget = (typeof contentTargets)[number];

/** Largest `resolve.depth`. */
export const largestDepth = 10;

/** Output formats of the content types. */
export const typesFormats = ["typescript", "zod", "json-schema"] as const;
export type TypesFormat = (typeof typesFormats)[number];

/** The rules of `offprint check`, by code. */
export const ruleCodes = [
  ...(["RELATION_DANGLING", "LINK_DEAD", "LINK_UNTRANSLATED"] as const),
  ...(["LINK_ADDRESS_DEAD", "LINK_MOVED", "URL_TWICE"] as const),
  ...(["SCRIPT_LINK", "ALT_MISSING", "SEO_EMPTY", "RICH_TEXT_UNKNOWN"] as const),
  ...(["ASSET_GONE", "ASSET_TOO_LARGE", "ASSET_UNUSED", "UNTRANSLATED", "HALF_TRANSLATED"] as const),
  ...(["OPTION_UNKNOWN", "FIELD_EMPTY", "STORY_EMPTY", "STORY_UNREACHED"] as const),
  ...(["TERM_UNKNOWN", "TERM_UNUSED"] as const),
  ...(["RECORD_KEY_UNKNOWN", "RECORD_VALUE_UNKNOWN", "CONTENT_DRIFT"] as const),
  ...(["PAGE_MISSING", "PAGE_GONE", "PAGE_TEXT_MISSING", "PAGE_ASSET_MISSING", "REDIRECT_DEAD"] as const),
  ...(["HREFLANG_ONE_SIDED", "CANONICAL_FOREIGN", "SHELL_UNTRANSLATED", "PAGES_FEWER", "PAGE_UNREAD"] as const),
] as const;
export type RuleCode = (typeof ruleCodes)[number];
export const ruleLevels = ["error", "warning", "info", "off"] as const;
export const failLevels = ["error", "warning", "info", "never"] as const;

/** Output formats of findings. */
export const findingsFormats = ["text", "json", "sarif", "github", "markdown", "junit"] as const;
export type FindingsFormat = (typeof findingsFormats)[number];

/** Reactions to content whose shape differs from the lock. */
export const driftModes = ["evolve", "warn", "freeze"] as const;
export type DriftMode = (typeof driftModes)[number];

/** Findings that `offprint check` does not report. */
export interface IgnoredFinding {
  code: RuleCode;
  /** A uuid, or a full slug in which `*` matches any text. Undefined: all stories. */
  story?: string;
  /** The path of a field, in which `*` matches any text. Undefined: all fields. */
  field?: string;
  reason: string;
}

/** Signature schemes of webhook events. */
export const signatureSchemes = ["storyblok", "sha256", "standard"] as const;
export type SignatureScheme = (typeof signatureSchemes)[number];

/** A command to run after the content of a new generation is written. */
export interface HookSetting {
  /** A line for the shell, or a program and its arguments. */
  run: string | string[];
  timeoutMs: number;
}

/** A snapshot in S3-compatible storage, shared by several machines. */
export interface StoreSetting {
  bucket: string;
  /** Without slashes at either end. Empty: the bucket's root. */
  prefix: string;
  /** Origin of the storage. Undefined: from the environment, the profile, or AWS itself. */
  endpoint?: string;
  /** Undefined: from the environment, the profile, or `us-east-1`. */
  region?: string;
  /** True: the bucket is part of the path; false: of the host name. Undefined: true if there is an endpoint. */
  pathStyle?: boolean;
  /** Profile of the AWS configuration files. Undefined: AWS_PROFILE, or `default`. */
  profile?: string;
  /** True: write even if the storage ignores conditional writes. Safe only with a single writer. */
  singleWriter: boolean;
  /** How long the write lease lasts without renewal. */
  leaseMs: number;
  /** Local cache of objects that were read: absolute path. Undefined: a folder in `output.dir`. */
  cacheDir?: string;
  /** Size limit of the cache. */
  cacheBytes: number;
}

export interface ManagementSetting {
  /** Origin of the management API ({mapi_url}). */
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

/** The configuration with all defaults. Durations are in milliseconds, sizes in bytes. Folders are absolute paths. */
export interface Config {
  /** Base folder for relative paths in the file. */
  baseDir: string;
  source: {
    /** Origin of the content delivery API ({cdn_url}), or `demo:`. */
    url: string;
    token: string;
    versions: Version[];
    languages: "all" | LanguageSetting[];
    releases: string[];
    include: {
      /** Only stories whose full slug starts with one of these. Empty: all. */
      startsWith: string[];
      /** Full slugs to leave out; `*` matches any text. */
      excludeSlugs: string[];
      /** Only stories of these content types. Empty: all. */
      contentTypes: string[];
      /** True: also read stories that an included story names by a relation. */
      related: boolean;
      /** Datasources by slug. */
      datasources: "all" | "none" | string[];
      experiments: boolean;
      tags: boolean;
      taxonomies: boolean;
      space: boolean;
    };
    /** How long sync trusts an unchanged cv for data that may change without a new one. */
    recheckMs: number;
    /** Wait before the closing probe. Undefined: 2000, or 0 for a loopback upstream. */
    settleMs?: number;
    management?: ManagementSetting;
  };
  queue: {
    concurrency: number;
    prefer: "requests" | "speed";
    /** `published` (default, not on loopback): config/rate-tiers.json; a number: requests a second; false: no limit. */
    rateLimit?: "published" | false | number;
    /** Undefined: no limit. */
    maxRequests?: number;
    timeoutMs: number;
    retries: number;
  };
  safety: {
    /** Share of an edition's stories (0 to 1) that one sync may remove. */
    maxRemoveShare: number;
    /** `exact` commits only a clean read; `interval` also one of a changing space, from one cv to another. */
    consistency: "exact" | "interval";
    maxStaleMs: number;
  };
  resolve: {
    /**
     * Fields that contain relations. `all`: those whose values are uuids of known stories; in a
     * list, each item is `component.field`.
     */
    relations: "all" | "none" | string[];
    /** 0: relations stay references; n: their targets are embedded n levels deep. */
    depth: number;
    links: {
      pattern: string;
      /** Full slugs of home pages, see `LinkSettings`. */
      home: string | string[];
      /** `path`: a story with a real path has it as its address. */
      use: "path" | "slug";
      /** The address of a link to a published story that `source.include` leaves out. */
      outside: "url" | "keep" | "warn";
    };
  };
  assets: {
    download: boolean;
    /** Hosts to fetch assets from. `source`: the upstream and the asset hosts of its region. */
    hosts: string[];
    /** Folder to copy used assets to. Undefined: content names the files in the output folder. */
    dir?: string;
    /** Prefix of an asset's path in content. Undefined: paths are relative to the content file. */
    baseUrl?: string;
    maxBytes: number;
    /** `keep` warns; `fail` commits and ends sync with exit code 3. Content names the asset's URL either way. */
    onFailure: "keep" | "fail";
    /** True: read the assets' metadata (`resolve_assets`) and add it to content. */
    metadata: boolean;
  };
  content: {
    /** Undefined: `content` in the output folder. */
    dir?: string;
    /** Reader of the Markdown files. Decides keys, dates, paths and escaping. */
    target: ContentTarget;
    formats: ("json" | "markdown")[];
    /** Paths of the Markdown files, see `parsePathPattern`. Undefined: `{edition}/{slug}`. */
    paths?: string;
    /** Form of rich text in the JSON files: the upstream's document, or HTML. */
    richText: "document" | "html";
    /** The place of what a Markdown body leaves out: a file next to the page, its front matter, or nowhere. */
    outline: "file" | "frontMatter" | "none";
    types: Record<string, ContentTypeSetting>;
  };
  editor: {
    /** Address of a story in the platform's editor, with `{space}`, `{id}` and others. Undefined: unknown. */
    url?: string;
  };
  site: {
    /** Address of the site, without a slash at its end. Undefined: unknown. */
    url?: string;
  };
  output: {
    /** Work files and, unless `store` is set, the snapshot. */
    dir: string;
    /** The newest ones that stay. */
    keepGenerations: number;
    /** The newest one of each of so many hours, days and weeks stays too. Undefined: of none. */
    keep?: { hours: number; days: number; weeks: number };
    /** How long a superseded generation stays for its readers. Undefined: an hour. */
    graceMs?: number;
    shardBytes: number;
    /** Bucket of the snapshot. Undefined: the snapshot is in `dir`. */
    store?: StoreSetting;
  };
  types: {
    /** Absolute path of the file to write after a commit. Undefined: none. */
    file?: string;
    format: TypesFormat;
  };
  check: {
    rules: Partial<Record<RuleCode, (typeof ruleLevels)[number]>>;
    ignore: IgnoredFinding[];
    failOn: (typeof failLevels)[number];
    /** Absolute path of a list of known findings, which are not reported. */
    baseline?: string;
    /** Larger assets are reported. */
    assetBytes: number;
    /** Absolute path of the agreed shape of the content. */
    lock: string;
    drift: DriftMode;
  };
  /** When `offprint watch` syncs. Without `everyMs` and `cron`: every five minutes. */
  schedule: {
    everyMs?: number;
    cron?: string;
    /** IANA name. Undefined: UTC. */
    timeZone?: string;
    /** Undefined: the whole interval of `everyMs`, or 30 seconds for `cron`. */
    jitterMs?: number;
    /** A space confirmed longer ago than this is not ready. */
    maxAgeMs: number;
  };
  /** How to verify that events come from the space. */
  webhooks: {
    secret?: string;
    signature: SignatureScheme;
    /** The last segment of the address, which nobody can guess. */
    key?: string;
  };
  /** Commands by the consumer that they work for. */
  onCommit: Record<string, HookSetting>;
  consumers: {
    /** How long to keep the generation of a consumer that does not return. */
    keepMs: number;
  };
  serve: {
    port: number;
    host: string;
    tokens: { public: string[]; preview: string[] };
    dialect: "compatible" | "seed" | "platform";
    /** Whether answers have cache tags. */
    tags: boolean;
  };
}

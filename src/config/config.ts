/** Which version of the stories is read: what visitors see, or what editors work on. */
export type Version = "published" | "draft";

/** A language to read: its code as the space has it, and the language that untranslated fields fall back to. */
export interface LanguageSetting {
  code: string;
  /** Code of the fallback language; undefined: the space's default language. */
  fallback?: string;
}

/** How the stories of a content type, or the blocks of a component, are written as Markdown. */
export interface ContentTypeSetting {
  /** Fields that become the body of the file, or that a block shows, in order; undefined: chosen from the content. */
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

/** The site generators that Markdown files can be written for; `plain`: any other reader. */
export const contentTargets = ["plain", "astro", "eleventy", "hugo", "vitepress", "nuxt", "jekyll"] as const;

/** Which site generator reads the Markdown files. */
export type ContentTarget = (typeof contentTargets)[number];

/** The largest `resolve.depth`. */
export const largestDepth = 10;

/** How the types of content are spelled. */
export const typesFormats = ["typescript", "zod", "json-schema"] as const;
export type TypesFormat = (typeof typesFormats)[number];

/** The rules of `offprint check`, by code. */
export const ruleCodes = [
  ...(["RELATION_DANGLING", "LINK_DEAD", "LINK_ADDRESS_DEAD", "LINK_MOVED", "URL_TWICE"] as const),
  ...(["SCRIPT_LINK", "ALT_MISSING", "SEO_EMPTY", "RICH_TEXT_UNKNOWN"] as const),
  ...(["ASSET_GONE", "ASSET_TOO_LARGE", "ASSET_UNUSED", "UNTRANSLATED", "HALF_TRANSLATED"] as const),
  ...(["OPTION_UNKNOWN", "FIELD_EMPTY", "STORY_EMPTY", "STORY_UNREACHED"] as const),
  ...(["RECORD_KEY_UNKNOWN", "RECORD_VALUE_UNKNOWN", "CONTENT_DRIFT"] as const),
] as const;
export type RuleCode = (typeof ruleCodes)[number];
export const ruleLevels = ["error", "warning", "info", "off"] as const;
export const failLevels = ["error", "warning", "info", "never"] as const;

/** How findings can be printed. */
export const findingsFormats = ["text", "json", "sarif", "github", "markdown", "junit"] as const;
export type FindingsFormat = (typeof findingsFormats)[number];

/** What it means that content has another shape than the lock says. */
export const driftModes = ["evolve", "warn", "freeze"] as const;
export type DriftMode = (typeof driftModes)[number];

/** Findings of `offprint check` that are not told. */
export interface IgnoredFinding {
  code: RuleCode;
  /** A full slug, in which `*` stands for any text, or a uuid; undefined: of all stories. */
  story?: string;
  /** The path of a field, in which `*` stands for any text; undefined: in all fields. */
  field?: string;
  reason: string;
}

/** How the events of a space are signed. */
export const signatureSchemes = ["storyblok", "sha256", "standard"] as const;
export type SignatureScheme = (typeof signatureSchemes)[number];

/** What runs when the content of a generation is finished. */
export interface HookSetting {
  /** A line for the shell, or a program and its arguments. */
  run: string | string[];
  timeoutMs: number;
}

/** A snapshot that machines share, in S3-compatible storage. */
export interface StoreSetting {
  bucket: string;
  /** Without slashes at its ends; empty: the bucket's root. */
  prefix: string;
  /** Origin of the storage; undefined: what the environment or the profile names, or AWS. */
  endpoint?: string;
  /** undefined: what the environment or the profile names, or `us-east-1`. */
  region?: string;
  /** Whether the bucket stands in the path and not in the host name; undefined: where there is an endpoint. */
  pathStyle?: boolean;
  /** Profile of the AWS configuration files; undefined: what AWS_PROFILE names, or `default`. */
  profile?: string;
  /** Whether storage that does not keep to conditions is written all the same, because there is no second writer. */
  singleWriter: boolean;
  /** How long the right to write lasts without a sign of life. */
  leaseMs: number;
  /** Absolute path; where objects that were read are kept. undefined: a folder in `output.dir`. */
  cacheDir?: string;
  /** What those may take together. */
  cacheBytes: number;
}

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
      /** Whether a story that an included one names by a relation is read too, where the rules above leave it out. */
      related: boolean;
      /** Datasources by slug. */
      datasources: "all" | "none" | string[];
      experiments: boolean;
      tags: boolean;
      space: boolean;
    };
    /** How long data that may change without a new cv is believed while the cv stays the same. */
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
    /** Whether a sync of a space that keeps changing commits what it was during an interval, or only a clean reading. */
    consistency: "exact" | "interval";
    maxStaleMs: number;
  };
  resolve: {
    /** Which fields hold relations. `all`: those whose values are uuids of known stories; a list: `component.field`. */
    relations: "all" | "none" | string[];
    /** 0: relations stay references; n: their targets are embedded, n levels deep. */
    depth: number;
    links: { pattern: string; home: string };
  };
  assets: {
    download: boolean;
    /** Hosts that assets may be fetched from. `source`: the upstream's own, and the asset hosts of its region. */
    hosts: string[];
    /** Where the assets that content names are copied to; undefined: content names the files in the output folder. */
    dir?: string;
    /** Prefix of an asset's path in content; undefined: the path is relative to the content file. */
    baseUrl?: string;
    maxBytes: number;
    /**
     * What happens when an asset is too large or cannot be fetched. `keep`: a warning. `fail`: the sync commits, and ends
     * with exit code 3. Content names the URL of the asset in both cases.
     */
    onFailure: "keep" | "fail";
    /** Whether the assets' metadata is read from the upstream (`resolve_assets`), and shown in content. */
    metadata: boolean;
  };
  content: {
    /** undefined: `content` in the output folder. */
    dir?: string;
    /** What reads the Markdown files: its keys, dates, paths and escaping. */
    target: ContentTarget;
    formats: ("json" | "markdown")[];
    /** Where the Markdown files lie, see `parsePathPattern`; undefined: `{edition}/{slug}`. */
    paths?: string;
    /** Rich text in the JSON files: the document of the upstream, or HTML. */
    richText: "document" | "html";
    types: Record<string, ContentTypeSetting>;
  };
  output: {
    /** Work files and, unless `store` is set, the snapshot. */
    dir: string;
    keepGenerations: number;
    shardBytes: number;
    /** The bucket that the snapshot lies in; undefined: in `dir`. */
    store?: StoreSetting;
  };
  types: {
    /** Absolute path of the file that a sync writes after a commit; undefined: none. */
    file?: string;
    format: TypesFormat;
  };
  /** What `offprint check` looks for. */
  check: {
    rules: Partial<Record<RuleCode, (typeof ruleLevels)[number]>>;
    ignore: IgnoredFinding[];
    failOn: (typeof failLevels)[number];
    /** Absolute path; findings that it lists are not told. */
    baseline?: string;
    /** An asset of more bytes is told of. */
    assetBytes: number;
    /** Absolute path of the shape that the content had when it was agreed upon. */
    lock: string;
    drift: DriftMode;
  };
  /** When `offprint watch` syncs the space; neither `everyMs` nor `cron`: every five minutes. */
  schedule: {
    everyMs?: number;
    cron?: string;
    /** IANA name; undefined: UTC. */
    timeZone?: string;
    /** undefined: the whole interval of `everyMs`, 30 seconds for `cron`. */
    jitterMs?: number;
    /** A space that was confirmed longer ago than this is not ready. */
    maxAgeMs: number;
  };
  /** How events of the space are known to come from it. */
  webhooks: {
    secret?: string;
    signature: SignatureScheme;
    /** Last segment of the address, which nobody can guess. */
    key?: string;
  };
  /** By the name of the consumer that the command works for. */
  onCommit: Record<string, HookSetting>;
  consumers: {
    /** How long the generation of a consumer that does not come back is kept. */
    keepMs: number;
  };
  serve: {
    port: number;
    host: string;
    tokens: { public: string[]; preview: string[] };
    dialect: "compatible" | "seed" | "platform";
  };
}

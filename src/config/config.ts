import type { ParsedConfig } from "./schema/config-schema.js";
import type { StoreSetting } from "./schema/store-schema.js";

export type { StoreSetting };

/** The configuration with all defaults. Durations are in milliseconds, sizes in bytes. Folders are absolute paths. */
export interface Config
  extends Omit<ParsedConfig, "source" | "content" | "output" | "schedule" | "webhooks" | "onCommit"> {
  /** Base folder for relative paths in the file. */
  baseDir: string;
  source: SourceSetting;
  content: ContentSetting;
  output: OutputSetting;
  /** When `offprint watch` syncs. Without `everyMs` and `cron`: every five minutes. */
  schedule: ParsedConfig["schedule"];
  /** How to verify that events come from the space. */
  webhooks: ParsedConfig["webhooks"];
  /** Commands by the consumer that they work for. */
  onCommit: Record<string, HookSetting>;
}

interface SourceSetting extends Omit<ParsedConfig["source"], "url" | "region"> {
  /** Origin of the content delivery API ({cdn_url}), or `demo:`. */
  url: string;
}

interface ContentSetting extends Omit<ParsedConfig["content"], "types"> {
  types: Record<string, ContentTypeSetting>;
}

interface OutputSetting extends Omit<ParsedConfig["output"], "dir" | "keep" | "store" | "s3"> {
  /** Work files and, unless `store` is set, the snapshot. */
  dir: string;
  /** The newest one of each of so many hours, days and weeks stays too. Undefined: of none. */
  keep?: { hours: number; days: number; weeks: number };
  /** Bucket of the snapshot. Undefined: the snapshot is in `dir`. */
  store?: StoreSetting;
}

/** Version of the stories: `published` as visitors see them, or `draft` as editors work on them. */
export type Version = Config["source"]["versions"][number];

/** A language to read: its code in the space, and of its fallback. Without one: the space's default language. */
export type LanguageSetting = Exclude<Config["source"]["languages"], "all">[number];

export type ManagementSetting = NonNullable<Config["source"]["management"]>;

/** Markdown settings for the stories of a content type, or the blocks of a component. */
export interface ContentTypeSetting extends Omit<ParsedConfig["content"]["types"][string], "markdown"> {
  /** Text fields that contain Markdown, in addition to those with a name such as `markdown`. */
  markdown?: string[];
  /** Whether stories of the type become Markdown files. Undefined: unless their type is one of settings. */
  page?: boolean;
}

/** Site generators that can read the Markdown files; `plain` is for any other reader. */
export type ContentTarget = Config["content"]["target"];

/** Output formats of the content types. */
export type TypesFormat = Config["types"]["format"];

export type RuleCode = keyof Config["check"]["rules"];

/** Findings that `offprint check` does not report. */
export type IgnoredFinding = Config["check"]["ignore"][number];

/** Signature schemes of webhook events. */
export type SignatureScheme = Config["webhooks"]["signature"];

/** A command to run after the content of a new generation is written. */
export type HookSetting = ParsedConfig["onCommit"][string];

/** Output formats of findings. */
export const findingsFormats = ["text", "json", "sarif", "github", "markdown", "junit"] as const;
export type FindingsFormat = (typeof findingsFormats)[number];

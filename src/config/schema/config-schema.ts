import { check } from "./check-schema.js";
import { assets, content, folder, resolve, types } from "./content-schema.js";
import { byDefault, optional, required, section } from "./section.js";
import { source } from "./source-schema.js";
import { siteUrl } from "./source-url.js";
import { s3, storeAddress } from "./store-schema.js";
import {
  choice,
  duration,
  either,
  flag,
  list,
  mapped,
  parsed,
  type ReadOf,
  share,
  size,
  text,
  token,
  type ValueKind,
  wholeNumber,
} from "./value-kinds.js";
import { consumers, onCommit, schedule, webhooks } from "./watch-schema.js";

const unlimited = Number.MAX_SAFE_INTEGER;

const queue = section("How fast the upstream is asked.", {
  /** Requests under way at once, at most. */
  concurrency: byDefault(8, wholeNumber(1, 100)),
  /** What to save if both are not possible: requests or time. */
  prefer: byDefault("requests", choice("requests", "speed")),
  /**
   * published: the limits of config/rate-tiers.json; a number: requests a second; false: no limit. By default
   * published, and false for this machine.
   */
  rateLimit: optional(either("published, false or requests a second", choice("published"), rate())),
  /** A sync that would need more requests stops before it starts. */
  maxRequests: byDefault(
    "none",
    mapped(either("none or a whole number from 1", choice("none"), wholeNumber(1, unlimited)), (most) =>
      most === "none" ? undefined : most,
    ),
  ),
  /** How long one request may take. */
  timeoutMs: byDefault("60s", duration("60s", "100ms", "1h")),
  /** How often a failed request is repeated. */
  retries: byDefault(5, wholeNumber(0, 20)),
});

const safety = section("When a sync rather keeps what was there.", {
  /** Share of an edition's stories that one sync may remove. */
  maxRemoveShare: byDefault("20%", share),
  /**
   * Of a space that is edited while it is read: interval commits what it was from one cv to another; exact keeps the
   * previous generation.
   */
  consistency: byDefault("interval", choice("exact", "interval")),
  /** How long a story that never fits the index keeps the previous generation; then the others are committed. */
  maxStaleMs: byDefault("1h", duration("1h", "0", "365d")),
});

const keep = section("Which generations are kept, thinned by age. A period without a generation does not count.", {
  /** The newest ones; by default output.keepGenerations. */
  last: optional(wholeNumber(1, 10_000)),
  /** The newest one of each of so many hours. */
  hours: byDefault(0, wholeNumber(0, 10_000)),
  /** The newest one of each of so many days, in UTC. */
  days: byDefault(0, wholeNumber(0, 10_000)),
  /** The newest one of each of so many weeks from Monday, in UTC. */
  weeks: byDefault(0, wholeNumber(0, 10_000)),
});

const output = section("The snapshot.", {
  /** Its folder. */
  dir: byDefault("output", folder),
  /** A bucket that holds the snapshot in place of the folder: s3://bucket/prefix. */
  store: optional(storeAddress),
  s3: byDefault({}, s3),
  /** Generations that are kept. */
  keepGenerations: byDefault(3, wholeNumber(1, 10_000)),
  keep: optional(keep),
  /** How long a generation is kept after a newer one was committed, for those who still read it. By default 1h. */
  graceMs: optional(duration("1h", "0", "365d")),
  /** A shard is split while its records are larger than this. */
  shardBytes: byDefault("512KB", size("512KB", "1KB", "64MB")),
});

const editor = section("The platform's editor, for links to the stories of problems.", {
  /** Address of a story there, with {space}, {id}, {uuid}, {slug} and {language}; by default that of the region. */
  url: optional(
    text(
      "an http(s) address with {id}, {uuid} or {slug}, such as https://cms.example.com/{space}/{id}",
      (written) =>
        /^https?:\/\/[^\s/]/.test(written) &&
        /\{(?:id|uuid|slug)\}/.test(written) &&
        !/[{}]/.test(written.replace(/\{(?:space|id|uuid|slug|language)\}/g, "")),
    ),
  ),
});

const site = section("The site that is built of the content.", {
  /** Its address, for links to the pages of stories: https://www.example.com. */
  url: optional(siteUrl),
});

const tokens = section("Who may read from the replica; without any, the source's own token.", {
  /** Tokens that read what is published. */
  public: byDefault([], list(token, "tokens")),
  /** Tokens that read drafts too. */
  preview: byDefault([], list(token, "tokens")),
});

const serve = section("The replica.", {
  /** Port; 0: a free one. */
  port: byDefault(4400, wholeNumber(0, 65_535)),
  /** Address to listen at; by default this machine only. */
  host: byDefault(
    "127.0.0.1",
    text("a host name or an address", (written) => /^[\w.:[\]-]+$/.test(written)),
  ),
  tokens: byDefault({}, tokens),
  /** How strictly the replica keeps to the documented interface. */
  dialect: byDefault("compatible", choice("compatible", "seed", "platform")),
  /** Answers have cache tags, those that `offprint changes` names. */
  tags: byDefault(false, flag),
});

/** The values of a valid file: durations in milliseconds, sizes in bytes, folders as written. */
export interface ParsedConfig {
  source: Values<typeof source>;
  queue: Values<typeof queue>;
  safety: Values<typeof safety>;
  resolve: Values<typeof resolve>;
  assets: Values<typeof assets>;
  content: Values<typeof content>;
  editor: Values<typeof editor>;
  site: Values<typeof site>;
  output: Values<typeof output>;
  types: Values<typeof types>;
  check: Values<typeof check>;
  schedule: Values<typeof schedule>;
  webhooks: Values<typeof webhooks>;
  onCommit: Values<typeof onCommit>;
  consumers: Values<typeof consumers>;
  serve: Values<typeof serve>;
}

/** What a section reads. Editors print it in full. */
type Values<Kind> = { [Name in keyof ReadOf<Kind>]: ReadOf<Kind>[Name] } & {};

export const configSchema: ValueKind<ParsedConfig> = section(
  undefined,
  {
    source: required(source),
    queue: byDefault({}, queue),
    safety: byDefault({}, safety),
    resolve: byDefault({}, resolve),
    assets: byDefault({}, assets),
    content: byDefault({}, content),
    editor: byDefault({}, editor),
    site: byDefault({}, site),
    output: byDefault({}, output),
    types: byDefault({}, types),
    check: byDefault({}, check),
    schedule: byDefault({}, schedule),
    webhooks: byDefault({}, webhooks),
    onCommit: byDefault({}, onCommit),
    consumers: byDefault({}, consumers),
    serve: byDefault({}, serve),
  },
  { schema: { title: "sync.config.yaml", description: "Configuration of Offprint." } },
);

/** The values of an unchecked file: any key may be missing or have a value of any type. */
export type WrittenConfig = Written<ParsedConfig>;
type Written<T> = { [K in keyof T as KeyOf<K>]?: T[K] extends Section | undefined ? Written<T[K]> : unknown };
type KeyOf<Name> = Name extends `${infer Key}Ms` ? Key : Name;
type Section = Readonly<Record<string, unknown>>;

function rate(): ValueKind<number | false> {
  const schema = { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { const: false }] };
  return parsed("false or requests a second", schema, (input) => {
    if (input === false || input === "false") return false;
    const number = typeof input === "string" && /^\d+(\.\d+)?$/.test(input.trim()) ? Number(input) : input;
    return typeof number === "number" && number > 0 && number <= 10_000 ? number : undefined;
  });
}

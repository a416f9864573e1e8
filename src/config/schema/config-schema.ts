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
  concurrency: byDefault(8, wholeNumber(1, 100), "Requests under way at once, at most."),
  prefer: byDefault(
    "requests",
    choice("requests", "speed"),
    "What to save if both are not possible: requests or time.",
  ),
  rateLimit: optional(
    either("published, false or requests a second", choice("published"), rate()),
    "published: the limits of config/rate-tiers.json; a number: requests a second; false: no limit. By default published, and false for this machine.",
  ),
  maxRequests: byDefault(
    "none",
    either("none or a whole number from 1", choice("none"), wholeNumber(1, unlimited)),
    "A sync that would need more requests stops before it starts.",
  ),
  timeout: byDefault("60s", duration("60s", "100ms", "1h"), "How long one request may take."),
  retries: byDefault(5, wholeNumber(0, 20), "How often a failed request is repeated."),
});

const safety = section("When a sync rather keeps what was there.", {
  maxRemove: byDefault("20%", share, "Share of an edition's stories that one sync may remove."),
  consistency: byDefault(
    "interval",
    choice("exact", "interval"),
    "Of a space that is edited while it is read: interval commits what it was from one cv to another; exact keeps the previous generation.",
  ),
  maxStale: byDefault(
    "1h",
    duration("1h", "0", "365d"),
    "How long a story that never fits the index keeps the previous generation; then the others are committed.",
  ),
});

const keep = section("Which generations are kept, thinned by age. A period without a generation does not count.", {
  last: optional(wholeNumber(1, 10_000), "The newest ones; by default output.keepGenerations."),
  hours: byDefault(0, wholeNumber(0, 10_000), "The newest one of each of so many hours."),
  days: byDefault(0, wholeNumber(0, 10_000), "The newest one of each of so many days, in UTC."),
  weeks: byDefault(0, wholeNumber(0, 10_000), "The newest one of each of so many weeks from Monday, in UTC."),
});

const output = section("The snapshot.", {
  dir: byDefault("output", folder, "Its folder."),
  store: optional(storeAddress, "A bucket that holds the snapshot in place of the folder: s3://bucket/prefix."),
  s3: byDefault({}, s3),
  keepGenerations: byDefault(3, wholeNumber(1, 10_000), "Generations that are kept."),
  keep: optional(keep),
  grace: optional(
    duration("1h", "0", "365d"),
    "How long a generation is kept after a newer one was committed, for those who still read it. By default 1h.",
  ),
  shardBytes: byDefault(
    "512KB",
    size("512KB", "1KB", "64MB"),
    "A shard is split while its records are larger than this.",
  ),
});

const editor = section("The platform's editor, for links to the stories of problems.", {
  url: optional(
    text(
      "an http(s) address with {id}, {uuid} or {slug}, such as https://cms.example.com/{space}/{id}",
      (written) =>
        /^https?:\/\/[^\s/]/.test(written) &&
        /\{(?:id|uuid|slug)\}/.test(written) &&
        !/[{}]/.test(written.replace(/\{(?:space|id|uuid|slug|language)\}/g, "")),
    ),
    "Address of a story there, with {space}, {id}, {uuid}, {slug} and {language}; by default that of the region.",
  ),
});

const site = section("The site that is built of the content.", {
  url: optional(siteUrl, "Its address, for links to the pages of stories: https://www.example.com."),
});

const tokens = section("Who may read from the replica; without any, the source's own token.", {
  public: byDefault([], list(token, "tokens"), "Tokens that read what is published."),
  preview: byDefault([], list(token, "tokens"), "Tokens that read drafts too."),
});

const serve = section("The replica.", {
  port: byDefault(4400, wholeNumber(0, 65_535), "Port; 0: a free one."),
  host: byDefault(
    "127.0.0.1",
    text("a host name or an address", (written) => /^[\w.:[\]-]+$/.test(written)),
    "Address to listen at; by default this machine only.",
  ),
  tokens: byDefault({}, tokens),
  dialect: byDefault(
    "compatible",
    choice("compatible", "seed", "platform"),
    "How strictly the replica keeps to the documented interface.",
  ),
  tags: byDefault(false, flag, "Answers have cache tags, those that `offprint changes` names."),
});

export const configSchema = section(
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

/** The values of a valid file: durations in milliseconds, sizes in bytes, folders as written. */
export type ParsedConfig = ReadOf<typeof configSchema>;

/** The values of an unchecked file: any key may be missing or have a value of any type. */
export type WrittenConfig = Written<ParsedConfig>;
type Written<T> = { [K in keyof T]?: T[K] extends Section | undefined ? Written<T[K]> : unknown };
type Section = Readonly<Record<string, unknown>>;

function rate(): ValueKind<number | false> {
  const schema = { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { const: false }] };
  return parsed("false or requests a second", schema, (input) => {
    if (input === false || input === "false") return false;
    const number = typeof input === "string" && /^\d+(\.\d+)?$/.test(input.trim()) ? Number(input) : input;
    return typeof number === "number" && number > 0 && number <= 10_000 ? number : undefined;
  });
}

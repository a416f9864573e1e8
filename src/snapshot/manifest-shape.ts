import {
  flag,
  list,
  map,
  matching,
  object,
  oneOf,
  optional,
  orNull,
  type Shape,
  shape,
  text,
  where,
  wholeNumber,
} from "../lib/shape.js";
import type { EditionEntry, Interval, Manifest, PartEntry, ShardEntry } from "./manifest.js";
import { maxPrefix } from "./shard-trie.js";

const level = oneOf("exact", "stable", "interval");
const interval = object<Interval>({ from: orNull(wholeNumber), to: orNull(wholeNumber) });

const edition = object<EditionEntry>({
  name: text,
  version: oneOf("published", "draft"),
  release: orNull(text),
  language: text,
  fallback: optional(text),
  level,
  interval: optional(interval),
  cv: orNull(wholeNumber),
  confirmedSince: orNull(wholeNumber),
  settings: text,
  index: oneOf("links", "stories"),
  blindTo: list(text),
  newestPublishedAt: orNull(text),
  newestUpdatedAt: orNull(text),
});

const editions = where(list(edition), "a list of editions with different names", (entries) => {
  return new Set(entries.map(({ name }) => name)).size === entries.length;
});

const shard = object<ShardEntry>({
  prefix: matching("binary digits", new RegExp(`^[01]{0,${maxPrefix}}$`)),
  hash: matching("a SHA-256 in hexadecimal digits", /^[0-9a-f]{64}$/),
  records: wholeNumber,
  bytes: wholeNumber,
});

const shards = where(list(shard), "in the order of their prefixes, none of which begins with another", (entries) =>
  entries.every(({ prefix }, index) => {
    const before = entries[index - 1]?.prefix;
    return before === undefined || (before < prefix && !prefix.startsWith(before));
  }),
);

/** Part names lead to files: none must reach out of the output folder. */
const partName = shape<string>("an object with names of parts", (name) => {
  const isPlain = String(name)
    .split("/")
    .every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return isPlain && !/[\\\0]/.test(String(name));
});

/** The parts of a generation or a stage. */
export const partsShape: Shape<Record<string, PartEntry>> = map(
  object<PartEntry>({ records: wholeNumber, shards }),
  partName,
);

/** A manifest of the format that this program writes. */
export const manifestShape: Shape<Manifest> = object<Manifest>({
  format: wholeNumber,
  generation: wholeNumber,
  previous: orNull(wholeNumber),
  space: object<Manifest["space"]>({
    id: orNull(wholeNumber),
    name: orNull(text),
    source: text,
    languages: list(text),
  }),
  cv: orNull(wholeNumber),
  level,
  startedAt: text,
  committedAt: text,
  editions,
  parts: partsShape,
  notIncluded: list(object<Manifest["notIncluded"][number]>({ part: text, reason: text })),
  held: flag,
  confirmed: optional(flag),
  assumedLagMs: optional(wholeNumber),
  checksum: text,
});

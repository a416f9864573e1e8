import { contentHash } from "../lib/content-hash.js";
import { costLimits } from "../lib/cost-limits.js";
import { OffprintError } from "../lib/errors.js";
import { NestingError, parseBounded } from "../lib/json/nesting.js";
import {
  flag,
  isObject,
  list,
  map,
  matching,
  object,
  oneOf,
  optional,
  orNull,
  pathText,
  type Shape,
  shape,
  text,
  where,
  wholeNumber,
} from "../lib/shape.js";
import { damagedFile } from "./damaged-file.js";
import {
  type EditionEntry,
  type Interval,
  type Manifest,
  manifestFormat,
  type PartEntry,
  type ShardEntry,
} from "./manifest.js";
import { maxPrefix } from "./shard-trie.js";

/** The manifest as indented JSON. Each shard has its line: version control shows small changes. */
export function manifestText(manifest: Manifest): string {
  return `${printed(manifest, "")}\n`;
}

/** Adds the checksum over the canonical JSON of all fields that do not change after the commit. */
export function withChecksum(manifest: Omit<Manifest, "checksum">): Manifest {
  return { ...manifest, checksum: checksumOf({ ...manifest }) };
}

function checksumOf({ confirmed: _, assumedLagMs: __, ...committed }: Record<string, unknown>): string {
  return contentHash(sortedJson(committed));
}

/** The inverse of {@link manifestText}. @throws OffprintError `SNAPSHOT_FORMAT`, `SNAPSHOT_DAMAGED` */
export function parseManifest(bytes: Uint8Array, file: string): Manifest {
  let value: unknown;
  try {
    value = parseBounded(Buffer.from(bytes).toString(), costLimits.manifestNesting);
  } catch (error) {
    if (error instanceof NestingError) throw damagedFile(file, `cannot be read: ${error.message}`, error);
    throw damagedFile(file, "is not JSON", error);
  }
  if (!isObject(value)) throw damagedFile(file, "is not a manifest");
  const { checksum, ...rest } = value;
  if (typeof value.format === "number" && value.format > manifestFormat) throw newerFormat(file, value.format);
  const expected = checksumOf(rest);
  if (checksum !== expected) throw damagedFile(file, "was changed after it was written: its checksum does not fit");
  const known = withKnownLevels(value);
  if (!manifestShape.is(known)) throw damagedFile(file, misfitText(known));
  return known;
}

/** Earlier versions wrote `mixed` for an interval with unknown bounds. */
function withKnownLevels(value: Record<string, unknown>): Record<string, unknown> {
  if (value.level !== "mixed" || !Array.isArray(value.editions)) return value;
  const renamed = (one: unknown) => (isObject(one) && one.level === "mixed" ? { ...one, level: "interval" } : one);
  return { ...value, level: "interval", editions: value.editions.map(renamed) };
}

function misfitText(value: unknown): string {
  const { path = [], expected } = manifestShape.misfit(value) ?? {};
  return `has a field ${pathText(path)} that should be ${expected}`;
}

function newerFormat(file: string, format: number): OffprintError {
  const what = `${file} has the format ${format}; this program reads ${manifestFormat}.`;
  return new OffprintError("SNAPSHOT_FORMAT", what, {
    hint: "Use the version of offprint that wrote it, or a later one.",
  });
}

function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`);
  return `{${fields.join(",")}}`;
}

function printed(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    if (value.every(isPlain)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    const items = value.map((item) => printed(item, `${indent}  `));
    return block("[", items, "]", indent);
  }
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  const lines = fields.map(([key, field]) => `${JSON.stringify(key)}: ${printed(field, `${indent}  `)}`);
  if (indent !== "" && fields.every(([, field]) => isPlain(field))) return `{ ${lines.join(", ")} }`;
  return block("{", lines, "}", indent);
}

function block(open: string, lines: string[], close: string, indent: string): string {
  return `${open}\n${lines.map((line) => `${indent}  ${line}`).join(",\n")}\n${indent}${close}`;
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

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

/** Part names become file paths, so they must not leave the output folder. */
const partName = shape<string>("an object with names of parts", (name) => {
  const isPlain = String(name)
    .split("/")
    .every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return isPlain && !/[\\\0]/.test(String(name));
});

export const partsShape: Shape<Record<string, PartEntry>> = map(
  object<PartEntry>({ records: wholeNumber, shards }),
  partName,
);

const manifestShape: Shape<Manifest> = object<Manifest>({
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

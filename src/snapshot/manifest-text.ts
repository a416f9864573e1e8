import { costLimits } from "../lib/cost-limits.js";
import { OffprintError } from "../lib/errors.js";
import { NestingError, parseBounded } from "../lib/json/nesting.js";
import { isObject, pathText } from "../lib/shape.js";
import { contentHash } from "./content-hash.js";
import { damagedFile } from "./damaged-file.js";
import { type Manifest, manifestFormat } from "./manifest.js";
import { manifestShape } from "./manifest-shape.js";

/**
 * The text of a manifest: indented JSON in which a list of plain values, and an object of plain values, takes one
 * line. So each shard has its line, and a version control system shows small differences.
 */
export function manifestText(manifest: Manifest): string {
  return `${printed(manifest, "")}\n`;
}

/**
 * The manifest with its checksum: SHA-256 of the canonical JSON of all other fields, without those that tell what came
 * after the commit.
 */
export function withChecksum(manifest: Omit<Manifest, "checksum">): Manifest {
  return { ...manifest, checksum: checksumOf({ ...manifest }) };
}

function checksumOf({ confirmed: _, assumedLagMs: __, ...committed }: Record<string, unknown>): string {
  return contentHash(sortedJson(committed));
}

/**
 * Reads a manifest, inverse of {@link manifestText}.
 * @param file Its name, for the message.
 * @throws OffprintError `SNAPSHOT_FORMAT` when it is of a newer format, `SNAPSHOT_DAMAGED` when it is not what was
 * written.
 */
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

/** Earlier versions of this program called an interval whose bounds they did not note `mixed`. */
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
  return new OffprintError(
    "SNAPSHOT_FORMAT",
    `${file} has the format ${format}; this program reads ${manifestFormat}.`,
    {
      hint: "Use the version of offprint that wrote it, or a later one.",
    },
  );
}

/** JSON without spaces, with the keys of every object in code-unit order. */
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
    return block(
      "[",
      value.map((item) => printed(item, `${indent}  `)),
      "]",
      indent,
    );
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

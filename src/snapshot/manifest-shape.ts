import { isJsonObject } from "./json-object.js";
import { maxPrefix } from "./shard-trie.js";

/** Says what a value should be, as the end of a sentence, or undefined when it is that. */
type Check = (value: unknown) => string | undefined;

/**
 * What keeps a parsed JSON object from being a manifest (of the format that this program writes), or undefined.
 * Names that lead to files are checked too: a manifest must not reach out of the output folder.
 */
export function manifestProblem(manifest: Record<string, unknown>): string | undefined {
  return fields(manifest, "", {
    format: wholeNumber,
    generation: wholeNumber,
    previous: orNull(wholeNumber),
    space: (space) =>
      object(space, "space", { id: orNull(wholeNumber), name: orNull(text), source: text, languages: listOf(text) }),
    cv: orNull(wholeNumber),
    level,
    startedAt: text,
    committedAt: text,
    editions: listOf(edition),
    parts: partsProblem,
    notIncluded: listOf((entry) => object(entry, "notIncluded", { part: text, reason: text })),
    held: flag,
    checksum: text,
  });
}

const edition: Check = (value) =>
  object(value, "editions", {
    name: text,
    version: text,
    release: orNull(text),
    language: text,
    fallback: optional(text),
    level,
    cv: orNull(wholeNumber),
    confirmedSince: orNull(wholeNumber),
    settings: text,
    index: text,
    blindTo: listOf(text),
    newestPublishedAt: orNull(text),
    newestUpdatedAt: orNull(text),
  });

/** What keeps a value from being the parts of a generation or a stage, or undefined. */
export const partsProblem: Check = (value) => {
  if (!isJsonObject(value)) return "should be an object";
  for (const [name, entry] of Object.entries(value)) {
    if (!isPartName(name)) return `names a part that cannot be one: ${JSON.stringify(name)}`;
    const problem = object(entry, name, { records: wholeNumber, shards: shards });
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const shards: Check = (value) => {
  const problem = listOf((entry) => object(entry, "shard", { prefix, hash, records: wholeNumber, bytes: wholeNumber }))(
    value,
  );
  if (problem !== undefined) return problem;
  const prefixes = (value as { prefix: string }[]).map((shard) => shard.prefix);
  const ordered = prefixes.every((current, index) => {
    const before = prefixes[index - 1];
    return before === undefined || (before < current && !current.startsWith(before));
  });
  return ordered ? undefined : "should have prefixes in order, none of which begins with another";
};

const prefix: Check = (value) =>
  typeof value === "string" && value.length <= maxPrefix && /^[01]*$/.test(value)
    ? undefined
    : "should be binary digits";
const hash: Check = (value) =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? undefined : "should be a SHA-256 in hexadecimal digits";
const level: Check = (value) =>
  value === "exact" || value === "stable" || value === "mixed" ? undefined : "should be exact, stable or mixed";
const text: Check = (value) => (typeof value === "string" ? undefined : "should be a text");
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "should be true or false");
const wholeNumber: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : "should be a whole number";

function orNull(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}

function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

function listOf(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return "should be a list";
    for (const item of value) {
      const problem = check(item);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

function object(value: unknown, path: string, checks: Record<string, Check>): string | undefined {
  return isJsonObject(value) ? fields(value, path, checks) : `should have objects in ${path}`;
}

function fields(value: Record<string, unknown>, path: string, checks: Record<string, Check>): string | undefined {
  for (const [name, check] of Object.entries(checks)) {
    const problem = check(Object.hasOwn(value, name) ? value[name] : undefined);
    if (problem !== undefined) return `has a field ${path === "" ? name : `${path}.${name}`} that ${problem}`;
  }
  return undefined;
}

function isPartName(name: string): boolean {
  const plain = name.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
  return plain && !name.includes("\\") && !name.includes("\0");
}

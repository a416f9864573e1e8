import type { JsonSchema } from "../../lib/shape.js";
import { nearestName, nearestNamed } from "./nearest-name.js";
import { parseDuration, parseShare, parseSize } from "./quantity.js";

/** Why a value was refused. `expects` completes the sentence "expects …". */
export interface Misfit {
  expects: string;
  /** Place inside the value: list positions and mapping keys. */
  path: (string | number)[];
  hint?: string | undefined;
  /** The keys of the section, if the last key of `path` is unknown there. */
  knownKeys?: readonly string[] | undefined;
}

export type Reading<T> = { value: T } | { misfits: Misfit[] };

/** A kind of configuration value: how to read it, and its schema for editors. */
export interface ValueKind<T> {
  schema: JsonSchema;
  /** What the name of its value ends in, and that of its key in the file does not: `timeout` becomes `timeoutMs`. */
  unit?: "Ms" | "Share";
  /** True for a key that a section cannot do without. */
  isRequired?: true;
  read(input: unknown): Reading<T>;
}

export type ReadOf<K> = K extends ValueKind<infer T> ? T : never;

/** Trimmed text, not empty. `accepts` may reject more. */
export function text(
  expects = "text",
  accepts: (trimmed: string) => boolean = () => true,
  schema: JsonSchema = {},
): ValueKind<string> {
  return {
    schema: { type: "string", ...schema },
    read: (input) => {
      if (typeof input === "number" || typeof input === "boolean") return misfit(expects, "Put it in quotes.");
      if (typeof input !== "string") return misfit(expects);
      const trimmed = input.trim();
      // No path, address or header can contain it.
      if (trimmed.includes("\0")) return misfit(expects, "Leave out the character U+0000.");
      return trimmed !== "" && accepts(trimmed) ? { value: trimmed } : misfit(expects);
    },
  };
}

export function mapped<T, U>(kind: ValueKind<T>, turn: (value: T) => U): ValueKind<U> {
  return {
    ...kind,
    read: (input) => {
      const reading = kind.read(input);
      return "value" in reading ? { value: turn(reading.value) } : reading;
    },
  };
}

const plainToken = text("a token without spaces", (value) => /^[\x21-\x7e]+$/.test(value));

/** An access token without white space. Rejects quotes, which some readers pass on, such as Docker's `--env-file`. */
export const token: ValueKind<string> = {
  ...plainToken,
  read: (input) =>
    typeof input === "string" && /^\s*(["'`]).*\1\s*$/s.test(input)
      ? misfit("a token without quotes", "Remove the quotes around it: they came with the value.")
      : plainToken.read(input),
};

/** `true` or `false`, also as text, because variables are text. */
export const flag: ValueKind<boolean> = parsed("true or false", { type: "boolean" }, (input) => {
  if (input === true || input === "true") return true;
  return input === false || input === "false" ? false : undefined;
});

/** A whole number from `least` to `most`, both included. */
export function wholeNumber(least: number, most: number): ValueKind<number> {
  const isLimited = most < Number.MAX_SAFE_INTEGER;
  const expects = isLimited ? `a whole number from ${least} to ${most}` : `a whole number from ${least}`;
  const schema = { type: "integer", minimum: least, ...(isLimited && { maximum: most }) };
  return parsed(expects, schema, (input) => {
    const number = typeof input === "string" && /^\d{1,15}$/.test(input.trim()) ? Number(input) : input;
    return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
      ? number
      : undefined;
  });
}

/** A duration with a unit: `500ms`, `2s`, `1h`. The values are milliseconds. */
export function duration(example: string, least: string, most: string): ValueKind<number> {
  return { ...quantity("duration", "ms|s|m|h|d", parseDuration, { example, least, most }), unit: "Ms" };
}

/** A size with a unit: `512KB`, `50MB`. The values are bytes. */
export function size(example: string, least: string, most: string): ValueKind<number> {
  return quantity("size", "B|KB|MB|GB", parseSize, { example, least, most });
}

function quantity(
  what: string,
  units: string,
  parse: (input: unknown) => number | undefined,
  { example, least, most }: { example: string; least: string; most: string },
): ValueKind<number> {
  const [from = 0, to = 0] = [parse(least), parse(most)];
  const pattern = `^\\d+(\\.\\d+)?\\s*(${units})?$`;
  const schema = {
    anyOf: [
      { type: "string", pattern, examples: [example] },
      { type: "number", minimum: 0 },
    ],
  };
  return parsed(`a ${what} such as ${example}, from ${least} to ${most}`, schema, (input) => {
    const value = parse(input);
    return value !== undefined && value >= from && value <= to ? value : undefined;
  });
}

/** A share from 0 to 1, written `20%` or `0.2`. */
export const share: ValueKind<number> = {
  ...parsed(
    "a share such as 20% or 0.2",
    {
      anyOf: [
        { type: "string", pattern: "^\\d+(\\.\\d+)?\\s*%$" },
        { type: "number", minimum: 0, maximum: 1 },
      ],
    },
    parseShare,
  ),
  unit: "Share",
};

export function choice<const T extends string>(...words: readonly T[]): ValueKind<T> {
  const expects = words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return {
    schema: { enum: [...words] },
    read: (input) => {
      const written = typeof input === "string" ? input.trim() : "";
      const word = words.find((candidate) => candidate === written);
      if (word !== undefined) return { value: word };
      const nearest = nearestName(written, words);
      return misfit(expects, nearest === undefined ? undefined : `Did you mean ${nearest}?`);
    },
  };
}

/** The same kind, with other names for its words. They are invalid, but hints suggest the word. */
export function withNames<T extends string>(
  kind: ValueKind<T>,
  names: Readonly<Record<T, readonly string[]>>,
): ValueKind<T> {
  return {
    ...kind,
    read: (input) => {
      const reading = kind.read(input);
      if ("value" in reading || typeof input !== "string") return reading;
      const meant = nearestNamed(input.trim(), Object.keys(names), (word) => names[word as T]);
      return meant === undefined
        ? reading
        : { misfits: reading.misfits.map((found) => ({ ...found, hint: `Did you mean ${meant}?` })) };
    },
  };
}

/** A list without duplicates. Accepts a single value, or text with commas, without brackets. */
export function list<T>(item: ValueKind<T>, of: string, { notEmpty = false } = {}): ValueKind<T[]> {
  const expects = notEmpty ? `a list of ${of} with at least one of them` : `a list of ${of}`;
  const schema = {
    type: "array",
    items: orVariable(item.schema),
    uniqueItems: true,
    ...(notEmpty && { minItems: 1 }),
  };
  return {
    schema: { anyOf: [schema, item.schema] },
    read: (input) => {
      const items = Array.isArray(input) ? input : separated(input);
      if (items === undefined || (notEmpty && items.length === 0)) return misfit(expects);
      return readItems(items, item, Array.isArray(input));
    },
  };
}

/** The first kind that fits. If none does, reports misfits inside the value (`languages[1].code`), else one for all. */
export function either<T, U>(expects: string, first: ValueKind<T>, second: ValueKind<U>): ValueKind<T | U> {
  return {
    schema: { anyOf: [...alternatives(first.schema), ...alternatives(second.schema)] },
    read: (input) => {
      const misfits: Misfit[] = [];
      for (const kind of [first, second]) {
        const reading: Reading<T | U> = kind.read(input);
        if ("value" in reading) return reading;
        misfits.push(...reading.misfits);
      }
      const inside = misfits.filter((found) => found.path.length > 0);
      const hint = misfits.find((found) => found.hint?.startsWith("Did you mean") || typeof input === "string")?.hint;
      return inside.length > 0 ? { misfits: inside } : misfit(expects, hint);
    },
  };
}

/** A kind read by `parse`, which returns undefined if the input does not fit. */
export function parsed<T>(expects: string, schema: JsonSchema, parse: (input: unknown) => T | undefined): ValueKind<T> {
  return {
    schema,
    read: (input) => {
      const value = parse(input);
      return value === undefined ? misfit(expects) : { value };
    },
  };
}

/** The schema, also allowing `${NAME}`, so that editors do not mark a variable as an error. */
export function orVariable(schema: JsonSchema): JsonSchema {
  if (schema.type === "string" && schema.pattern === undefined) return schema;
  return { anyOf: [...alternatives(schema), { type: "string", pattern: "\\$\\{" }] };
}

export function misfit(expects: string, hint?: string): { misfits: Misfit[] } {
  return { misfits: [{ expects, path: [], hint }] };
}

function readItems<T>(items: readonly unknown[], item: ValueKind<T>, positioned: boolean): Reading<T[]> {
  const values: T[] = [];
  const misfits: Misfit[] = [];
  const seen = new Set<string>();
  for (const [position, input] of items.entries()) {
    const start = positioned ? [position] : [];
    const reading = item.read(input);
    if ("misfits" in reading) {
      for (const found of reading.misfits) misfits.push({ ...found, path: [...start, ...found.path] });
      continue;
    }
    const identity = JSON.stringify(reading.value);
    if (seen.has(identity)) misfits.push({ expects: "each value once", path: start });
    seen.add(identity);
    values.push(reading.value);
  }
  return misfits.length > 0 ? { misfits } : { value: values };
}

function separated(input: unknown): unknown[] | undefined {
  if (typeof input === "string") {
    return input
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  }
  return input === undefined || input === null ? undefined : [input];
}

function alternatives(schema: JsonSchema): unknown[] {
  return Array.isArray(schema.anyOf) && Object.keys(schema).length === 1 ? schema.anyOf : [schema];
}

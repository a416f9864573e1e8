import type { JsonSchema } from "../lib/shape.js";

/** `absent`: the platform ignores the parameter; a problem is answered with `status` (default 422). */
export type Decoded<T> = { value: T } | { absent: true } | { problem: string; status?: ProblemStatus };

/** The HTTP statuses of a request that cannot be understood. */
export type ProblemStatus = 400 | 422 | 500;

/** A parameter as text. `encode(decode(text))` is the canonical spelling. */
export interface Codec<T> {
  readonly kind: "text";
  /** Describes a valid text. Completes error messages, and describes the parameter in OpenAPI. */
  readonly about: string;
  /** JSON Schema of the value, for OpenAPI. Without one, any text is valid. */
  readonly schema?: JsonSchema;
  /** @throws RangeError if the parameter cannot carry it (a blank text, an item with a comma). */
  encode(value: T): string;
  decode(text: string): Decoded<T>;
}

/** The codec of a parameter that is spread over several names with brackets: `name[…][…]=text`. */
export interface BracketCodec<T> {
  readonly kind: "brackets";
  readonly about: string;
  /** JSON Schema of an array's items, for OpenAPI. Without one, the value is an object. */
  readonly schema?: JsonSchema;
  /** @throws RangeError for a value that brackets cannot carry. */
  encode(value: T): BracketPair[];
  decode(pairs: readonly BracketPair[]): Decoded<T>;
}

/** The names in the brackets, outermost first, and the text after the equals sign. */
export interface BracketPair {
  keys: string[];
  text: string;
}

/** Any text. A blank one counts as absent. */
export const text: Codec<string> = {
  kind: "text",
  about: "a text",
  encode(value) {
    if (isBlank(value)) throw new RangeError("a blank text cannot be sent: it would count as absent");
    return value;
  },
  decode: (value) => (isBlank(value) ? absent : { value }),
};

/** A whole number of at least `min`. The server, not the codec, clamps values over the maximum. */
export function wholeNumber(min: number): Codec<number> {
  const about = `a whole number, at least ${min}`;
  return {
    kind: "text",
    about,
    schema: { type: "integer", minimum: min },
    encode(value) {
      if (!Number.isSafeInteger(value) || value < min) throw new RangeError(`${value} is not ${about}`);
      return String(value);
    },
    decode(value) {
      if (isBlank(value)) return absent;
      const number = parseDigits(value);
      return number === undefined || number < min ? { problem: `"${value}" is not ${about}` } : { value: number };
    },
  };
}

/**
 * Whole seconds. Anything else (`undefined`, a date) counts as absent: old clients send it, the platform ignores
 * it.
 */
export const cv: Codec<number> = {
  kind: "text",
  about: "a Unix timestamp in whole seconds; anything else counts as absent",
  schema: { type: "integer", minimum: 0 },
  encode: wholeNumber(0).encode,
  decode(value) {
    const number = parseDigits(value);
    return number === undefined ? absent : { value: number };
  },
};

/** One word of a closed set. `legacy` maps older spellings to a word, or to null for "absent". */
export function choice<const T extends string | number>(
  words: readonly T[],
  legacy: ReadonlyMap<string, T | null> = new Map(),
): Codec<T> {
  const about = `one of ${words.join(", ")}`;
  const byText = new Map<string, T | null>([...legacy, ...words.map((word): [string, T] => [String(word), word])]);
  return {
    kind: "text",
    about,
    schema: { enum: [...words, ...legacy.keys()] },
    encode(value) {
      if (!words.includes(value)) throw new RangeError(`"${value}" is not ${about}`);
      return String(value);
    },
    decode(value) {
      if (isBlank(value)) return absent;
      const word = byText.get(value.trim());
      if (word === undefined) return { problem: `"${value}" is not ${about}` };
      return word === null ? absent : { value: word };
    },
  };
}

/** A flag that is written `1` or `0`; `true` and `false` are read as well. */
export const flag: Codec<boolean> = truth("1", "0");

/** A flag that is written `true` or `false`; `1` and `0` are read as well. */
export const trueOrFalse: Codec<boolean> = truth("true", "false");

function truth(yes: string, no: string): Codec<boolean> {
  return {
    kind: "text",
    about: `${yes} or ${no}`,
    schema: { enum: [yes, no] },
    encode: (value) => (value ? yes : no),
    decode(value) {
      if (isBlank(value)) return absent;
      const word = value.trim();
      if (word === "1" || word === "true") return { value: true };
      if (word === "0" || word === "false") return { value: false };
      return { problem: `"${value}" is not ${yes} or ${no}` };
    },
  };
}

export const absent: { absent: true } = Object.freeze({ absent: true });

export function isBlank(value: string): boolean {
  return value.trim() === "";
}

/** Undefined for any text but decimal digits, and for numbers from 2^53. */
export function parseDigits(value: string): number | undefined {
  if (!/^\s*\d+\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

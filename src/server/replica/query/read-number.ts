import { NumberText } from "../../../lib/json/exact-json.js";

/** Characters of a text that may be read as a number, blanks included, at most. The longest double has 309 digits. */
const longestNumber = 400;
const integer = /^\s*[+-]?\d+\s*$/;
/** No two parts can begin with the same character, so that no text is read in more than one way. */
const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** A number, or a text of at most 400 characters that is one without thousands separators; undefined otherwise. */
export function numberOf(value: unknown): number | undefined {
  return read(value, decimal);
}

/** A number, or a text of at most 400 characters with an integer; undefined otherwise. */
export function integerOf(value: unknown): number | undefined {
  return read(value, integer);
}

function read(value: unknown, pattern: RegExp): number | undefined {
  if (typeof value === "number") return value;
  if (value instanceof NumberText) return value.valueOf();
  if (typeof value !== "string" || value.length > longestNumber || !pattern.test(value)) return undefined;
  return Number(value);
}

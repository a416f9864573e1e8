import { NumberText } from "../../../lib/json/exact-json.js";

/** In characters, blanks included. The longest double has 309 digits. */
const longestNumber = 400;
const integer = /^\s*[+-]?\d+\s*$/;
/** No two parts can begin with the same character, so each text parses in only one way. */
const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** Parses a text of at most 400 characters without thousands separators; else undefined. */
export function numberOf(value: unknown): number | undefined {
  return read(value, decimal);
}

/** Parses an integer from a text of at most 400 characters; a number stays; else undefined. */
export function integerOf(value: unknown): number | undefined {
  return read(value, integer);
}

function read(value: unknown, pattern: RegExp): number | undefined {
  if (typeof value === "number") return value;
  if (value instanceof NumberText) return value.valueOf();
  if (typeof value !== "string" || value.length > longestNumber || !pattern.test(value)) return undefined;
  return Number(value);
}

import { NumberText } from "../../../lib/json/exact-json.js";

/**
 * Longest text read as a number, blanks included, in characters. The longest double has 309 digits.
 */
const longestNumber = 400;
const integer = /^\s*[+-]?\d+\s*$/;
/** No two parts can begin with the same character, so each text parses in only one way. */
const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * Returns a number, also from a text of at most 400 characters without thousands separators;
 * otherwise undefined.
 */
export function numberOf(value: unknown): number | undefined {
  return read(value, decimal);
}

/**
 * Returns an integer, also from a text of at most 400 characters, or any number; otherwise
 * undefined.
 */
export function integerOf(value: unknown): number | undefined {
  return read(value, integer);
}

function read(value: unknown, pattern: RegExp): number | undefined {
  if (typeof value === "number") return value;
  if (value instanceof NumberText) return value.valueOf();
  if (typeof value !== "string" || value.length > longestNumber || !pattern.test(value)) return undefined;
  return Number(value);
}

import { parseDateTime } from "../../../contract/date-time.js";
import type { FilterCondition, FilterQuery } from "../../../contract/filter-query.js";
import { wildcardTest } from "../../../contract/wildcard.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { NumberText } from "../../../lib/json/exact-json.js";
import { objectValue } from "./columns.js";
import { integerOf, numberOf } from "./read-number.js";
import type { FieldOfRow, FieldSource } from "./shard-rows.js";

export type RowTest = (row: number) => boolean;

/** The fields that a filter query reads, as paths of a story. */
export function filterFields(filter: FilterQuery): string[][] {
  return [...filter.all, ...filter.any.flat()].map((condition) => ["content", ...condition.path]);
}

/** A row must pass all of `all` and, if `any` has groups, every test of at least one group. */
export interface RowTests {
  all: readonly RowTest[];
  any: readonly (readonly RowTest[])[];
}

/** Converts a filter query (docs/interface-reference.md, section 4.2); `any`: the `__or` groups. */
export function filterTests(filter: FilterQuery, source: FieldSource): RowTests {
  const fieldOf = createFieldMemory(source);
  const lowerCase = createLowerCase();
  const test = (condition: FilterCondition): RowTest => {
    const field = fieldOf(["content", ...condition.path]);
    const matches = valueTest(condition, lowerCase);
    return (row) => matches(field(row));
  };
  return { all: filter.all.map(test), any: filter.any.map((group) => group.map(test)) };
}

/** Reads fields and keeps the last value of each: all conditions test one row before the next. */
function createFieldMemory(source: FieldSource): (path: readonly string[]) => FieldOfRow {
  const fields = new Map<string, FieldOfRow>();
  return (path) =>
    inMap(fields, JSON.stringify(path), () => {
      const field = source.field(path);
      let last: { row: number; value: unknown } = { row: -1, value: undefined };
      return (row) => {
        if (last.row !== row) last = { row, value: field(row) };
        return last.value;
      };
    });
}

/** Returns `toLowerCase` that caches the last text: a long one may face many patterns. */
function createLowerCase(): (text: string) => string {
  let last = { text: "", lower: "" };
  return (text) => {
    if (text.length < longText) return text.toLowerCase();
    if (last.text !== text) last = { text, lower: text.toLowerCase() };
    return last.lower;
  };
}

const longText = 256;

/** Queries call a translated field `headline__i18n__es_co`, records of `es-co` just `headline`. */
export function translateFilter(filter: FilterQuery, language: string): FilterQuery {
  const suffix = `__i18n__${language.replaceAll("-", "_")}`;
  const translate = (condition: FilterCondition): FilterCondition => ({
    ...condition,
    path: condition.path.map((name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : name)),
  });
  return { all: filter.all.map(translate), any: filter.any.map((group) => group.map(translate)) };
}

/** A missing field matches negative operations and `is` `empty`, `null` and `false` (never set). */
export function valueTest(
  { operation, values, text }: FilterCondition,
  lowerCase: (text: string) => string = (mixed) => mixed.toLowerCase(),
): (value: unknown) => boolean {
  switch (operation) {
    case "in":
      return inTest(values, text);
    case "not_in":
      return negated(inTest(values, text));
    case "like":
      return likeTest(text, lowerCase);
    case "not_like":
      return negated(likeTest(text, lowerCase));
    case "any_in_array":
    case "in_array":
      return anyInArray(new Set(values));
    case "all_in_array":
      return allInArray(new Set(values));
    case "exists":
      return text === "false" ? (value) => value === undefined : (value) => value !== undefined;
    case "is":
      return isTests.get(text) ?? (() => false);
    case "gt_date":
      return comparison(momentOf, text, (value, limit) => value > limit);
    case "lt_date":
      return comparison(momentOf, text, (value, limit) => value < limit);
    case "gt_int":
      return comparison(integerOf, text, (value, limit) => value > limit);
    case "lt_int":
      return comparison(integerOf, text, (value, limit) => value < limit);
    case "gt_float":
      return comparison(numberOf, text, (value, limit) => value > limit);
    case "lt_float":
      return comparison(numberOf, text, (value, limit) => value < limit);
  }
}

/** Whether the field, or an element of it, is one of the values. "" matches "" and null. */
function inTest(values: readonly string[], text: string): (value: unknown) => boolean {
  if (text === "") return (value) => value === "" || value === null;
  const wanted = new Set(values);
  return someText((text) => wanted.has(text));
}

function someText(holds: (text: string) => boolean): (value: unknown) => boolean {
  return (value) => (typeof value === "string" ? holds(value) : textsOf(value).some(holds));
}

function anyInArray(wanted: ReadonlySet<string>): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && textsOf(value).some((candidate) => wanted.has(candidate));
}

function allInArray(wanted: ReadonlySet<string>): (value: unknown) => boolean {
  return (value) => {
    if (!Array.isArray(value)) return false;
    const there = new Set(textsOf(value));
    for (const each of wanted) if (!there.has(each)) return false;
    return true;
  };
}

/** Ignores case; `*` is any text. An empty pattern matches a blank field that exists. */
function likeTest(pattern: string, lowerCase: (text: string) => string): (value: unknown) => boolean {
  if (pattern === "") return (value) => value === "";
  const matches = wildcardTest(pattern.toLowerCase());
  return someText((text) => matches(lowerCase(text)));
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
const isNull = (value: unknown) => value === undefined || value === null;

const isTests = new Map<string, (value: unknown) => boolean>([
  ["empty_array", (value) => Array.isArray(value) && value.length === 0],
  ["not_empty_array", (value) => Array.isArray(value) && value.length > 0],
  ["empty", isEmpty],
  ["not_empty", negated(isEmpty)],
  ["true", (value) => value === true || value === "true"],
  ["false", (value) => value === false || value === "false" || value === undefined],
  ["null", isNull],
  ["not_null", negated(isNull)],
]);

function negated(test: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => !test(value);
}

/** A strict comparison. A value or limit that `read` does not understand never matches. */
function comparison(
  read: (value: unknown) => number | undefined,
  limitText: string,
  compare: (value: number, limit: number) => boolean,
): (value: unknown) => boolean {
  const limit = read(limitText);
  return (value) => {
    const number = read(value);
    return number !== undefined && limit !== undefined && compare(number, limit);
  };
}

function momentOf(value: unknown): number | undefined {
  return typeof value === "string" ? parseDateTime(value) : undefined;
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === undefined || value === null || value === objectValue) return [];
  // `1.50` matches both as spelled and as a number.
  if (value instanceof NumberText) return [String(value), String(value.valueOf())];
  return [String(value)];
}

import { parseDateTime } from "../../../contract/date-time.js";
import type { FilterCondition, FilterQuery } from "../../../contract/filter-query.js";
import { wildcardTest } from "../../../contract/wildcard.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { NumberText } from "../../../lib/json/exact-json.js";
import { objectValue } from "./columns.js";
import { integerOf, numberOf } from "./read-number.js";
import type { FieldOfRow, FieldSource } from "./shard-rows.js";

export type RowTest = (row: number) => boolean;

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

type ValueTest = (value: unknown) => boolean;

/** A missing field matches negative operations and `is` `empty`, `null` and `false` (never set). */
export function valueTest(
  condition: FilterCondition,
  lowerCase: (text: string) => string = (mixed) => mixed.toLowerCase(),
): ValueTest {
  return operations[condition.operation](condition, lowerCase);
}

const operations: Record<
  FilterCondition["operation"],
  (condition: FilterCondition, lowerCase: (text: string) => string) => ValueTest
> = {
  in: inTest,
  not_in: (condition) => negated(inTest(condition)),
  like: ({ text }, lowerCase) => likeTest(text, lowerCase),
  not_like: ({ text }, lowerCase) => negated(likeTest(text, lowerCase)),
  any_in_array: anyInArray,
  in_array: anyInArray,
  all_in_array: allInArray,
  exists: ({ text }) => (text === "false" ? (value) => value === undefined : (value) => value !== undefined),
  is: ({ text }) => isTests.get(text) ?? (() => false),
  gt_date: ({ text }) => comparison(momentOf, text, isGreater),
  lt_date: ({ text }) => comparison(momentOf, text, isLess),
  gt_int: ({ text }) => comparison(integerOf, text, isGreater),
  lt_int: ({ text }) => comparison(integerOf, text, isLess),
  gt_float: ({ text }) => comparison(numberOf, text, isGreater),
  lt_float: ({ text }) => comparison(numberOf, text, isLess),
};

const isGreater = (value: number, limit: number) => value > limit;
const isLess = (value: number, limit: number) => value < limit;

/** Whether the field, or an element of it, is one of the values. "" matches "" and null. */
function inTest({ values, text }: FilterCondition): ValueTest {
  if (text === "") return (value) => value === "" || value === null;
  const wanted = new Set(values);
  return someText((text) => wanted.has(text));
}

function someText(holds: (text: string) => boolean): ValueTest {
  return (value) => (typeof value === "string" ? holds(value) : textsOf(value).some(holds));
}

function anyInArray({ values }: FilterCondition): ValueTest {
  const wanted = new Set(values);
  return (value) => Array.isArray(value) && textsOf(value).some((candidate) => wanted.has(candidate));
}

function allInArray({ values }: FilterCondition): ValueTest {
  return (value) => {
    const there = new Set(Array.isArray(value) ? textsOf(value) : []);
    return Array.isArray(value) && values.every((each) => there.has(each));
  };
}

/** Ignores case; `*` is any text. An empty pattern matches a blank field that exists. */
function likeTest(pattern: string, lowerCase: (text: string) => string): ValueTest {
  if (pattern === "") return (value) => value === "";
  const matches = wildcardTest(pattern.toLowerCase());
  return someText((text) => matches(lowerCase(text)));
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === "";
const isNull = (value: unknown) => value === undefined || value === null;

const isTests = new Map<string, ValueTest>([
  ["empty_array", (value) => Array.isArray(value) && value.length === 0],
  ["not_empty_array", (value) => Array.isArray(value) && value.length > 0],
  ["empty", isEmpty],
  ["not_empty", negated(isEmpty)],
  ["true", (value) => value === true || value === "true"],
  ["false", (value) => value === false || value === "false" || value === undefined],
  ["null", isNull],
  ["not_null", negated(isNull)],
]);

function negated(test: ValueTest): ValueTest {
  return (value) => !test(value);
}

/** A strict comparison. A value or limit that `read` does not understand never matches. */
function comparison(
  read: (value: unknown) => number | undefined,
  limitText: string,
  compare: (value: number, limit: number) => boolean,
): ValueTest {
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

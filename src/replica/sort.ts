import type { SortKey } from "../contract/sort.js";
import { objectValue } from "./columns.js";
import { integerOf, numberOf } from "./filter.js";
import { type FieldSource, rowsAtOnce } from "./shard-rows.js";
import type { Sliced } from "./slices.js";

/** Compares two rows: negative when `a` comes first. */
export type RowOrder = (a: number, b: number) => number;

/** The keys that can decide: a second key on the same values never does. */
export function decidingKeys(keys: readonly SortKey[]): SortKey[] {
  const seen = new Set<string>();
  return keys.filter(({ property, cast }) => {
    const name = JSON.stringify([property, cast]);
    return !seen.has(name) && seen.add(name);
  });
}

/** The fields that sort keys read, as paths of a story. */
export function sortFields(keys: readonly SortKey[]): string[][] {
  return keys.map((key) => [...key.property]);
}

/**
 * The order of `sort_by` (seed section 4.1): texts by code unit, so that the machine's locale decides nothing; numbers
 * with `int` and `float`, and where a story property is one. Null, empty and absent values, and values that are no number
 * where one is asked for, stand together at the end that the key names. Rows that no key tells apart keep `tie`.
 *
 * @param rows The rows that will be compared: their values are read once, here.
 */
export function* sortOrder(
  keys: readonly SortKey[],
  source: FieldSource,
  rows: Uint32Array,
  tie: RowOrder,
): Sliced<RowOrder> {
  const orders: RowOrder[] = [];
  for (const key of decidingKeys(keys)) orders.push(yield* keyOrder(key, source, rows));
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return tie(a, b);
  };
}

function* keyOrder(key: SortKey, source: FieldSource, rows: Uint32Array): Sliced<RowOrder> {
  const field = source.field(key.property);
  const read = valueReader(key);
  const values: (string | number | undefined)[] = new Array(source.count).fill(undefined);
  for (const [at, row] of rows.entries()) {
    values[row] = read(field(row));
    if (at % rowsAtOnce === 0) yield;
  }
  const sign = key.direction === "desc" ? -1 : 1;
  const nullSign = key.nulls === "first" ? -1 : 1;
  return (a, b) => {
    const left = values[a];
    const right = values[b];
    if (left === undefined || right === undefined) {
      if (left === right) return 0;
      return left === undefined ? nullSign : -nullSign;
    }
    if (left === right) return 0;
    return (left < right ? -1 : 1) * sign;
  };
}

function valueReader(key: SortKey): (value: unknown) => string | number | undefined {
  if (key.cast === "int") return integerOf;
  if (key.cast === "float") return numberOf;
  return key.property[0] === "content" ? textValue : propertyValue;
}

/** A custom field sorts as text, a number too. */
function textValue(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "" || value === objectValue) return undefined;
  return Array.isArray(value) ? undefined : String(value);
}

/** A story property keeps its kind: every record has a number there, or every record a text. */
function propertyValue(value: unknown): string | number | undefined {
  return typeof value === "number" ? value : textValue(value);
}

import {
  isObject,
  type JsonSchema,
  type Misfit,
  nullish,
  object,
  type Shape,
  shapeBy,
  usablePart,
} from "../lib/shape.js";
import type { Origin } from "./endpoint.js";
import { schemaRef } from "./record-kinds.js";

/** A row of test/interface.md; `beyond` marks one that the seed does not list. */
interface FieldRow {
  readonly about: string;
  readonly beyond?: true;
}

interface Field<T> extends FieldRow {
  readonly kind: Shape<T>;
  /** `needed`: there, of the right type; `checked`: of the right type unless absent or null; `unchecked`: neither. */
  readonly check: "needed" | "checked" | "unchecked";
  /** Not in every response: only on request, or not from every space. */
  readonly sometimes?: true;
}

type Fields = Readonly<Record<string, Field<unknown>>>;

/** The type of a record with these fields: those that are needed are required. */
type RecordWith<F extends Fields> = Flat<
  { [K in keyof F as F[K]["check"] extends "needed" ? K : never]: RecordOf<F[K]["kind"]> } & {
    [K in keyof F as F[K]["check"] extends "needed" ? never : K]?: RecordOf<F[K]["kind"]>;
  }
>;
type Flat<T> = { [K in keyof T]: T[K] };

/** The type of the records that a table describes. */
export type RecordOf<T> = T extends Shape<infer R> ? R : never;

/** Rows of test/interface.md: the fields of one record, or of an object inside it. */
export interface FieldTable {
  readonly section: string;
  readonly origin: Origin;
  /** Prefix of the row's name: `alternates.` */
  readonly prefix: string;
  /** Name of the type in contract/records.ts; null if the part is never stored. */
  readonly type: string | null;
  readonly fields: Readonly<Record<string, FieldRow>>;
}

/** The single description of a record: its fields, and what follows from them. */
export interface RecordTable<T> extends FieldTable, Shape<T> {
  /** Name of its schema in the OpenAPI document. Undefined: the schema is inlined. */
  readonly component: string | undefined;
  /** The schema itself; `schema` may be a reference to it. */
  readonly definition: JsonSchema;
  readonly usable: (value: unknown) => T | undefined;
  /** The first misfit of each invalid field; of the value itself if it is not an object. */
  misfits(value: unknown): Misfit[];
}

export function describeRecord<F extends Fields>(
  place: Omit<RecordTable<unknown>, "fields" | keyof Shape<unknown> | "definition" | "misfits">,
  fields: F,
): RecordTable<RecordWith<F>> {
  const all = Object.entries<Field<unknown>>(fields);
  const relied = all
    .filter(([, { check }]) => check !== "unchecked")
    .map(([name, { kind, check }]): [string, Shape<unknown>] => [name, check === "needed" ? kind : nullish(kind)]);
  const { misfit } = object<Record<string, unknown>>(Object.fromEntries(relied));
  const misfits = (value: unknown): Misfit[] =>
    isObject(value)
      ? relied.flatMap(([name, field]) => object({ [name]: field }).misfit(value) ?? [])
      : [{ path: [], value, expected: "an object" }];
  const definition: JsonSchema = {
    type: "object",
    required: all.filter(([, field]) => !field.beyond && !field.sometimes).map(([name]) => name),
    properties: Object.fromEntries(all.map(([name, field]) => [name, described(field)])),
  };
  const schema = place.component === undefined ? definition : schemaRef(place.component);
  const usable = (value: unknown) => usableRecord(all, value) as RecordWith<F> | undefined;
  return { ...place, fields, ...shapeBy<RecordWith<F>>(misfit), schema, definition, usable, misfits };
}

/** With only the usable items of its lists. Undefined if a needed field has the wrong type. */
function usableRecord(fields: readonly [string, Field<unknown>][], value: unknown): object | undefined {
  if (!isObject(value)) return undefined;
  const record = { ...value };
  for (const [name, { kind, check }] of fields) {
    const isThere = Object.hasOwn(record, name) && record[name] !== undefined;
    if (check === "unchecked" || (check === "checked" && (!isThere || record[name] === null))) continue;
    const part = isThere ? usablePart(kind, record[name]) : undefined;
    if (part !== undefined) record[name] = part;
    else if (check === "needed") return undefined;
    // Absent fields stay absent: a key with undefined would differ.
    else record[name] = undefined;
  }
  return record;
}

/** The section of docs/interface-reference.md, and the name of the record's type. */
export function at(section: string, type: string, more: { component?: string; prefix?: string; origin?: Origin }) {
  return { section, type, component: undefined, prefix: "", origin: "seed" as const, ...more };
}

type FieldOptions = Pick<Field<unknown>, "beyond" | "sometimes">;

export const needed = fieldWith("needed");
export const checked = fieldWith("checked");
export const unchecked = fieldWith("unchecked");

function fieldWith<const Check extends Field<unknown>["check"]>(check: Check) {
  return <T>(kind: Shape<T>, about: string, options: FieldOptions = {}) => ({ kind, about, check, ...options });
}

/** Rows of fields that are never stored. */
export function dropped(
  section: string,
  prefix: string,
  names: readonly string[],
  origin: Origin = "seed",
): FieldTable {
  const about = "dropped where the answer is read";
  return { section, prefix, type: null, origin, fields: Object.fromEntries(names.map((name) => [name, { about }])) };
}

/** Many readers ignore a description next to a `$ref`. */
function described({ kind: { schema }, about }: Field<unknown>): JsonSchema {
  return "$ref" in schema ? schema : { description: about, ...schema };
}

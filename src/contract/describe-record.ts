import { nullish, object, type Shape, shapeBy } from "../shape.js";
import type { JsonSchema } from "./codec.js";
import type { Origin } from "./endpoint.js";
import { type Kind, schemaRef } from "./record-kinds.js";

/** A row of docs/interface.md; `beyond` marks one that the seed does not list. */
interface FieldRow {
  readonly about: string;
  readonly beyond?: true;
}

/** What is known of one field of a record. */
interface Field<T> extends FieldRow {
  readonly kind: Kind<T>;
  /**
   * How an answer is checked. `needed`: the field is there, and of its kind; `checked`: of its kind where it is there
   * and not null; `unchecked`: this program does not rely on it.
   */
  readonly check: "needed" | "checked" | "unchecked";
  /** Not in every answer: only when it is asked for, or not from every space. */
  readonly sometimes?: true;
}

/** A field for each key of a record's type: needed exactly where the type requires the key. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: undefined extends T[K]
    ? Field<Exclude<T[K], undefined>> & { readonly check: "checked" | "unchecked" }
    : Field<T[K]> & { readonly check: "needed" };
};

/** Rows of docs/interface.md: the fields of one record, or of one object inside it. */
export interface FieldTable {
  /** Section of docs/interface-reference.md. */
  readonly section: string;
  readonly origin: Origin;
  /** Put before the field's name to name its row: `alternates.` */
  readonly prefix: string;
  /** Name of the type in contract/records.ts; null where the part is never kept. */
  readonly type: string | null;
  readonly fields: Readonly<Record<string, FieldRow>>;
}

/** The one description of a record: its fields, and what follows from them. */
export interface RecordTable<T> extends FieldTable, Kind<T> {
  /** Name of its schema in the OpenAPI document; without one, the schema stands where the record does. */
  readonly component: string | undefined;
  /** The schema itself, where `schema` may be a reference to it. */
  readonly definition: JsonSchema;
}

/** The table of a record whose type is `T`, with everything that follows from its fields. */
export function describeRecord<T>(
  place: Omit<RecordTable<T>, "fields" | keyof Kind<T> | "definition">,
  fields: FieldsOf<T>,
): RecordTable<T> {
  const all = Object.entries<Field<unknown>>(fields);
  const relied = all.filter(([, { check }]) => check !== "unchecked").map(([name, field]) => [name, checkOf(field)]);
  const shape = shapeBy<T>(object<Record<string, unknown>>(Object.fromEntries(relied)).misfit);
  const definition: JsonSchema = {
    type: "object",
    required: all.filter(([, field]) => !field.beyond && !field.sometimes).map(([name]) => name),
    properties: Object.fromEntries(all.map(([name, field]) => [name, described(field)])),
  };
  const schema = place.component === undefined ? definition : schemaRef(place.component);
  return { ...place, fields, shape, schema, definition };
}

/** Where docs/interface-reference.md describes the record, and the name of its type. */
export function at(section: string, type: string, more: { component?: string; prefix?: string; origin?: Origin }) {
  return { section, type, component: undefined, prefix: "", origin: "seed" as const, ...more };
}

type FieldOptions = Pick<Field<unknown>, "beyond" | "sometimes">;

/** A field that must be there, and of its kind. */
export function needed<T>(kind: Kind<T>, about: string, options: FieldOptions = {}) {
  return { kind, about, check: "needed" as const, ...options };
}

/** A field that must be of its kind where it is there and not null. */
export function checked<T>(kind: Kind<T>, about: string, options: FieldOptions = {}) {
  return { kind, about, check: "checked" as const, ...options };
}

/** A field that this program does not rely on. */
export function unchecked<T>(kind: Kind<T>, about: string, options: FieldOptions = {}) {
  return { kind, about, check: "unchecked" as const, ...options };
}

/** Rows without checks or schemas. */
export function rows(
  section: string,
  prefix: string,
  type: string | null,
  fields: Readonly<Record<string, FieldRow>>,
  origin: Origin = "seed",
): FieldTable {
  return { section, prefix, type, fields, origin };
}

/** Rows of fields that are never kept. */
export function dropped(
  section: string,
  prefix: string,
  names: readonly string[],
  origin: Origin = "seed",
): FieldTable {
  const about = "dropped where the answer is read";
  return rows(section, prefix, null, Object.fromEntries(names.map((name) => [name, { about }])), origin);
}

function checkOf({ kind, check }: Field<unknown>): Shape<unknown> {
  return check === "needed" ? kind.shape : nullish(kind.shape);
}

/** A description beside a reference would be ignored by many readers. */
function described({ kind: { schema }, about }: Field<unknown>): JsonSchema {
  return "$ref" in schema ? schema : { description: about, ...schema };
}

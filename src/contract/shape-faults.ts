import { isObject, type JsonSchema } from "../lib/shape.js";
import { beginning } from "./record-check.js";
import { recordSchemas } from "./record-schemas.js";

/** A key or value in a record that the API does not describe. */
export interface ShapeFault {
  /** The key, with those of the lists that it is in: `alternates.locale`. */
  key: string;
  /** The unexpected value, cut short; null: the key itself is not described. */
  found: string | null;
  /** The place in the record: `alternates[2].locale`. */
  path: string;
}

export type ObjectShape = ReadonlyMap<string, ValueShape>;

export interface ValueShape {
  /** Names of `typeof`, or `array`; undefined: anything. */
  types: ReadonlySet<string> | undefined;
  /** The shape of the object, or of the objects in the list. */
  inside: ObjectShape | undefined;
}

const shapes = new Map<JsonSchema, ObjectShape>();

/** What records with this schema may have; a schema may hold itself. */
export function objectShape(schema: JsonSchema): ObjectShape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = new Map<string, ValueShape>();
  shapes.set(schema, shape);
  const { properties = {}, required = [] } = schema;
  for (const key of required as string[]) shape.set(key, { types: undefined, inside: undefined });
  for (const [key, property] of Object.entries(properties as Record<string, JsonSchema>)) {
    shape.set(key, valueShape(property));
  }
  return shape;
}

function valueShape(property: JsonSchema): ValueShape {
  const { type, items, properties, $ref } = property;
  // A block: what it holds is content.
  if ($ref !== undefined) return { types: new Set(["object"]), inside: undefined };
  const named = [type].flat().flatMap((one) => (one === undefined ? [] : [one === "integer" ? "number" : String(one)]));
  const inner = isObject(items) ? resolved(items) : properties === undefined ? undefined : property;
  return {
    types: named.length === 0 ? undefined : new Set(named),
    inside: inner?.properties === undefined ? undefined : objectShape(inner),
  };
}

function resolved(schema: JsonSchema): JsonSchema | undefined {
  return typeof schema.$ref === "string" ? recordSchemas[schema.$ref.replace(/^.*\//, "")] : schema;
}

/** What the API does not describe, each key once. Null counts as no value. Skips `content` and undescribed insides. */
export function shapeFaults(record: Record<string, unknown>, shape: ObjectShape): readonly ShapeFault[] {
  return faultsIn(record, shape, "", "");
}

/** For the many records that have none. */
const none: readonly ShapeFault[] = [];

function faultsIn(
  record: Record<string, unknown>,
  shape: ObjectShape,
  keyBefore: string,
  pathBefore: string,
): readonly ShapeFault[] {
  let faults: ShapeFault[] | undefined;
  for (const key in record) {
    const expected = shape.get(key);
    const value = record[key];
    if (expected === undefined) {
      faults ??= [];
      faults.push({ key: keyBefore + key, found: null, path: pathBefore + key });
    } else if (value !== null && expected.types !== undefined && !expected.types.has(typeOf(value))) {
      faults ??= [];
      faults.push({ key: keyBefore + key, found: shown(value), path: pathBefore + key });
    } else if (value !== null && expected.inside !== undefined) {
      // The terms below a term have its keys.
      const before = expected.inside === shape ? keyBefore : `${keyBefore}${key}.`;
      const inside = Array.isArray(value)
        ? itemFaults(value, expected.inside, before, pathBefore + key)
        : isObject(value)
          ? faultsIn(value, expected.inside, before, `${pathBefore}${key}.`)
          : none;
      if (inside.length > 0) faults = [...(faults ?? []), ...inside];
    }
  }
  return faults ?? none;
}

function itemFaults(
  list: readonly unknown[],
  shape: ObjectShape,
  keyBefore: string,
  path: string,
): readonly ShapeFault[] {
  if (list.length === 0) return none;
  const first = new Map<string, ShapeFault>();
  for (const [at, item] of list.entries()) {
    if (!isObject(item)) continue;
    for (const fault of faultsIn(item, shape, keyBefore, `${path}[${at}].`)) {
      const name = nameOf(fault);
      if (!first.has(name)) first.set(name, fault);
    }
  }
  return [...first.values()];
}

export function nameOf({ key, found }: Pick<ShapeFault, "key" | "found">): string {
  return found === null ? key : `${key} ${typeIn(found)}`;
}

export function typeIn(found: string): string {
  return found.replace(/:.*$/s, "");
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

const titles: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "a flag",
  object: "an object",
  array: "a list",
};

/** The type of a plain value and its beginning. */
function shown(value: unknown): string {
  const title = titles[typeOf(value)] ?? "something else";
  return typeof value === "object" ? title : `${title}: ${beginning(value, 40)}`;
}

import { recordSchemas } from "../../../contract/record-schemas.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { redact } from "../../../lib/redact/redact.js";
import { isObject, type JsonSchema } from "../../../lib/shape.js";
import { kindOf, type PartKind, partRow, type UndescribedKind } from "../../../snapshot/part-kinds.js";
import type { JsonObject } from "../../resolve/content-shape.js";
import type { FoundFacts } from "./shard-facts.js";

/** A key or value in a record that the API does not describe. */
interface ShapeFault {
  /** The key, with those of the lists that it is in: `alternates.locale`. */
  key: string;
  /** The unexpected value, cut short; null: the key itself is not described. */
  found: string | null;
  /** The place in the record: `alternates[2].locale`. */
  path: string;
}

interface RecordShape {
  fields: ObjectShape;
  /** Values are never shown. */
  isSecret: boolean;
}

type ObjectShape = ReadonlyMap<string, ValueShape>;

interface ValueShape {
  /** Names of `typeof`, or `array`; undefined: anything. */
  types: ReadonlySet<string> | undefined;
  /** The shape of the object, or of the objects in the list. */
  inside: ObjectShape | undefined;
}

/** The schema of the other kinds of part; null: the records do not come from the upstream. */
const schemas: Readonly<Record<UndescribedKind, JsonSchema | null>> = {
  space: {
    properties: {
      me: schemaNamed("Space"),
      info: schemaNamed("SpaceInfo"),
      webhookEndpoints: { type: "array", items: schemaNamed("WebhookEndpoint") },
    },
  },
  assets: null,
  "asset-metadata": schemaNamed("AssetMetadata"),
};

const shapes = new Map<PartKind, RecordShape>();

export function shapeOfPart(part: string): RecordShape | undefined {
  const kind = kindOf(part);
  const schema = partRow(part)?.record?.definition ?? schemas[kind as UndescribedKind] ?? null;
  if (kind === undefined || schema === null) return undefined;
  return inMap(shapes, kind, () => ({ fields: objectShape(schema), isSecret: kind === "space" }));
}

function schemaNamed(name: string): JsonSchema {
  return recordSchemas[name] ?? {};
}

function objectShape({ properties = {}, required = [] }: JsonSchema): ObjectShape {
  const described = Object.entries(properties as Record<string, JsonSchema>);
  return new Map([
    ...(required as string[]).map((key): [string, ValueShape] => [key, { types: undefined, inside: undefined }]),
    ...described.map(([key, property]): [string, ValueShape] => [key, valueShape(property)]),
  ]);
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
function shapeFaults(record: Record<string, unknown>, { fields, isSecret }: RecordShape): readonly ShapeFault[] {
  const faults = faultsIn(record, fields, "", "");
  return isSecret ? faults.map((fault) => ({ ...fault, found: fault.found && typeIn(fault.found) })) : faults;
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
      const inside = Array.isArray(value)
        ? itemFaults(value, expected.inside, keyBefore + key, pathBefore + key)
        : isObject(value)
          ? faultsIn(value, expected.inside, `${keyBefore}${key}.`, `${pathBefore}${key}.`)
          : none;
      if (inside.length > 0) faults = [...(faults ?? []), ...inside];
    }
  }
  return faults ?? none;
}

function itemFaults(list: readonly unknown[], shape: ObjectShape, key: string, path: string): readonly ShapeFault[] {
  if (list.length === 0) return none;
  const first = new Map<string, ShapeFault>();
  for (const [at, item] of list.entries()) {
    if (!isObject(item)) continue;
    for (const fault of faultsIn(item, shape, `${key}.`, `${path}[${at}].`)) {
      const name = nameOf(fault);
      if (!first.has(name)) first.set(name, fault);
    }
  }
  return [...first.values()];
}

export function nameOf({ key, found }: Pick<ShapeFault, "key" | "found">): string {
  return found === null ? key : `${key} ${typeIn(found)}`;
}

function typeIn(found: string): string {
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

/** The type of a plain value and its beginning. Tokens are removed before the cut: half a token would not be found. */
function shown(value: unknown): string {
  const title = titles[typeOf(value)] ?? "something else";
  if (typeof value === "object") return title;
  const text = redact(JSON.stringify(typeof value === "string" ? value.slice(0, 4_000) : value));
  return `${title}: ${text.length > 40 ? `${text.slice(0, 40)}…` : text}`;
}

/** Most faults per shard and kind of record: every record may have new keys. */
export const mostFaults = 50;
const longestKey = 200;

export class ShapeDraft {
  readonly #shape: RecordShape | undefined;
  readonly #faults = new Map<string, FoundFacts["shapeFaults"][number]>();

  constructor(part: string) {
    this.#shape = shapeOfPart(part);
  }

  add(record: JsonObject, at: number): void {
    if (this.#shape === undefined) return;
    for (const fault of shapeFaults(record, this.#shape)) {
      const key = fault.key.slice(0, longestKey);
      const name = nameOf({ key, found: fault.found });
      const known = this.#faults.get(name);
      if (known !== undefined) known[2] += 1;
      else if (this.#faults.size < mostFaults)
        this.#faults.set(name, [key, fault.found, 1, at, fault.path.slice(0, longestKey)]);
    }
  }

  faults(): FoundFacts["shapeFaults"] {
    return [...this.#faults.values()];
  }
}

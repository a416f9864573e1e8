import { isObject, type JsonSchema } from "../../lib/shape.js";
import { type Misfit, misfit, orVariable, type Reading, type ValueKind } from "./value-kinds.js";

export interface Key<T> {
  read(written: unknown): Reading<T>;
  schema: JsonSchema;
  isRequired: boolean;
}

/** A mandatory key. `about` is its description in editors; a section brings its own. */
export function required<T>(kind: ValueKind<T>, about?: string): Key<T> {
  return { read: kind.read, schema: keySchema(kind, about), isRequired: true };
}

export function optional<T>(kind: ValueKind<T>, about?: string): Key<T | undefined> {
  const read = (written: unknown) => (written === undefined ? { value: undefined } : kind.read(written));
  return { read, schema: keySchema(kind, about), isRequired: false };
}

export function byDefault<T>(assumed: unknown, kind: ValueKind<T>, about?: string): Key<T> {
  const read = (written: unknown) => kind.read(written === undefined ? assumed : written);
  return { read, schema: keySchema(kind, about, { default: assumed }), isRequired: false };
}

type ValueOf<K> = K extends Key<infer T> ? T : never;

type ValuesOf<S> = {
  [N in keyof S as undefined extends ValueOf<S[N]> ? never : N]: ValueOf<S[N]>;
} & { [N in keyof S as undefined extends ValueOf<S[N]> ? N : never]?: Exclude<ValueOf<S[N]>, undefined> };

/** A mapping with these keys and no others. @param options.unknownKey completes "expects …" for any other key */
export function section<S extends Readonly<Record<string, Key<unknown>>>>(
  about: string | undefined,
  keys: S,
  { schema = {}, unknownKey }: { schema?: JsonSchema; unknownKey?: string } = {},
): ValueKind<ValuesOf<S>> {
  const known = Object.entries(keys);
  const names = known.filter(([, key]) => key.isRequired).map(([name]) => name);
  const knownKeys = unknownKey === undefined ? Object.keys(keys) : undefined;
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(known.map(([name, key]) => [name, key.schema])),
      ...(names.length > 0 && { required: names }),
      additionalProperties: false,
      ...(about !== undefined && { description: about }),
      ...schema,
    },
    read: (input) => {
      if (!isObject(input)) {
        // A value in place of a section is often meant for the section's required key.
        const isMeantForKey = names.length > 0 && input !== undefined && input !== null;
        return misfit("keys and values", isMeantForKey ? `Write it below the key ${names.join(" or ")}.` : undefined);
      }
      const others = Object.keys(input).filter((name) => !Object.hasOwn(keys, name));
      return readAll(
        known.map(([name, key]) => [name, key.read(Object.hasOwn(input, name) ? input[name] : undefined)]),
        others.map((name) => ({ path: [name], expects: unknownKey ?? "no such key", knownKeys })),
      );
    },
  };
}

/** A mapping whose values are of one kind, with any keys or those that `keys` accepts. */
export function mapping<T>(
  about: string,
  kind: ValueKind<T>,
  keys: { expects: string; accepts(name: string): boolean } = { expects: "", accepts: () => true },
): ValueKind<Record<string, T>> {
  return {
    schema: {
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: kind.schema,
      description: about,
    },
    read: (input) => {
      if (!isObject(input)) return misfit("keys and values");
      const others = Object.keys(input).filter((name) => !keys.accepts(name));
      return readAll(
        Object.entries(input).map(([name, value]) => [name, kind.read(value)]),
        others.map((name) => ({ path: [name], expects: keys.expects })),
      );
    },
  };
}

function readAll<T>(
  readings: readonly (readonly [string, Reading<unknown>])[],
  others: readonly Misfit[] = [],
): Reading<T> {
  const values: [string, unknown][] = [];
  const misfits = [...others];
  for (const [name, reading] of readings) {
    if ("misfits" in reading) {
      for (const found of reading.misfits) misfits.push({ ...found, path: [name, ...found.path] });
    } else if (reading.value !== undefined) values.push([name, reading.value]);
  }
  return misfits.length > 0 ? { misfits } : { value: Object.fromEntries(values) as T };
}

function keySchema({ schema }: ValueKind<unknown>, about: string | undefined, more: JsonSchema = {}): JsonSchema {
  return about === undefined ? schema : { ...more, description: about, ...orVariable(schema) };
}

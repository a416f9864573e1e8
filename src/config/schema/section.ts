import { isObject, type JsonSchema } from "../../lib/shape.js";
import { type Misfit, misfit, type Reading, type ReadOf, type ValueKind } from "./value-kinds.js";

export function required<T>(kind: ValueKind<T>): ValueKind<T> {
  return { ...kind, isRequired: true };
}

export function optional<T>(kind: ValueKind<T>): ValueKind<T | undefined> {
  const read = (written: unknown) => (written === undefined ? { value: undefined } : kind.read(written));
  return { ...kind, read };
}

export function byDefault<T>(assumed: unknown, kind: ValueKind<T>): ValueKind<T> {
  const read = (written: unknown) => kind.read(written === undefined ? assumed : written);
  // A section describes itself: its keys have their own defaults.
  const schema = kind.schema.description === undefined ? { default: assumed, ...kind.schema } : kind.schema;
  return { ...kind, read, schema };
}

/** The doc comment of a key is its description for editors, see scripts/print-config-schema.ts. */
type Keys = Readonly<Record<string, ValueKind<unknown>>>;
type OptionalIn<S extends Keys> = { [N in keyof S]: undefined extends ReadOf<S[N]> ? N : never }[keyof S];

/** What a section reads. Editors and declarations show the keys with their doc comments. */
export type ValuesOf<S extends Keys> = {
  [N in keyof S as N extends OptionalIn<S> ? never : N]: ReadOf<S[N]>;
} & { [N in keyof S as N extends OptionalIn<S> ? N : never]?: Exclude<ReadOf<S[N]>, undefined> };

/** The name of a key in the file: that of the value without its unit. */
function writtenName(name: string, { unit }: ValueKind<unknown>): string {
  return unit === undefined ? name : name.slice(0, -unit.length);
}

/** A mapping with these keys and no others. @param options.unknownKey completes "expects …" for any other key */
export function section<S extends Keys>(
  about: string | undefined,
  keys: S,
  { schema = {}, unknownKey }: { schema?: JsonSchema; unknownKey?: string } = {},
): ValueKind<ValuesOf<S>> {
  const known = Object.entries(keys).map(([name, key]) => ({ name, written: writtenName(name, key), key }));
  const names = known.filter(({ key }) => key.isRequired).map(({ written }) => written);
  const all = known.map(({ written }) => written);
  const knownKeys = unknownKey === undefined ? all : undefined;
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(known.map(({ written, key }) => [written, key.schema])),
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
      const others = Object.keys(input).filter((name) => !all.includes(name));
      return readAll(
        known.map(({ name, written, key }) => ({
          name,
          written,
          reading: key.read(Object.hasOwn(input, written) ? input[written] : undefined),
        })),
        others.map((name) => ({ path: [name], expects: unknownKey ?? "no such key", knownKeys })),
      );
    },
  };
}

/** A mapping whose values are of one kind, with any keys or those that `keys` accepts. */
export function mapping<T, Name extends string = string>(
  about: string,
  kind: ValueKind<T>,
  keys: { expects: string; accepts(name: string): boolean } = { expects: "", accepts: () => true },
): ValueKind<string extends Name ? Record<string, T> : Partial<Record<Name, T>>> {
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
        Object.entries(input).map(([name, value]) => ({ name, written: name, reading: kind.read(value) })),
        others.map((name) => ({ path: [name], expects: keys.expects })),
      );
    },
  };
}

function readAll<T>(
  members: readonly { name: string; written: string; reading: Reading<unknown> }[],
  others: readonly Misfit[],
): Reading<T> {
  const values: [string, unknown][] = [];
  const misfits = [...others];
  for (const { name, written, reading } of members) {
    if ("misfits" in reading) {
      for (const found of reading.misfits) misfits.push({ ...found, path: [written, ...found.path] });
    } else if (reading.value !== undefined) values.push([name, reading.value]);
  }
  return misfits.length > 0 ? { misfits } : { value: Object.fromEntries(values) as T };
}

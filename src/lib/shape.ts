/** A check and a schema of a parsed JSON value. */
export interface Shape<T> {
  readonly schema: JsonSchema;
  is(value: unknown): value is T;
  /** The first misfit in the value, or undefined. */
  misfit(value: unknown): Misfit | undefined;
  /** The usable part of a misfit: a list without bad elements, a record without bad fields. */
  readonly usable?: ((value: unknown) => T | undefined) | undefined;
}

/** The type of the values that a shape accepts. What may be undefined may be absent. */
export type ShapeOf<S> = S extends Shape<infer T> ? WithOptional<T> : never;
type WithOptional<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** A JSON Schema: draft 7 for the configuration, 2020-12 in the OpenAPI document. */
export interface JsonSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly [keyword: string]: unknown;
}

/** A place in a value, and what was expected there. */
export interface Misfit {
  path: readonly (string | number)[];
  value: unknown;
  /** Completes "should be …". */
  expected: string;
}

/** The shapes of an object's fields. The compiler requires one for each required field. */
export type FieldShapes<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]-?: Shape<T[K]>;
} & { readonly [K in keyof T]?: Shape<T[K]> };

export function shape<T>(expected: string, test: (value: unknown) => boolean, schema: JsonSchema = {}): Shape<T> {
  return {
    schema,
    is: (value): value is T => test(value),
    misfit: (value) => (test(value) ? undefined : { path: [], value, expected }),
  };
}

export function shapeBy<T>(
  misfit: (value: unknown) => Misfit | undefined,
  { schema = {}, usable }: Partial<Pick<Shape<T>, "schema" | "usable">> = {},
): Shape<T> {
  return { schema, is: (value): value is T => misfit(value) === undefined, misfit, usable };
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const anything = shape<unknown>("anything", () => true);
export const text = shape<string>("a text", (value) => typeof value === "string", { type: "string" });
export const flag = shape<boolean>("true or false", (value) => typeof value === "boolean", { type: "boolean" });
export const number = shape<number>("a number", (value) => typeof value === "number", { type: "number" });
/** A whole number from 0 to 2^53 - 1. */
export const wholeNumber = shape<number>(
  "a whole number",
  (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
  { type: "integer", minimum: 0 },
);
/** 8-4-4-4-12 hexadecimal digits, in any case, of any version. */
export const uuid = shape<string>(
  "a uuid",
  (value) => typeof value === "string" && value.length === 36 && uuidPattern.test(value),
  { type: "string", pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" },
);

/** Whether the value is an object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function matching(expected: string, pattern: RegExp): Shape<string> {
  return shape(expected, (value) => typeof value === "string" && pattern.test(value), text.schema);
}

export function oneOf<const T extends string | number>(...values: readonly T[]): Shape<T> {
  return shape(values.join(" or "), (value) => values.some((each) => each === value));
}

export function orNull<T>(inner: Shape<T>): Shape<T | null> {
  const schema = { ...inner.schema, type: [inner.schema.type, "null"] };
  return shapeBy<T | null>((value) => (value === null ? undefined : inner.misfit(value)), { ...inner, schema });
}

export function optional<T>(inner: Shape<T>): Shape<T | undefined> {
  return shapeBy((value) => (value === undefined ? undefined : inner.misfit(value)));
}

export function nullish<T>(inner: Shape<T>): Shape<T | null | undefined> {
  return shapeBy((value) => (value === undefined || value === null ? undefined : inner.misfit(value)));
}

export function where<T>(inner: Shape<T>, expected: string, test: (value: T) => boolean): Shape<T> {
  return shapeBy((value) => {
    if (!inner.is(value)) return inner.misfit(value);
    return test(value) ? undefined : { path: [], value, expected };
  });
}

/** An array of this shape. Usable elements remain usable if others are not. */
export function list<T>(element: Shape<T>): Shape<T[]> {
  const misfit = (value: unknown): Misfit | undefined =>
    Array.isArray(value) ? firstMisfit(value.entries(), element) : { path: [], value, expected: "an array" };
  const usable = (value: unknown): T[] | undefined =>
    Array.isArray(value) ? value.map((one) => usablePart(element, one)).filter((one) => one !== undefined) : undefined;
  return shapeBy(misfit, { schema: { type: "array", items: element.schema }, usable });
}

/** An object whose values all have the shape; `name` checks the keys. */
export function map<T>(element: Shape<T>, name: Shape<string> = text): Shape<Record<string, T>> {
  return shapeBy((value) => {
    if (!isObject(value)) return { path: [], value, expected: "an object" };
    const misnamed = Object.keys(value).find((key) => !name.is(key));
    return misnamed === undefined ? firstMisfit(Object.entries(value), element) : name.misfit(misnamed);
  });
}

/** An object with these fields. Other fields are ignored. */
export function object<T>(fields: FieldShapes<T>): Shape<T> {
  const names = Object.keys(fields);
  const shapes = Object.values<Shape<unknown>>(fields);
  // Names that every object inherits count only if the object has them itself.
  const isInherited = names.map((name) => name in Object.prototype);
  return shapeBy((value) => {
    if (!isObject(value)) return { path: [], value, expected: "an object" };
    const isPlain = Object.getPrototypeOf(value) === Object.prototype;
    // No iterators: this runs for every story read.
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const isAbsent = (!isPlain || isInherited[index]!) && !Object.hasOwn(value, name);
      const misfit = shapes[index]!.misfit(isAbsent ? undefined : value[name]);
      if (misfit !== undefined) return within(name, misfit);
    }
    return undefined;
  });
}

/** The value if it fits, else its usable part, else undefined. */
export function usablePart<T>({ is, usable }: Shape<T>, value: unknown): T | undefined {
  return is(value) ? value : usable?.(value);
}

/** The value if it fits, else `otherwise`. */
export function valueOr<T, U>(value: unknown, shape: Shape<T>, otherwise: U): T | U {
  return shape.is(value) ? value : otherwise;
}

/** `editions[0].name` */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function firstMisfit(entries: Iterable<[string | number, unknown]>, element: Shape<unknown>): Misfit | undefined {
  for (const [place, value] of entries) {
    const misfit = element.misfit(value);
    if (misfit !== undefined) return within(place, misfit);
  }
  return undefined;
}

function within(place: string | number, misfit: Misfit): Misfit {
  return { ...misfit, path: [place, ...misfit.path] };
}

import {
  anything,
  flag,
  isObject,
  list,
  matching,
  number,
  orNull,
  type Shape,
  shape,
  text,
  uuid,
  wholeNumber,
} from "../shape.js";
import type { JsonSchema } from "./codec.js";

/** What a field of a record holds: as the OpenAPI document says it, and as an answer is checked. */
export interface Kind<T> {
  readonly schema: JsonSchema;
  readonly shape: Shape<T>;
  /**
   * The usable part of a value that does not have the shape: a list without the elements that cannot be used, a record
   * without such fields. Undefined where nothing of it can be used. Without this function, nothing can.
   */
  readonly usable?: (value: unknown) => T | undefined;
}

/** The value where it has the shape, else what of it can be used; undefined: nothing. */
export function usablePart<T>({ shape, usable }: Kind<T>, value: unknown): T | undefined {
  return shape.is(value) ? value : usable?.(value);
}

const uuidPattern = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

export const kinds = {
  id: { schema: { type: "integer", minimum: 0 }, shape: wholeNumber },
  uuid: { schema: { type: "string", pattern: uuidPattern }, shape: uuid },
  /** A uuid that this program only compares: any text does. */
  groupId: { schema: { type: "string", pattern: uuidPattern }, shape: text },
  text: { schema: { type: "string" }, shape: text },
  /** A text that a request can name: not blank, not long, well-formed, without a null byte. */
  name: {
    schema: { type: "string" },
    shape: matching("a text that a request can name", /^(?=.*\S)[^\0\ud800-\udfff]{1,500}$/su),
  },
  number: { schema: { type: "number" }, shape: number },
  flag: { schema: { type: "boolean" }, shape: flag },
  /** ISO 8601 with milliseconds, in UTC; this program compares it as a text. */
  timestamp: { schema: { type: "string", format: "date-time" }, shape: text },
  anything: { schema: {}, shape: anything },
} as const satisfies Record<string, Kind<unknown>>;

/** The kind, or null. */
export function nullable<T>({ schema, shape, usable }: Kind<T>): Kind<T | null> {
  return { schema: { ...schema, type: [schema.type, "null"] }, shape: orNull(shape), ...(usable && { usable }) };
}

/** An object whose inside is not looked at; `schema` may say more of it. */
export function objectOf<T>(schema: JsonSchema = { type: "object" }): Kind<T> {
  return { schema, shape: shape("an object", isObject) };
}

/** An array whose elements are not looked at. */
export function listOf<T>({ schema }: Kind<T>): Kind<T[]> {
  return { schema: { type: "array", items: schema }, shape: shape("an array", Array.isArray) };
}

/** An array whose elements are looked at too. */
export function checkedListOf<T>(element: Kind<T>): Kind<T[]> {
  const usable = (value: unknown) =>
    Array.isArray(value) ? value.map((one) => usablePart(element, one)).filter((one) => one !== undefined) : undefined;
  return { ...listOf(element), shape: list(element.shape), usable };
}

/** A reference to a schema of the OpenAPI document. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

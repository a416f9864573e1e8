import {
  anything,
  flag,
  isObject,
  list,
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
}

const uuidPattern = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$";

export const kinds = {
  id: { schema: { type: "integer", minimum: 0 }, shape: wholeNumber },
  uuid: { schema: { type: "string", pattern: uuidPattern }, shape: uuid },
  /** A uuid that this program only compares: any text does. */
  groupId: { schema: { type: "string", pattern: uuidPattern }, shape: text },
  text: { schema: { type: "string" }, shape: text },
  number: { schema: { type: "number" }, shape: number },
  flag: { schema: { type: "boolean" }, shape: flag },
  /** ISO 8601 with milliseconds, in UTC; this program compares it as a text. */
  timestamp: { schema: { type: "string", format: "date-time" }, shape: text },
  anything: { schema: {}, shape: anything },
} as const satisfies Record<string, Kind<unknown>>;

/** The kind, or null. */
export function nullable<T>({ schema, shape }: Kind<T>): Kind<T | null> {
  return { schema: { ...schema, type: [schema.type, "null"] }, shape: orNull(shape) };
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
  return { ...listOf(element), shape: list(element.shape) };
}

/** A reference to a schema of the OpenAPI document. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

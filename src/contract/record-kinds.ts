import {
  anything,
  flag,
  isObject,
  type JsonSchema,
  matching,
  number,
  type Shape,
  shape,
  text,
  uuid,
  wholeNumber,
} from "../lib/shape.js";

export const kinds = {
  id: wholeNumber,
  uuid,
  /** A uuid that this program only compares, so any text will do. */
  groupId: { ...text, schema: uuid.schema },
  /** An id that a number cannot hold. It becomes part of an address. */
  termId: matching("an id of letters and digits", /^[A-Za-z0-9_-]{1,64}$/),
  text,
  /** A text that a request can name: not blank, not long, well-formed, without a null byte. */
  name: matching("a text that a request can name", /^(?=.*\S)[^\0\ud800-\udfff]{1,500}$/su),
  number,
  flag,
  /** ISO 8601 with milliseconds, in UTC; compared as text. */
  timestamp: { ...text, schema: { type: "string", format: "date-time" } },
  anything,
};

/** A block or a story's content: `_uid` and `component`, then the fields of the content type. */
export interface Blok {
  _uid: string;
  component: string;
  [field: string]: unknown;
}

/** An object whose fields are not checked; `schema` can describe them. */
export function objectOf<T>(schema: JsonSchema = { type: "object" }): Shape<T> {
  return shape("an object", isObject, schema);
}

/** An array whose elements are not checked. */
export function listOf<T>({ schema }: Shape<T>): Shape<T[]> {
  return shape("an array", Array.isArray, { type: "array", items: schema });
}

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

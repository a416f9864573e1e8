import type { Blok } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";

export type JsonObject = Record<string, unknown>;

/** Keys of a block that are no fields of an editor. */
export const blockKeys: ReadonlySet<string> = new Set(["_uid", "_editable", "component"]);

export function isBlock(value: unknown): value is Blok {
  return isObject(value) && typeof value.component === "string";
}

export function isRichText(value: unknown): value is JsonObject {
  return isObject(value) && value.type === "doc" && typeof value.component !== "string";
}

/** True if the object is an asset field; items of a list of assets may lack `fieldtype`. */
export function isAsset(value: JsonObject): boolean {
  if (value.fieldtype === "asset") return true;
  return typeof value.filename === "string" && typeof value.component !== "string";
}

/** True if the object is a link field; old content lacks `fieldtype`. */
export function isMultilink(value: JsonObject): boolean {
  if (typeof value.component === "string") return false;
  if (value.fieldtype === "multilink") return true;
  return typeof value.linktype === "string" && (Object.hasOwn(value, "cached_url") || Object.hasOwn(value, "url"));
}

/** Sets a key of content, `__proto__` included, as an own property. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** True if a field says something: null, an empty text or list, an asset without file and a link to nowhere do not. */
export function isFilled(value: unknown): boolean {
  if (typeof value !== "object") return value !== "" && value !== undefined;
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  const object = value as JsonObject;
  if (typeof object.component === "string") return true;
  if (object.type === "doc") return Array.isArray(object.content) && object.content.some(hasContent);
  if (isAsset(object)) return isText(object.filename);
  if (isMultilink(object)) return linkKeys.some((key) => isText(object[key]));
  return true;
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

const linkKeys = ["cached_url", "url", "id", "email"];

/** True if a node of rich text is more than an empty paragraph. */
function hasContent(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { type, content } = node as JsonObject;
  return type !== "paragraph" || (Array.isArray(content) && content.length > 0);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

import { isAsset, isMultilink, type JsonObject } from "../resolve/content-shape.js";

/** Whether a field says something: null, an empty text or list, an asset without file and a link to nowhere do not. */
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

const linkKeys = ["cached_url", "url", "id", "email"];

/** Whether a node of rich text is more than an empty paragraph. */
function hasContent(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { type, content } = node as JsonObject;
  return type !== "paragraph" || (Array.isArray(content) && content.length > 0);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

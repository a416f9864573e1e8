import { isObject, uuid } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";

/** Whether the value is a table field as the platform makes it: texts in cells, cells in rows. */
export function isPlainTable(value: JsonObject): boolean {
  for (const key in value) {
    if (key === "fieldtype" ? value[key] !== "table" : key !== "thead" && key !== "tbody") return false;
  }
  return isListOf(value.thead, isCell) && isListOf(value.tbody, isRow);
}

function isRow(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const key in value) if (key !== "body" && !isOwnKey(value, key)) return false;
  return isListOf(value.body, isCell);
}

function isCell(value: unknown): boolean {
  if (!isObject(value)) return false;
  for (const key in value) if (key !== "value" && !isOwnKey(value, key)) return false;
  // A uuid in a cell becomes the reference that it names.
  return typeof value.value === "string" && !uuid.is(value.value);
}

function isOwnKey(value: JsonObject, key: string): boolean {
  return (key === "_uid" || key === "component") && typeof value[key] === "string";
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

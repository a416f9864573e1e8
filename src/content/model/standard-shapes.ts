import { isObject, uuid } from "../../lib/shape.js";
import { isBlock, type JsonObject } from "../resolve/content-shape.js";

/** The nested blocks of a rich text document. Undefined if something in it is not as the printed type says. */
export function readRichText(document: JsonObject): JsonObject[] | undefined {
  const blocks: JsonObject[] = [];
  const open: unknown[] = [document];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node) || typeof node.type !== "string") return undefined;
    for (const key in node) {
      if (key === "type") continue;
      const value = node[key];
      if (key === "text") {
        if (typeof value !== "string") return undefined;
      } else if (key === "content") {
        if (!Array.isArray(value)) return undefined;
        for (let at = 0; at < value.length; at += 1) open.push(value[at]);
      } else if (key === "marks") {
        if (!Array.isArray(value)) return undefined;
        for (let at = 0; at < value.length; at += 1) if (!isMark(value[at])) return undefined;
      } else if (key === "attrs") {
        if (value !== null && !isObject(value)) return undefined;
        if (node.type === "blok" && isObject(value) && Array.isArray(value.body)) {
          for (const block of value.body) if (isBlock(block)) blocks.push(block);
        }
      } else return undefined;
    }
  }
  return blocks;
}

function isMark(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string") return false;
  for (const key in value) {
    if (key === "attrs" ? value.attrs !== null && !isObject(value.attrs) : key !== "type") return false;
  }
  return true;
}

/** True if the value is a table field as the platform makes it: texts in cells, cells in rows. */
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

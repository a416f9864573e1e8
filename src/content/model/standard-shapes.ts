import { isObject, uuid } from "../../lib/shape.js";
import { isBlock, type JsonObject } from "../resolve/content-shape.js";

type Test = (value: unknown) => boolean;

/** True for an object with all keys of `required`, any of `optional` and no others, each with such a value. */
function exactly(required: Readonly<Record<string, Test>>, optional: Readonly<Record<string, Test>>) {
  const names = Object.keys(required);
  const tests = new Map(Object.entries({ ...required, ...optional }));
  return (value: unknown): value is JsonObject => {
    if (!isObject(value)) return false;
    for (const key in value) if (tests.get(key)?.(value[key]) !== true) return false;
    return names.every((name) => Object.hasOwn(value, name));
  };
}

const isText: Test = (value) => typeof value === "string";
const isRecordOrNull: Test = (value) => value === null || isObject(value);
const isListOf =
  (isItem: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(isItem);

const isMark = exactly({ type: isText }, { attrs: isRecordOrNull });
const isNode = exactly(
  { type: isText },
  { text: isText, content: Array.isArray, marks: isListOf(isMark), attrs: isRecordOrNull },
);

/** The nested blocks of a rich text document. Undefined if something in it is not as the printed type says. */
export function readRichText(document: JsonObject): JsonObject[] | undefined {
  const blocks: JsonObject[] = [];
  const open: unknown[] = [document];
  while (open.length > 0) {
    const node = open.pop();
    if (!isNode(node)) return undefined;
    const { type, content, attrs } = node;
    if (Array.isArray(content)) for (const child of content) open.push(child);
    if (type !== "blok" || !isObject(attrs) || !Array.isArray(attrs.body)) continue;
    for (const block of attrs.body) if (isBlock(block)) blocks.push(block);
  }
  return blocks;
}

const keysOfCells = { _uid: isText, component: isText };
// A uuid in a cell becomes the reference that it names.
const isCell = exactly({ value: (value) => isText(value) && !uuid.is(value) }, keysOfCells);
const isRow = exactly({ body: isListOf(isCell) }, keysOfCells);

/** True if the value is a table field as the platform makes it: texts in cells, cells in rows. */
export const isPlainTable = exactly(
  { thead: isListOf(isCell), tbody: isListOf(isRow) },
  { fieldtype: (value) => value === "table" },
);

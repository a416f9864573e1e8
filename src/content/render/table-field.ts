import type { Nodes, PhrasingContent, RootContent } from "mdast";
import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { htmlDocument, inlineHtml } from "./html-in-text.js";
import { looksLikeMarkdown } from "./markdown-source.js";
import { markdownCost, markdownTree } from "./markdown-tree.js";
import { attribute } from "./rich-text-node.js";
import { synonyms } from "./word-list.js";

export function isTableField(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value.component === "string") return false;
  return Array.isArray(value.tbody) && (value.thead === undefined || Array.isArray(value.thead));
}

/**
 * The head becomes the first row, shorter rows get empty cells. Undefined when all cells are empty.
 * Rows keep their length if more than {@link costLimits.filledCells} cells are missing.
 */
export function tableNode(table: JsonObject): JsonObject | undefined {
  const rows = [cellTexts(table.thead), ...list(table.tbody).map((row) => cellTexts(isObject(row) ? row.body : row))];
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const isFilled = missingCells(rows) <= costLimits.filledCells;
  if (!rows.some((cells) => cells.some((text) => text !== ""))) return undefined;
  const content = rows.map((cells, row) => {
    const type = row === 0 ? "tableHeader" : "tableCell";
    const padded = isFilled ? Array.from({ length: columns }, (_, column) => cells[column] ?? "") : cells;
    return { type: "tableRow", content: padded.map((text) => ({ type, content: cellNodes(text) })) };
  });
  return { type: "table", content };
}

export function missingCells(rows: readonly { length: number }[]): number {
  let cells = 0;
  let columns = 0;
  for (const { length } of rows) {
    cells += length;
    if (length > columns) columns = length;
  }
  return rows.length * columns - cells;
}

function cellTexts(cells: unknown): string[] {
  return list(cells).map((cell) => (isObject(cell) ? attribute(cell, "value") : attribute({ cell }, "cell")));
}

function cellNodes(text: string): JsonObject[] {
  const html = htmlDocument(text, "text");
  if (html !== undefined) return html.content;
  return (
    (looksLikeMarkdown(text) ? markdownNodes(text) : undefined) ?? [{ type: "paragraph", content: textLines(text) }]
  );
}

/** Elements such as `<em>` and `<br>` in it are emphasis and breaks. */
export function textLines(text: string): JsonObject[] {
  const html = inlineHtml(text);
  if (html !== undefined) return html;
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  return lines.flatMap((line, index): JsonObject[] => {
    const node = line === "" ? [] : [{ type: "text", text: line }];
    return index === 0 ? node : [{ type: "hard_break" }, ...node];
  });
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const marks = synonyms("bold strong; italic emphasis; strike delete");

/** Undefined for Markdown with more than paragraphs and lists, or too costly to read: it is shown as it is. */
function markdownNodes(text: string): JsonObject[] | undefined {
  if (markdownCost(text) !== undefined) return undefined;
  const nodes = markdownTree(text.trim()).children.map(blockNode);
  return nodes.some((node) => node === undefined) ? undefined : (nodes as JsonObject[]);
}

function blockNode(node: RootContent): JsonObject | undefined {
  if (node.type === "paragraph") {
    const content = node.children.map((child) => lineNodes(child, []));
    return content.includes(undefined) ? undefined : { type: "paragraph", content: content.flat() };
  }
  if (node.type !== "list") return undefined;
  const items = node.children.map((item) => item.children.map(blockNode));
  if (items.some((item) => item.includes(undefined))) return undefined;
  const content = items.map((item) => ({ type: "list_item", content: item }));
  return node.ordered
    ? { type: "ordered_list", attrs: { order: node.start ?? 1 }, content }
    : { type: "bullet_list", content };
}

function lineNodes(node: PhrasingContent, around: readonly JsonObject[]): JsonObject[] | undefined {
  if (node.type === "text") return textNodes(node.value, around);
  if (node.type === "break") return [{ type: "hard_break", marks: around }];
  if (node.type === "inlineCode") return [{ type: "text", text: node.value, marks: [...around, { type: "code" }] }];
  if (node.type === "image") {
    return [{ type: "image", attrs: { src: node.url, alt: node.alt ?? "", title: node.title ?? "" }, marks: around }];
  }
  const mark = markOf(node);
  if (mark === undefined || !("children" in node)) return undefined;
  const inside = node.children.map((child) => lineNodes(child as PhrasingContent, [...around, mark]));
  return inside.includes(undefined) ? undefined : (inside.flat() as JsonObject[]);
}

/** A line ending in a cell is a line break, as in plain text. */
function textNodes(text: string, around: readonly JsonObject[]): JsonObject[] {
  return text.split("\n").flatMap((line, index): JsonObject[] => {
    const node = { type: "text", text: line, marks: around };
    return index === 0 ? [node] : [{ type: "hard_break", marks: around }, node];
  });
}

function markOf(node: Nodes): JsonObject | undefined {
  if (node.type !== "link") return marks.has(node.type) ? { type: marks.get(node.type) } : undefined;
  return { type: "link", attrs: { href: node.url, linktype: "url", ...(node.title ? { title: node.title } : {}) } };
}

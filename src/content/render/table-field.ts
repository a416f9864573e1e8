import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { htmlDocument, inlineHtml } from "./html-in-text.js";
import { markdownNodes } from "./markdown-nodes.js";
import { looksLikeMarkdown } from "./markdown-source.js";
import { attribute } from "./rich-text-node.js";

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

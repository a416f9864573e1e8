import type { PhrasingContent, RootContent, TableRow } from "mdast";
import { costLimits } from "../../lib/cost-limits.js";
import { htmlText } from "./html-text.js";
import { unusualAttributes } from "./inline-html.js";
import { inlineToMdast } from "./inline-to-mdast.js";
import type { RenderContext } from "./render-context.js";
import { childNodes, isInline, type RichTextNode } from "./rich-text-node.js";
import { richTextToHast } from "./rich-text-to-hast.js";
import { missingCells } from "./table-field.js";

/** As Markdown when its first row is its head and every cell is a line of text, else as HTML. */
export function tableToMdast(node: RichTextNode, context: RenderContext, depth: number): RootContent[] {
  const rows = childNodes(node).map(childNodes);
  if (rows.length === 0) return [];
  if (!fitsMarkdown(node, rows, context.isInRightToLeft)) {
    return [{ type: "html", value: htmlText(richTextToHast({ ...node, content: node.children }, context, depth)) }];
  }
  const children = rows.map((cells): TableRow => {
    const children = cells.map((cell) => ({ type: "tableCell" as const, children: cellContent(cell, context) }));
    return { type: "tableRow", children };
  });
  return [{ type: "table", children }];
}

function fitsMarkdown(table: RichTextNode, rows: readonly RichTextNode[][], isInRightToLeft = false): boolean {
  const head = rows[0] ?? [];
  if (!childNodes(table).every((row) => row.type === "tableRow")) return false;
  // The writer of Markdown makes all rows equally long.
  if (missingCells(rows) > costLimits.filledCells) return false;
  if (head.length === 0 || !head.every((cell) => cell.type === "tableHeader")) return false;
  return rows.every((cells, index) => {
    const areCells = cells.every((cell) => (index === 0 || cell.type === "tableCell") && isLine(cell, isInRightToLeft));
    return areCells && cells.length <= head.length;
  });
}

/**
 * No span, no colour, at most one paragraph of inline nodes. The width of its column is ignored: many readers of
 * Markdown leave out HTML, and a table without widths is better than none.
 */
function isLine(cell: RichTextNode, isInRightToLeft: boolean): boolean {
  const { colspan, rowspan, backgroundColor } = cell.attrs;
  if (Number(colspan ?? 1) > 1 || Number(rowspan ?? 1) > 1 || backgroundColor) return false;
  const paragraphs = cellParagraphs(cell);
  if (paragraphs.length > 1 || cell.text !== "") return false;
  return paragraphs.every((node) => {
    const isPlain = unusualAttributes(node.attrs, isInRightToLeft).length === 0;
    return node.type === "paragraph" && isPlain && childNodes(node).every(isInline);
  });
}

/** The nodes in a cell. Blank paragraphs count only if there is nothing else. */
function cellParagraphs(cell: RichTextNode): RichTextNode[] {
  const nodes = childNodes(cell);
  const shown = nodes.length < 2 ? nodes : nodes.filter((node) => !isBlankParagraph(node));
  return shown.length === 0 ? nodes.slice(0, 1) : shown;
}

function isBlankParagraph(node: RichTextNode): boolean {
  if (node.type !== "paragraph") return false;
  return childNodes(node).every(({ type, text }) => type === "hard_break" || (type === "text" && text.trim() === ""));
}

function cellContent(cell: RichTextNode, context: RenderContext): PhrasingContent[] {
  const [paragraph] = cellParagraphs(cell);
  if (paragraph === undefined) return [];
  return inlineToMdast(childNodes(paragraph), context, { breaks: "html", inCell: true });
}

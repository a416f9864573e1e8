import { isObject } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { markdownBlocks, markdownCost } from "./markdown-tree.js";
import { headingLevel, readNode } from "./rich-text-node.js";

const headingSyntax = /^[ >]{0,12}(?:#{1,6}(?:[ \t]|$)|(?:=+|-+)[ \t]*$)/m;

/** Shifts headings so that the highest has the rank, 2 to 6. The rest of the text stays as the editor wrote it. */
export function markdownBelow(text: string, rank: number): string {
  if (!headingSyntax.test(text) || markdownCost(text) !== undefined) return text;
  const { children } = markdownBlocks(text);
  const headings = children.filter((node) => node.type === "heading");
  const shift = rank - headings.reduce((least, { depth }) => Math.min(least, depth), rank);
  if (shift <= 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const { depth, position } of headings) {
    const start = position?.start.offset ?? end;
    const stop = position?.end.offset ?? start;
    pieces.push(text.slice(end, start), withRank(text.slice(start, stop), Math.min(depth + shift, 6)));
    end = stop;
  }
  return pieces.join("") + text.slice(end);
}

/** A heading of a rank. @param source `# Plan`, or a text with a line of `=` or `-` below it */
function withRank(source: string, rank: number): string {
  const marks = "#".repeat(rank);
  if (/^#{1,6}(?:[ \t]|$)/.test(source)) return source.replace(/^#+/, marks);
  const lines = source.split(/\r\n?|\n/).slice(0, -1);
  return `${marks} ${lines.map((line) => line.trim()).join(" ")}`;
}

export function nodesBelow(nodes: readonly JsonObject[], rank: number): readonly JsonObject[] {
  const highest = nodes.flatMap(headingsIn).reduce((least, node) => Math.min(least, levelOf(node)), rank);
  const shift = rank - highest;
  return shift > 0 ? nodes.map((node) => lowered(node, shift)) : nodes;
}

function headingsIn(node: JsonObject): JsonObject[] {
  if (node.type === "heading") return [node];
  return node.type === "doc" && Array.isArray(node.content)
    ? node.content.filter((child): child is JsonObject => isObject(child) && child.type === "heading")
    : [];
}

function lowered(node: JsonObject, shift: number): JsonObject {
  if (node.type === "heading") {
    const attrs = isObject(node.attrs) ? node.attrs : {};
    return { ...node, attrs: { ...attrs, level: Math.min(levelOf(node) + shift, 6) } };
  }
  if (headingsIn(node).length === 0) return node;
  const content = (node.content as unknown[]).map((child) => {
    return isObject(child) && child.type === "heading" ? lowered(child, shift) : child;
  });
  return { ...node, content };
}

function levelOf(node: JsonObject): number {
  return headingLevel(readNode(node)!);
}

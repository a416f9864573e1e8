import type { Nodes, PhrasingContent, RootContent } from "mdast";
import type { JsonObject } from "../resolve/content-shape.js";
import { markdownCost, markdownTree } from "./markdown-tree.js";
import { synonyms } from "./word-list.js";

const marks = synonyms("bold strong; italic emphasis; strike delete");

/** Undefined for Markdown with more than paragraphs and lists, or too costly to read: it is shown as it is. */
export function markdownNodes(text: string): JsonObject[] | undefined {
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

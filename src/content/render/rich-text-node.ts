import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import { blockKeys, type JsonObject } from "../resolve/content-shape.js";
import { synonyms } from "./word-list.js";

export interface RichTextMark {
  type: string;
  attrs: JsonObject;
}

/** Its parts have these types for any input. */
export interface RichTextNode {
  type: string;
  text: string;
  attrs: JsonObject;
  marks: RichTextMark[];
  children: readonly unknown[];
}

/** How deep nodes and blocks may be nested; what lies deeper becomes plain text. */
export const maxDepth = costLimits.nesting;

/** Other spellings of node types: those of related editors, and the names of HTML elements. */
const aliases = synonyms(`bullet_list bulletList; ordered_list orderedList; list_item listItem; code_block codeBlock;
  hard_break hardBreak br; horizontal_rule horizontalRule hr; image img;
  tableRow table_row; tableCell table_cell; tableHeader table_header`);
const markAliases = synonyms("bold strong b; italic em i; strike s del; underline u; superscript sup; subscript sub");

export function ownMarkType(type: string): string {
  return markAliases.get(type) ?? type;
}

const inlineTypes = new Set(["text", "hard_break", "image", "emoji"]);

/** The nodes that are no part of a line of text. */
const flowNodeTypes = [
  ...(["paragraph", "heading", "blockquote", "bullet_list", "ordered_list", "list_item", "code_block"] as const),
  ...(["horizontal_rule", "table", "tableRow", "tableCell", "tableHeader", "blok", "doc"] as const),
] as const;
export type FlowNodeType = (typeof flowNodeTypes)[number];

export function isKnownNodeType(type: string): boolean {
  const own = aliases.get(type) ?? type;
  return inlineTypes.has(own) || (flowNodeTypes as readonly string[]).includes(own);
}

/** Texts and numbers become text nodes. Undefined for null and booleans. */
export function readNode(value: unknown): RichTextNode | undefined {
  if (typeof value === "string" || typeof value === "number") return textNode(String(value));
  if (Array.isArray(value)) return { ...textNode(""), type: "", children: value };
  if (!isObject(value)) return undefined;
  const type = typeof value.type === "string" ? value.type : "";
  return {
    type: aliases.get(type) ?? type,
    text: typeof value.text === "string" || typeof value.text === "number" ? String(value.text) : "",
    attrs: isObject(value.attrs) ? value.attrs : {},
    marks: Array.isArray(value.marks) ? value.marks.flatMap(readMark) : [],
    children: Array.isArray(value.content) ? value.content : [],
  };
}

export function childNodes(node: RichTextNode): RichTextNode[] {
  return node.children.flatMap((child) => readNode(child) ?? []);
}

export function isInline(node: RichTextNode): boolean {
  return inlineTypes.has(node.type) || (node.text !== "" && node.children.length === 0);
}

/** The attribute as a text; "" unless it is a text or a number. */
export function attribute(attrs: JsonObject, name: string): string {
  const value = attrs[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The text of an inline node; for an emoji its character, or `:name:`. */
export function inlineText(node: RichTextNode): string {
  if (node.type !== "emoji") return isInline(node) ? node.text : plainText({ ...node, content: node.children });
  const name = attribute(node.attrs, "name");
  return attribute(node.attrs, "emoji") || (name === "" ? node.text : `:${name}:`);
}

/** The level of a heading, 1 to 6; 1 when it is not a number. */
export function headingLevel(node: RichTextNode): 1 | 2 | 3 | 4 | 5 | 6 {
  const level = Math.trunc(Number(node.attrs.level ?? 1));
  return (level >= 1 ? Math.min(level, 6) : 1) as 1 | 2 | 3 | 4 | 5 | 6;
}

/** All text in document order, with spaces between: also alternative texts of images, and all texts of blocks. */
export function plainText(root: unknown): string {
  const words: string[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) for (let i = value.length - 1; i >= 0; i--) open.push(value[i]);
    else if (typeof value === "string" || typeof value === "number") words.push(String(value));
    else if (isObject(value)) for (const carrier of textCarriers(value).reverse()) open.push(carrier);
  }
  return words.filter((word) => word !== "").join(" ");
}

/** The values of an object that may hold text: for a node its text and contents, for a block its fields, else all. */
function textCarriers(value: JsonObject): unknown[] {
  const isNode = typeof value.type === "string" && typeof value.component !== "string";
  if (!isNode) return Object.keys(value).flatMap((key) => (technicalKeys.has(key) ? [] : [value[key]]));
  const attrs = isObject(value.attrs) ? value.attrs : {};
  return [value.text, attrs.emoji, attrs.alt, attrs.title, attrs.body, value.content];
}

const technicalKeys = new Set([...blockKeys, "fieldtype", "linktype", "plugin"]);

function textNode(text: string): RichTextNode {
  return { type: "text", text, attrs: {}, marks: [], children: [] };
}

function readMark(value: unknown): RichTextMark[] {
  if (typeof value === "string") return [{ type: ownMarkType(value), attrs: {} }];
  if (!isObject(value) || typeof value.type !== "string") return [];
  return [{ type: ownMarkType(value.type), attrs: isObject(value.attrs) ? value.attrs : {} }];
}

export function codeText(node: RichTextNode): string {
  const lines = childNodes(node).map(codeLine);
  return wellFormed([node.text, ...lines].join("")).replace(/\r\n?/g, "\n");
}

function codeLine(node: RichTextNode): string {
  if (node.type === "hard_break") return "\n";
  return node.type === "text" ? node.text : plainText({ ...node, content: node.children });
}

/** The text with U+FFFD for what UTF-8 cannot carry (lone surrogates) or Markdown and HTML cannot (U+0000). */
export function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}

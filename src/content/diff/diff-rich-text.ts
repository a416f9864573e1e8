import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import { isBlock, type JsonObject } from "../resolve/content-shape.js";
import { type CompareItem, diffItems, jsonOf } from "./diff-items.js";
import { diffSequence, diffText } from "./diff-text.js";
import type { ParagraphDifference, RichTextDifference } from "./difference.js";

export function diffRichText(before: JsonObject, after: JsonObject, compare: CompareItem): RichTextDifference {
  const [old, now] = [richTextParagraphs(before), richTextParagraphs(after)];
  const paragraphs = diffParagraphs(old.paragraphs, now.paragraphs);
  const blocks = diffItems(old.blocks.filter(isBlock), now.blocks.filter(isBlock), compare);
  return { kind: "richText", before, after, paragraphs, ...(blocks === undefined ? {} : { blocks }) };
}

function diffParagraphs(before: readonly Paragraph[], after: readonly Paragraph[]): ParagraphDifference[] {
  const [old, now] = [before, after].map((list) => list.map(({ signature }) => signature));
  return diffSequence(old!, now!).flatMap(({ isSame, from, gone, to, came }) =>
    isSame ? [] : replacedParagraphs(before.slice(from, from + gone), after.slice(to, to + came)),
  );
}

/** Pairs removed paragraphs with those added in their place. */
function replacedParagraphs(gone: readonly Paragraph[], came: readonly Paragraph[]): ParagraphDifference[] {
  return Array.from({ length: Math.max(gone.length, came.length) }, (_, place): ParagraphDifference => {
    const [old, now] = [gone[place], came[place]];
    if (old === undefined) return { change: "added", is: now!.is, pieces: [{ change: "added", text: now!.text }] };
    if (now === undefined) return { change: "removed", is: old.is, pieces: [{ change: "removed", text: old.text }] };
    const pieces = diffText(old.text, now.text);
    const formatting = old.text === now.text ? { formatting: true as const } : {};
    return { change: "changed", is: now.is, pieces, ...formatting };
  });
}

export interface Paragraph {
  /** `paragraph`, `heading 2`, `list item`. */
  is: string;
  text: string;
  signature: string;
}

export function richTextParagraphs(document: JsonObject): { paragraphs: Paragraph[]; blocks: unknown[] } {
  const found = { paragraphs: [] as Paragraph[], blocks: [] as unknown[] };
  visit(document, "text", 0, found);
  return found;
}

type Found = ReturnType<typeof richTextParagraphs>;

function visit(node: JsonObject, inside: string, level: number, found: Found): void {
  const attributes = isObject(node.attrs) ? node.attrs : {};
  const children = (Array.isArray(node.content) ? node.content : []).filter(isObject);
  if (node.type === "blok") {
    if (Array.isArray(attributes.body)) found.blocks.push(...attributes.body);
    return;
  }
  const is = nameOf(node, attributes, inside);
  if (children.some(({ type }) => inlineTypes.has(type)) || children.length === 0 || level >= costLimits.nesting) {
    const text = children.map(inlineText).join("") || (node.type === "horizontal_rule" ? "———" : "");
    if (node.type !== "doc" || text !== "") found.paragraphs.push({ is, text, signature: `${is} ${jsonOf(node)}` });
    return;
  }
  for (const child of children) visit(child, is, level + 1, found);
}

function nameOf({ type }: JsonObject, attributes: JsonObject, inside: string): string {
  if (type === "heading") return `heading ${String(attributes.level ?? "")}`.trim();
  if (type === "list_item" || (type === "paragraph" && inside === "list item")) return "list item";
  if (type === "paragraph" && inside === "blockquote") return "quotation";
  return typeof type === "string" ? type.replaceAll("_", " ") : "text";
}

const inlineTypes = new Set<unknown>(["text", "hard_break", "image", "emoji"]);

function inlineText(node: JsonObject): string {
  const attributes = isObject(node.attrs) ? node.attrs : {};
  switch (node.type) {
    case "text":
      return typeof node.text === "string" ? node.text + linkOf(node) : "";
    case "hard_break":
      return "\n";
    case "image":
      return ` [image ${String(attributes.src ?? "")}] `;
    case "emoji":
      return String(attributes.emoji ?? attributes.name ?? "");
    default:
      return "";
  }
}

/** The link target: readers must see a changed address. */
function linkOf({ marks }: JsonObject): string {
  const link = (Array.isArray(marks) ? marks : []).find((mark) => isObject(mark) && mark.type === "link");
  const href = isObject(link) && isObject(link.attrs) ? link.attrs.href : undefined;
  return typeof href === "string" && href !== "" ? ` [${href}]` : "";
}

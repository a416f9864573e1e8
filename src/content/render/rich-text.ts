import type { ElementContent } from "hast";
import type { Blok } from "../../contract/records.js";
import type { ImageSize } from "../resolve/asset-fields.js";
import { isRichText } from "../resolve/content-shape.js";
import { rewriteValue } from "../resolve/rewrite-value.js";
import { htmlLines, htmlText } from "./html-text.js";
import { hasInk } from "./inline-edges.js";
import { markdownText } from "./markdown-text.js";
import type { RenderContext } from "./render-context.js";
import { bodyFieldToHast, richTextToHast } from "./rich-text-to-hast.js";
import { richTextToMdast } from "./rich-text-to-mdast.js";
import { bodyFields } from "./story-body.js";

/**
 * Rich text as CommonMark with GFM tables and strikethrough, and inline HTML for what these cannot express.
 *
 * @param document the value of a rich text field; any other value gives its text
 */
export function richTextToMarkdown(document: unknown, context: RenderContext): string {
  return markdownText(richTextToMdast(document, context), context.target);
}

/** Rich text as HTML. */
export function richTextToHtml(document: unknown, context: RenderContext): string {
  return htmlText(richTextToHast(document, context));
}

/** Values other than rich text give their text. */
export const richTextAs = {
  html: richTextToHtml,
  markdown: richTextToMarkdown,
  text: (document: unknown, context: RenderContext) => htmlLines(richTextToHast(document, context)).join("\n"),
};

export type RichTextForm = keyof typeof richTextAs;

/** A copy of content in which every rich text document, in nested blocks too, is a text of that form. */
export function withRichTextAs(form: RichTextForm, content: unknown, context: RenderContext): unknown {
  return rewriteValue(content, (value) => (isRichText(value) ? richTextAs[form](value, context) : value));
}

/** The fields of a story's Markdown file as HTML, without blank headings and paragraphs. */
export function bodyToHtml(
  content: Blok,
  context: RenderContext,
  sizeAt: (src: string) => ImageSize | undefined = () => undefined,
): string {
  const fields = bodyFields(content, context.setting?.(content.component));
  const elements = fields.flatMap((field) => bodyFieldToHast(field, content[field], context));
  return htmlText(elements.filter((element) => !isBlank(element)).map((element) => shown(element, sizeAt)));
}

function isBlank(node: ElementContent): boolean {
  return node.type === "element" && /^(?:h[1-6]|p)$/.test(node.tagName) && node.children.every(isBlankPart);
}

function isBlankPart(node: ElementContent): boolean {
  if (node.type === "text") return !hasInk(node.value);
  if (node.type !== "element" || node.properties.id !== undefined) return false;
  return node.tagName !== "img" && node.children.every(isBlankPart);
}

/** A copy without blanks, in which every image has its size. Existing sizes stay, even a single side. */
function shown(node: ElementContent, sizeAt: (src: string) => ImageSize | undefined): ElementContent {
  if (node.type !== "element") return node;
  const { src, width, height } = node.properties;
  const isImage = node.tagName === "img" && typeof src === "string" && width === undefined && height === undefined;
  return {
    ...node,
    properties: isImage ? { ...node.properties, ...sizeAt(src) } : node.properties,
    children: node.children.filter((child) => !isBlank(child)).map((child) => shown(child, sizeAt)),
  };
}

import { isRichText } from "../resolve/content-shape.js";
import { rewriteValue } from "../resolve/rewrite-value.js";
import { htmlText } from "./html-text.js";
import { markdownText } from "./markdown-text.js";
import type { RenderContext } from "./render-context.js";
import { richTextToHast } from "./rich-text-to-hast.js";
import { richTextToMdast } from "./rich-text-to-mdast.js";

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

/** A copy of content in which every rich text document, in nested blocks too, is a string of HTML. */
export function richTextAsHtml(content: unknown, context: RenderContext): unknown {
  return rewriteValue(content, (value) => (isRichText(value) ? richTextToHtml(value, context) : value));
}

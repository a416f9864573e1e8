import { isRichText } from "../resolve/content-shape.js";
import { rewriteValue } from "../resolve/rewrite-value.js";
import type { RenderContext } from "./render-context.js";
import { richTextToHtml } from "./rich-text.js";

/** A copy of content in which every rich text document, in nested blocks too, is a string of HTML. */
export function richTextAsHtml(content: unknown, context: RenderContext): unknown {
  return rewriteValue(content, (value) => (isRichText(value) ? richTextToHtml(value, context) : value));
}

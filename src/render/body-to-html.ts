import type { ElementContent } from "hast";
import type { Blok } from "../contract/records.js";
import { isRichText } from "../resolve/content-shape.js";
import { htmlText } from "./html-text.js";
import type { RenderContext } from "./render-context.js";
import { editorMarkdownToHast, richTextToHast, sectionsToHast } from "./rich-text-to-hast.js";
import { blocksOf, bodyFields } from "./story-body.js";

/** The body of a story as HTML: the same fields as in its Markdown file, shown in the same way. */
export function bodyToHtml(content: Blok, context: RenderContext): string {
  const fields = bodyFields(content, context.setting?.(content.component));
  return htmlText(fields.flatMap((field) => fieldToHast(field, content[field], context)));
}

function fieldToHast(field: string, value: unknown, context: RenderContext): ElementContent[] {
  if (typeof value === "string") return editorMarkdownToHast(value, context);
  if (isRichText(value)) return richTextToHast(value, context);
  const blocks = blocksOf(value);
  if (blocks !== undefined) return sectionsToHast(blocks, context);
  const shown = { ...context, setting: () => ({ body: [field] }) };
  return sectionsToHast([{ _uid: "", component: "", [field]: value }], shown);
}

import type { Config } from "../config/config.js";
import { htmlLines } from "../content/render/html-text.js";
import type { RenderContext } from "../content/render/render-context.js";
import { richTextToHtml, richTextToMarkdown } from "../content/render/rich-text.js";
import { richTextToHast } from "../content/render/rich-text-to-hast.js";
import { isRichText } from "../content/resolve/content-shape.js";
import { rewriteValue } from "../content/resolve/rewrite-value.js";

/** What rich text becomes. */
export type RichTextForm = "html" | "markdown" | "text";

/** What rendering rich text of a snapshot needs to know. */
export function richTextContext(
  config: Pick<Config, "content">,
  storyUrl: (fullSlug: string) => string,
): RenderContext {
  const { types } = config.content;
  return {
    blocks: new Map(),
    setting: (component) => (Object.hasOwn(types, component) ? types[component] : undefined),
    storyUrl,
    // What is not known keeps its text; the sync told of it.
    unknown: () => undefined,
  };
}

/** Rich text in one of its forms. @param document the value of a rich text field; any other value gives its text */
export function richTextAs(form: RichTextForm, document: unknown, context: RenderContext): string {
  switch (form) {
    case "html":
      return richTextToHtml(document, context);
    case "markdown":
      return richTextToMarkdown(document, context);
    case "text":
      return htmlLines(richTextToHast(document, context)).join("\n");
  }
}

/** A copy of content in which every rich text document, in nested blocks too, is a text. */
export function withRichTextAs(form: RichTextForm, content: unknown, context: RenderContext): unknown {
  return rewriteValue(content, (value) => (isRichText(value) ? richTextAs(form, value, context) : value));
}

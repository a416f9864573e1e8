import type { ContentTypeSetting } from "../config/config.js";
import type { Blok } from "../contract/records.js";
import { isBlock, isRichText } from "../resolve/content-shape.js";
import { blockFieldsToMdast, sectionsToMdast } from "./blocks-to-mdast.js";
import { markdownText } from "./markdown-text.js";
import type { RenderContext } from "./render-context.js";
import { rewrittenMarkdown } from "./rewritten-markdown.js";
import { richTextToMarkdown } from "./rich-text.js";
import type { Target } from "./targets.js";
import { wellFormed } from "./well-formed.js";

/** Names under which a field of text is taken for the story's Markdown body. */
const bodyNames = new Set(["body", "content", "text", "markdown", "long_text"]);

/**
 * The fields that become the body of a story's Markdown file: those that the configuration names; else all rich text
 * fields and the texts named `body`, `content`, `text`, `markdown` or `long_text`; where there are none, the fields
 * that hold blocks.
 */
export function bodyFields(content: Blok, setting: ContentTypeSetting | undefined): string[] {
  const own = Object.keys(content).filter(
    (field) => field !== "_uid" && field !== "component" && field !== "_editable",
  );
  const excluded = new Set(setting?.exclude ?? []);
  if (setting?.body !== undefined) return setting.body.filter((field) => own.includes(field));
  const candidates = own.filter((field) => !excluded.has(field));
  const written = candidates.filter((field) => isRichText(content[field]) || isBodyText(field, content[field]));
  return written.length > 0 ? written : candidates.filter((field) => isBlocks(content[field]));
}

/**
 * The body of a story's Markdown file. A text is taken as Markdown as it stands, because that is what such a field
 * holds; rich text and blocks are rendered; any other value is shown as a list of its parts.
 *
 * @returns "" for an empty body, else text that ends with one line ending
 */
export function storyBody(content: Blok, fields: readonly string[], context: (field: string) => RenderContext): string {
  const parts = fields.map((field) => fieldBody(field, content[field], context(field))).filter((part) => part !== "");
  return parts.join("\n");
}

function fieldBody(field: string, value: unknown, context: RenderContext): string {
  if (typeof value === "string") return sourceText(value, context.target);
  if (isRichText(value)) return richTextToMarkdown(value, context);
  if (isBlocks(value)) return markdownText(sectionsToMdast(value, context), context.target);
  return markdownText(blockFieldsToMdast({ _uid: "", component: "", [field]: value }, context, 0), context.target);
}

/** Markdown that an editor wrote, as UTF-8 can carry it. */
function sourceText(text: string, target: Target | undefined): string {
  const clean = wellFormed(text).replace(/\r\n?/g, "\n").replace(/\n+$/, "");
  if (clean === "") return "";
  if (target?.runsInMarkdown?.test(clean)) return rewrittenMarkdown(clean, target);
  return `${clean}\n`;
}

function isBodyText(field: string, value: unknown): boolean {
  return bodyNames.has(field) && typeof value === "string" && value !== "";
}

function isBlocks(value: unknown): value is Blok[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isBlock(item) && item.full_slug === undefined)
  );
}

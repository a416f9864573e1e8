import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import { blockKeys, isFilled, isRichText } from "../resolve/content-shape.js";
import { decision, type FieldDecision } from "./field-decision.js";
import { fieldWords } from "./field-name.js";
import { isMarkdownName } from "./markdown-source.js";
import { markdownText } from "./markdown-text.js";
import { onlyBlocks } from "./render-blocks.js";
import type { RenderContext } from "./render-context.js";
import { bodyFieldToMdast } from "./rich-text-to-mdast.js";

/**
 * The fields that become the body of a story's Markdown file: those that the configuration names, or, in the order of
 * the record, all rich text, all blocks, and the texts that are Markdown by their name (`body`, `content`, `text`,
 * `markdown`, `long_text`, and what the configuration adds).
 */
export function bodyFields(content: Blok, setting: ContentTypeSetting | undefined): string[] {
  const own = Object.keys(content).filter((field) => !blockKeys.has(field));
  const isShown = (field: string) => /^(?:prose|blocks)$/.test(pageFieldDecision(field, content[field], setting).use);
  const listed = setting?.body?.filter((field) => own.includes(field)) ?? [];
  return [...listed, ...own.filter((field) => !listed.includes(field))].filter(isShown);
}

/**
 * Whether a field of a story's content is in the body (`prose`, `blocks`) or in the front matter, and why. The heading of a
 * page is its title, so a field that `content.types` calls a heading is prose here.
 */
export function pageFieldDecision(
  field: string,
  value: unknown,
  setting: ContentTypeSetting | undefined,
): FieldDecision {
  const { body, exclude, frontMatter, markdown, fields = {} } = setting ?? {};
  const chosen = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (chosen === "setting") return decision("setting", "configuration", "content.types");
  if (chosen !== undefined && !exclude?.includes(field)) return decision("prose", "configuration", "content.types");
  if (body?.includes(field)) return decision("prose", "configuration", "content.types");
  if (exclude?.includes(field)) return decision("excluded", "configuration", "content.types");
  if (body !== undefined || frontMatter?.includes(field)) return decision("setting", "configuration", "content.types");
  if (isRichText(value)) return decision("prose", "value", "rich text");
  if (!isFilled(value)) return decision("empty", "value", "nothing in it");
  if (typeof value === "string") {
    if (markdown?.includes(field)) return decision("prose", "configuration", "content.types");
    return isMarkdownName(field) ? decision("prose", "name", `the word ${field}`) : frontMatterOnly;
  }
  if (onlyBlocks(value) === undefined) return frontMatterOnly;
  return isForMachines(field)
    ? decision("setting", "name", "a field for search engines or scripts")
    : decision("blocks", "value", "blocks");
}

const frontMatterOnly = decision("setting", "value", "a field of the page that is no rich text, Markdown or blocks");

/**
 * The body of a story's Markdown file. Texts are Markdown already; rich text and blocks are rendered; any other value
 * is shown like a field of a block.
 *
 * @returns "" for an empty body, else a text that ends with one line ending
 */
export function storyBody(content: Blok, fields: readonly string[], context: (field: string) => RenderContext): string {
  const nodes = fields.flatMap((field) => bodyFieldToMdast(field, content[field], context(field)));
  const [only] = nodes;
  if (only?.type === "html" && nodes.length === 1) return `${only.value}\n`;
  return nodes.length === 0 ? "" : markdownText(nodes, context(fields[0] ?? "").target);
}

/** True if a field holds blocks for search engines or scripts, which are not shown on the page. */
function isForMachines(field: string): boolean {
  return fieldWords(field).some((word) => /^(?:seo|meta|metadata|og|tracking|analytics|settings|config)$/.test(word));
}

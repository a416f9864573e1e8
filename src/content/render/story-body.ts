import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import { blockKeys, isRichText } from "../resolve/content-shape.js";
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
  if (setting?.body !== undefined) return setting.body.filter((field) => own.includes(field));
  const left = new Set([...(setting?.exclude ?? []), ...(setting?.frontMatter ?? [])]);
  return own.filter((field) => {
    const value = content[field];
    if (left.has(field)) return false;
    if (typeof value === "string") return value !== "" && (isMarkdownName(field) || setting?.markdown?.includes(field));
    return isRichText(value) || (onlyBlocks(value) !== undefined && !isForMachines(field));
  });
}

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

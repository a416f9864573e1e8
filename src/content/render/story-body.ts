import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import { blockKeys, isFilled, isRichText } from "../resolve/content-shape.js";
import { decision, type FieldDecision, type ShownAs } from "./field-decision.js";
import { fieldWords } from "./field-name.js";
import { isMarkdownName } from "./markdown-source.js";
import { markdownText } from "./markdown-text.js";
import { onlyBlocks } from "./render-blocks.js";
import type { RenderContext } from "./render-context.js";
import { bodyFieldToMdast } from "./rich-text-to-mdast.js";

/** Those that the configuration names, or all rich text, all blocks, and the texts that are Markdown by their name. */
export function bodyFields(content: Blok, setting: ContentTypeSetting | undefined): string[] {
  const own = Object.keys(content).filter((field) => !blockKeys.has(field));
  const isShown = (field: string) => /^(?:prose|blocks)$/.test(pageFieldDecision(field, content[field], setting).use);
  const listed = setting?.body?.filter((field) => own.includes(field)) ?? [];
  return [...listed, ...own.filter((field) => !listed.includes(field))].filter(isShown);
}

/** The field with the page's title, `title` in any language that is known; undefined: none outside of the body. */
export function titleField(content: Blok, body: readonly string[]): string | undefined {
  const isTitle = (field: string) => typeof content[field] === "string" && !body.includes(field);
  return ["title", ...Object.keys(content)].find((field) => isTitle(field) && fieldWords(field).join() === "title");
}

/** In the body (`prose`, `blocks`) or in the front matter, and why. A page's heading is its title. */
export function pageFieldDecision(field: string, value: unknown, setting?: ContentTypeSetting): FieldDecision {
  const { body, exclude, frontMatter, markdown, fields = {} } = setting ?? {};
  const chosen = Object.hasOwn(fields, field) ? fields[field] : undefined;
  const isExcluded = exclude?.includes(field);
  const configured = (use: ShownAs) => decision(use, "configuration", "content.types");
  if (chosen === "setting") return configured("setting");
  if ((chosen !== undefined && !isExcluded) || body?.includes(field)) return configured("prose");
  if (isExcluded) return configured("excluded");
  if (body !== undefined || frontMatter?.includes(field)) return configured("setting");
  if (isRichText(value)) return decision("prose", "value", "rich text");
  if (!isFilled(value)) return decision("empty", "value", "nothing in it");
  if (typeof value === "string") {
    if (markdown?.includes(field)) return configured("prose");
    return isMarkdownName(field) ? decision("prose", "name", `the word ${field}`) : frontMatterOnly;
  }
  if (onlyBlocks(value) === undefined) return frontMatterOnly;
  return isForMachines(field)
    ? decision("setting", "name", "a field for search engines or scripts")
    : decision("blocks", "value", "blocks");
}

const frontMatterOnly = decision("setting", "value", "a field of the page that is no rich text, Markdown or blocks");

/** @returns "" for an empty body, else a text that ends with one line ending */
export function storyBody(content: Blok, fields: readonly string[], context: (field: string) => RenderContext): string {
  const nodes = fields.flatMap((field) => bodyFieldToMdast(field, content[field], context(field)));
  const [only] = nodes;
  if (only?.type === "html" && nodes.length === 1) return `${only.value}\n`;
  return nodes.length === 0 ? "" : markdownText(nodes, context(fields[0] ?? "").target);
}

function isForMachines(field: string): boolean {
  return fieldWords(field).some((word) => /^(?:seo|meta|metadata|og|tracking|analytics|settings|config)$/.test(word));
}

import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import { costLimits } from "../../lib/cost-limits.js";
import { blockKeys, type JsonObject } from "../resolve/content-shape.js";
import {
  type BlockDraft,
  describeImages,
  headingField,
  joinAmounts,
  leadLine,
  lineOf,
  linkNode,
  nameLinks,
  openFields,
  readCode,
} from "./block-draft.js";
import { quoteOf } from "./block-quote.js";
import { fieldWords, lastWord } from "./field-name.js";
import { lineNodes, listedLines, valueNodes } from "./field-nodes.js";
import { type BlockField, type LinkValue, readField } from "./field-value.js";
import { withHtmlRead } from "./html-in-field.js";
import { isMarkdownName, looksLikeMarkdown } from "./markdown-source.js";
import type { RenderContext } from "./render-context.js";
import { isIdentifier } from "./setting-value.js";
import { textLines } from "./table-field.js";

/** A part of a block, for Markdown and HTML alike. Nodes are those of rich text. */
export type BlockPart =
  | { kind: "heading"; content: JsonObject[] }
  | { kind: "nodes"; nodes: JsonObject[] }
  | { kind: "markdown"; text: string }
  | { kind: "quote"; parts: BlockPart[] }
  | { kind: "blocks"; blocks: Blok[] };

/** How a block is shown: as an editor would have written it by hand. */
export interface BlockPlan {
  /** What a reader sees, in order. */
  parts: BlockPart[];
  /** True if the block is one short line: several such blocks become a list. */
  isLine: boolean;
  /** Names of the fields that are not shown, or only in part. */
  left: ReadonlySet<string>;
}

/**
 * Decides which fields of a block are for readers, and how they are shown: the heading first, then the others in
 * their order. Fields that belong together become one part: a link and its label, an image and its alternative text,
 * a quotation and its author. In a block with more than {@link costLimits.pairedFields} fields to show, each stands alone.
 */
export function planBlock(block: Blok, context: RenderContext): BlockPlan {
  const setting = context.setting?.(block.component);
  const left = new Set<string>();
  const fields = blockFields(block, setting, left).map((name) => {
    return withHtmlRead(readField(name, block[name], context, setting?.body !== undefined), block, setting);
  });
  for (const { name, holdsMore } of fields) if (holdsMore) left.add(name);
  const draft: BlockDraft = { block, fields: fields.filter(({ values }) => values.length > 0), taken: new Set() };
  const parts =
    draft.fields.length > costLimits.pairedFields ? separateParts(draft, setting) : pairedParts(draft, setting, left);
  const isRule =
    parts.length === 0 && fieldWords(block.component).some((word) => /^(?:divider|separator|hr)$/.test(word));
  if (isRule) return { parts: [{ kind: "nodes", nodes: [{ type: "horizontal_rule" }] }], isLine: false, left };
  return { parts, isLine: parts.length === 1 && isLine(parts[0]!), left };
}

/** @param left gets the names of fields that are not for readers */
function pairedParts(draft: BlockDraft, setting: ContentTypeSetting | undefined, left: Set<string>): BlockPart[] {
  describeImages(draft);
  if (setting?.body === undefined) {
    for (const field of openFields(draft).filter((one) => isHint(one, draft))) {
      draft.taken.add(field);
      left.add(field.name);
    }
  }
  readCode(draft);
  return plannedParts(draft, setting);
}

function separateParts({ fields, block }: BlockDraft, setting: ContentTypeSetting | undefined): BlockPart[] {
  return joinedNodes(fields.flatMap((field) => fieldParts(field, block, setting, false)));
}

function blockFields(block: Blok, setting: ContentTypeSetting | undefined, left: Set<string>): string[] {
  const excluded = new Set(setting?.exclude ?? []);
  const own = Object.keys(block).filter((name) => !blockKeys.has(name) && !excluded.has(name));
  const shown = setting?.body?.filter((name) => own.includes(name)) ?? own;
  const kept = shown.filter((name) => setting?.frontMatter?.includes(name) !== true);
  if (kept.length < own.length) {
    const known = new Set(kept);
    for (const name of own) if (!known.has(name)) left.add(name);
  }
  return kept;
}

/** True if the field is no text for readers: an alternative text without an image, or the name of an input field. */
function isHint(field: BlockField, { fields }: BlockDraft): boolean {
  const text = lineOf(field);
  if (text === undefined) return false;
  if (fieldWords(field.name).includes("alt")) return true;
  return field.name === "name" && isIdentifier(text) && fields.some(({ name }) => lastWord(name) === "label");
}

function plannedParts(draft: BlockDraft, setting: ContentTypeSetting | undefined): BlockPart[] {
  const quote = quoteOf(draft);
  joinAmounts(draft);
  const line = quote === undefined && setting?.heading === undefined ? leadLine(draft) : undefined;
  if (line !== undefined) return [leadPart(line.lead, line.text)];
  const heading = headingField(draft, setting?.heading);
  const headingLink = nameLinks(draft, heading);
  const parts: BlockPart[] = [];
  if (heading !== undefined) {
    draft.taken.add(heading);
    parts.push({ kind: "heading", content: headingContent(draft, heading, headingLink) });
  }
  const isShown = (field: BlockField) => !draft.taken.has(field) || field === quote?.text;
  const shown = draft.fields.filter(isShown);
  const isAlone = shown.length + parts.length === 1;
  for (const field of [...shown.filter(isSubheading), ...shown.filter((field) => !isSubheading(field))]) {
    const own = fieldParts(field, draft.block, setting, isAlone);
    if (field !== quote?.text) for (const part of own) parts.push(part);
    else parts.push({ kind: "quote", parts: [...own, ...attributionPart(quote.attribution)] });
  }
  return joinedNodes(parts);
}

function leadPart(lead: BlockField, text: BlockField): BlockPart {
  const content = [bold(lineOf(lead) ?? ""), { type: "text", text: ` ${lineOf(text) ?? ""}` }];
  return { kind: "nodes", nodes: [{ type: "paragraph", content }] };
}

/** The text of the heading; for a step with its number before it. */
function headingContent(draft: BlockDraft, heading: BlockField, link: LinkValue | undefined): JsonObject[] {
  const text = lineOf(heading) ?? "";
  const step = openFields(draft).find((field) => lastWord(field.name) === "step" && /^\d+$/.test(lineOf(field) ?? ""));
  if (step !== undefined) draft.taken.add(step);
  const number = step === undefined ? [] : [{ type: "text", text: `${lineOf(step)}. ` }];
  return [...number, ...(link === undefined ? textLines(text) : [linkNode(text, link.url)])];
}

function isSubheading({ name }: BlockField): boolean {
  return /^(?:sub ?(?:title|headline|heading)|kicker|eyebrow|overline)$/.test(fieldWords(name).join(" "));
}

function attributionPart(attribution: JsonObject[]): BlockPart[] {
  if (attribution.length === 0) return [];
  return [{ kind: "nodes", nodes: [{ type: "paragraph", content: [{ type: "text", text: "— " }, ...attribution] }] }];
}

function fieldParts(
  field: BlockField,
  block: Blok,
  setting: ContentTypeSetting | undefined,
  isAlone: boolean,
): BlockPart[] {
  const { name, values } = field;
  const isList = Array.isArray(block[name]);
  const lines = values.map((value) => lineNodes(value, isList));
  if (isList && lines.every((line) => line !== undefined)) {
    const items = lines.map((content) => ({ type: "list_item", content: [{ type: "paragraph", content }] }));
    return [{ kind: "nodes", nodes: [{ type: "bullet_list", content: items }] }];
  }
  const blocks = values.flatMap((one) => (one.kind === "block" ? [one.block] : []));
  return values.flatMap((value): BlockPart[] => {
    if (value.kind === "block") return blocks[0] === value.block ? [{ kind: "blocks", blocks }] : [];
    if (value.kind === "text" && !value.isData && isMarkdown(name, value.text, setting))
      return [{ kind: "markdown", text: value.text }];
    return [{ kind: "nodes", nodes: valueNodes(field, value, isAlone) }];
  });
}

function isMarkdown(name: string, text: string, setting: ContentTypeSetting | undefined): boolean {
  return isMarkdownName(name) || setting?.markdown?.includes(name) === true || looksLikeMarkdown(text);
}

/** The parts, with neighbouring nodes joined to one part; consecutive labelled lines in it become a list. */
function joinedNodes(parts: readonly BlockPart[]): BlockPart[] {
  const result: BlockPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (last?.kind === "nodes" && part.kind === "nodes") for (const node of part.nodes) last.nodes.push(node);
    else result.push(part);
  }
  return result.map((part) => (part.kind === "nodes" ? { kind: "nodes", nodes: listedLines(part.nodes) } : part));
}

/** True if the part is a heading, or one paragraph of a few words that is no sentence. */
function isLine(part: BlockPart): boolean {
  if (part.kind === "heading") return true;
  if (part.kind === "markdown") return isShort(part.text);
  const [node] = part.kind === "nodes" ? part.nodes : [];
  if (part.kind !== "nodes" || part.nodes.length !== 1 || node?.type !== "paragraph") return false;
  const content = node.content as JsonObject[];
  if (content.some(({ type }) => type !== "text")) return false;
  return content.some(({ marks }) => marks !== undefined) || isShort(content.map(({ text }) => text).join(""));
}

function isShort(text: string): boolean {
  return (
    text.length <= 100 && !text.trim().includes("\n") && !/[.!:…]\s*$/.test(text) && !/^[\s#>*+|`~-]|^\d/.test(text)
  );
}

function bold(text: string): JsonObject {
  return { type: "text", text, marks: [{ type: "bold" }] };
}

import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import { blockKeys, type JsonObject } from "../resolve/content-shape.js";
import {
  type BlockDraft,
  describeImages,
  joinAmounts,
  joinPairs,
  leadLine,
  lineOf,
  linkedNodes,
  openFields,
  readCode,
  take,
} from "./block-draft.js";
import { configuredHeading, isHeading, statedLevel, takeHeading, takeNumber } from "./block-heading.js";
import { type LinkAround, nameLinks } from "./block-link.js";
import { quoteOf } from "./block-quote.js";
import { blockRole } from "./block-role.js";
import { decision, type FieldDecision } from "./field-decision.js";
import { fieldLabel, fieldWords, lastWord } from "./field-name.js";
import { lineNodes, listedLines, valueNodes } from "./field-nodes.js";
import { type BlockField, type LinkValue, readField } from "./field-value.js";
import { withHtmlRead } from "./html-in-field.js";
import { isMarkdownName, looksLikeMarkdown } from "./markdown-source.js";
import { missingContent } from "./missing-content.js";
import type { RenderContext } from "./render-context.js";
import { isIdentifier } from "./setting-value.js";

/** A part of a block, for Markdown and HTML alike. Nodes are those of rich text. */
export type BlockPart =
  | { kind: "heading"; content: JsonObject[]; level?: number | undefined }
  | { kind: "nodes"; nodes: JsonObject[] }
  | { kind: "markdown"; text: string }
  | { kind: "quote"; parts: BlockPart[] }
  | { kind: "blocks"; blocks: Blok[]; link?: LinkAround | undefined };

export interface BlockPlan {
  parts: BlockPart[];
  /** True if the block is one short line: several such blocks become a list. */
  isLine: boolean;
  /** The field of its heading. */
  heading?: string | undefined;
  /** True if the block is a heading, alone or with a line or two below it, to which the blocks after it belong. */
  isHeading: boolean;
  left: ReadonlySet<string>;
  fields: ReadonlyMap<string, FieldDecision>;
}

/** Decisions that a block takes from other blocks of its component in the same list. */
export interface Beside {
  /** The field of the heading. */
  heading: string | undefined;
  /** Fields whose plain words are for readers. */
  words: readonly string[];
}

/**
 * Decides which fields of a block a reader sees, and how: the heading first, then the others in their order.
 * Fields that belong together become one part, unless there are more than {@link costLimits.pairedFields}.
 */
export function planBlock(block: Blok, context: RenderContext, beside?: Beside): BlockPlan {
  const setting = context.setting?.(block.component);
  const decided = new Map<string, FieldDecision>();
  const left = new Set<string>();
  const fields = blockFields(block, setting, decided).map((name) => {
    const showsAll =
      setting?.body !== undefined || setting?.fields?.[name] !== undefined || beside?.words.includes(name) === true;
    const field = readField(name, block[name], { component: block.component, context, showsAll });
    return withHtmlRead(field, block, setting);
  });
  for (const { name, holdsMore, decision } of fields) {
    decided.set(name, beside?.words.includes(name) === true ? amongTexts : decision);
    if (holdsMore) left.add(name);
  }
  const draft: BlockDraft = { block, fields: fields.filter(({ values }) => values.length > 0), taken: new Map() };
  const isPaired = draft.fields.length <= costLimits.pairedFields;
  const separate = () => joinedNodes(draft.fields.flatMap((field) => fieldParts(field, block, setting, false)));
  const parts = isPaired ? pairedParts(draft, setting, beside?.heading) : separate();
  for (const [{ name }, taken] of draft.taken) decided.set(name, taken);
  for (const [name, { use }] of decided) if (use === "setting" || use === "excluded") left.add(name);
  const isRule = parts.length === 0 && blockRole(block.component).isRule;
  return {
    parts: isRule ? [{ kind: "nodes", nodes: [{ type: "horizontal_rule" }] }] : parts,
    isLine: parts.length === 1 && isLine(parts[0]!),
    heading: parts[0]?.kind === "heading" ? draft.heading : undefined,
    isHeading: parts[0]?.kind === "heading" && parts.slice(1).every(({ kind }) => kind === "nodes") && isHeading(draft),
    left,
    fields: decided,
  };
}

type Setting = ContentTypeSetting | undefined;

function pairedParts(draft: BlockDraft, setting: Setting, beside?: string): BlockPart[] {
  describeImages(draft);
  if (setting?.body === undefined) {
    for (const field of openFields(draft)) {
      const hint = hintOf(field, draft);
      if (hint !== undefined && setting?.fields?.[field.name] === undefined) take(draft, field, "setting", hint);
    }
  }
  readCode(draft);
  return plannedParts(draft, setting, beside);
}

/** @param decided gets the decisions on all fields that are not shown */
function blockFields(block: Blok, setting: Setting, decided: Map<string, FieldDecision>): string[] {
  const own = Object.keys(block).filter((name) => !blockKeys.has(name));
  if (setting === undefined) return own;
  const { exclude = [], frontMatter = [], body, fields = {} } = setting;
  const isLeft = (name: string) => frontMatter.includes(name) || body?.includes(name) === false;
  for (const name of own) {
    if (exclude.includes(name)) decided.set(name, excluded);
    else if (Object.hasOwn(fields, name) ? fields[name] === "setting" : isLeft(name))
      decided.set(name, configuredSetting);
  }
  const shown = own.filter((name) => !decided.has(name));
  if (body === undefined) return shown;
  const listed = body.filter((name) => shown.includes(name));
  return [...listed, ...shown.filter((name) => !listed.includes(name))];
}

const amongTexts = decision("prose", "neighbours", "texts in the blocks beside it");
const excluded = decision("excluded", "configuration", "content.types");
const configuredSetting = decision("setting", "configuration", "content.types");

/** What makes a text none for readers: an alternative text without an image, or the name of an input field. */
function hintOf(field: BlockField, { block, fields }: BlockDraft): string | undefined {
  const text = lineOf(field);
  if (text === undefined) return undefined;
  if (fields.length === 1 && blockRole(block.component).isSocial && isIdentifier(text))
    return "a network without a link";
  if (fieldWords(field.name).includes("alt")) return "the text of a picture that is missing";
  if (field.name !== "name" || !isIdentifier(text)) return undefined;
  if (fields.some(({ name }) => lastWord(name) === "label")) return "the name of a control with a label";
  const others = fields.filter((other) => other !== field && /^(?:text|richText)$/.test(other.values[0]!.kind));
  const hasOther = others.length > 0 && !others.some(({ name }) => /^head(?:line|ing)$|^title$/.test(lastWord(name)));
  return !hasOther && /[-_]/.test(text) ? "a programmer's word" : undefined;
}

function plannedParts(draft: BlockDraft, setting: Setting, beside?: string): BlockPart[] {
  const quote = quoteOf(draft);
  joinPairs(draft);
  joinAmounts(draft);
  const mayLead = quote === undefined && configuredHeading(setting) === undefined && beside === undefined;
  const line = mayLead ? leadLine(draft) : undefined;
  if (line !== undefined) return [leadPart(line.lead, line.text)];
  const heading = takeHeading(draft, setting, beside);
  draft.heading = heading?.field.name;
  const links = nameLinks(draft, heading?.field);
  const parts: BlockPart[] = [];
  if (heading !== undefined) {
    const missing = missingContent(draft);
    if (missing === undefined) parts.push({ kind: "heading", ...headingContent(draft, heading.line, links.heading) });
    else take(draft, heading.field, "setting", missing);
  }
  const number = takeNumber(draft);
  const isShown = (field: BlockField) => !draft.taken.has(field) || field === quote?.text;
  const shown = draft.fields.filter(isShown);
  const isAlone = shown.length + parts.length === 1;
  for (const field of [...shown.filter(isSubheading), ...shown.filter((field) => !isSubheading(field))]) {
    const own = fieldParts(field, draft.block, setting, isAlone);
    if (field === quote?.text) parts.push({ kind: "quote", parts: [...own, ...attributionPart(quote.attribution)] });
    else for (const part of own) parts.push(part.kind === "blocks" ? { ...part, link: links.blocks } : part);
  }
  return numbered(joinedNodes(parts), number);
}

/** Puts the number of a step that has no heading before its first paragraph. */
function numbered(parts: BlockPart[], number: string): BlockPart[] {
  const [first, ...others] = parts;
  if (number === "" || first === undefined) return parts;
  if (first.kind === "markdown" && /^\p{L}/u.test(first.text))
    return [{ kind: "markdown", text: number.replace(".", "\\.") + first.text }, ...others];
  const [node, ...nodes] = first.kind === "nodes" ? first.nodes : [];
  const begun = node && behindNumber(node, number);
  if (begun !== undefined) return [{ kind: "nodes", nodes: [begun, ...nodes] }, ...others];
  return [{ kind: "nodes", nodes: [behindNumber({ type: "paragraph" }, number.trim())!] }, ...parts];
}

function behindNumber(node: JsonObject, number: string): JsonObject | undefined {
  const [first, ...others] = Array.isArray(node.content) ? (node.content as JsonObject[]) : [];
  if (node.type === "paragraph")
    return { ...node, content: [{ type: "text", text: number }, ...(first ? [first] : []), ...others] };
  const begun = node.type === "doc" && isObject(first) ? behindNumber(first, number) : undefined;
  return begun && { ...node, content: [begun, ...others] };
}

function leadPart(lead: BlockField, text: BlockField): BlockPart {
  const bold = { type: "text", text: lineOf(lead) ?? "", marks: [{ type: "bold" }] };
  const content = [bold, { type: "text", text: ` ${lineOf(text) ?? ""}` }];
  return { kind: "nodes", nodes: [{ type: "paragraph", content }] };
}

function headingContent(draft: BlockDraft, line: JsonObject[], link: LinkValue | undefined) {
  const { block } = draft;
  const number = takeNumber(draft);
  const content = link === undefined ? line : linkedNodes(line, link.url);
  const level = statedLevel(block, isHeading(draft));
  return { content: number === "" ? content : [{ type: "text", text: number }, ...content], level };
}

function isSubheading({ name }: BlockField): boolean {
  return /^(?:sub ?(?:title|headline|heading)|kicker|eyebrow|overline)$/.test(fieldWords(name).join(" "));
}

function attributionPart(attribution: JsonObject[]): BlockPart[] {
  if (attribution.length === 0) return [];
  return [{ kind: "nodes", nodes: [{ type: "paragraph", content: [{ type: "text", text: "— " }, ...attribution] }] }];
}

function fieldParts(field: BlockField, block: Blok, setting: Setting, isAlone: boolean): BlockPart[] {
  const { name, values } = field;
  const isList = Array.isArray(block[name]);
  const lines = values.map((value) => lineNodes(value, isList));
  if (isList && lines.every((line) => line !== undefined)) {
    const items = lines.map((content) => ({ type: "list_item", content: [{ type: "paragraph", content }] }));
    // Several lists of texts say what they are, such as `pros` and `cons`.
    const isOneOfMore = Object.values(block).filter(isTexts).length > 1 && isTexts(block[name]);
    const label = { type: "paragraph", content: [{ type: "text", text: `${fieldLabel(name)}:` }] };
    return [{ kind: "nodes", nodes: [...(isOneOfMore ? [label] : []), { type: "bullet_list", content: items }] }];
  }
  const blocks = values.flatMap((one) => (one.kind === "block" ? [one.block] : []));
  const isMarkdown = isMarkdownName(name) || setting?.markdown?.includes(name);
  return values.flatMap((value): BlockPart[] => {
    if (value.kind === "block") return blocks[0] === value.block ? [{ kind: "blocks", blocks }] : [];
    if (value.kind === "text" && !value.isData && (isMarkdown || looksLikeMarkdown(value.text)))
      return [{ kind: "markdown", text: value.text }];
    return [{ kind: "nodes", nodes: valueNodes(field, value, isAlone) }];
  });
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

/** Neighbouring nodes become one part, in which consecutive labelled lines are a list. */
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

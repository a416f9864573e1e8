import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { type BlockDraft, lineOf, openFields, take } from "./block-draft.js";
import { blockRole } from "./block-role.js";
import { decision, type FieldDecision } from "./field-decision.js";
import { isReadingName } from "./field-kind.js";
import { fieldWords, headingRank, lastWord } from "./field-name.js";
import type { BlockField } from "./field-value.js";
import { looksLikeMarkdown } from "./markdown-source.js";
import { attribute } from "./rich-text-node.js";
import { textLines } from "./table-field.js";

/** A longer text is no heading, and one of more lines neither. */
const longestHeading = 250;
const mostLines = 3;

/** Names of fields that are a heading only when the block has other content. */
const otherHeadings = ["question", "term", "year", "date", "day", "label", "tab"];
const textNames = ["text", "content", "label", "value", "copy", "caption", "body"];

/**
 * Takes the configured field, else the one with the best name, else the text of a block that is a heading.
 * @param beside the field that is the heading of another block of the component in the same list
 */
export function takeHeading(draft: BlockDraft, setting: ContentTypeSetting | undefined, beside?: string) {
  const configured = configuredHeading(setting);
  const others = openFields(draft).filter(({ name }) => setting?.fields?.[name] !== "prose");
  const found =
    configured !== undefined
      ? namedField(draft, configured, decision("heading", "configuration", "content.types"))
      : (namedField(draft, beside, asBeside) ?? headingField(draft, others));
  if (found === undefined) return undefined;
  const { field } = found;
  const line = headingLine(field)!;
  draft.taken.set(field, found.decision);
  return { field, line };
}

export function configuredHeading(setting: ContentTypeSetting | undefined): string | undefined {
  const { fields = {}, heading } = setting ?? {};
  return heading ?? Object.keys(fields).find((name) => fields[name] === "heading");
}

const asBeside = decision("heading", "neighbours", "the heading of a block beside it");

function namedField(draft: BlockDraft, name: string | undefined, reason: FieldDecision) {
  const field = openFields(draft).find((one) => one.name === name && headingLine(one) !== undefined);
  return field && { field, decision: reason };
}

function headingField(draft: BlockDraft, open: readonly BlockField[]) {
  let found: BlockField | undefined;
  let best = Number.POSITIVE_INFINITY;
  const isPerson = blockRole(draft.block.component).isPerson || draft.fields.some(({ name }) => isPartOfName(name));
  for (const field of open) {
    const isName = isPerson && (isPersonName(field.name, draft.block.component) || isPartOfName(field.name));
    const rank = isName ? -1 : (headingRank(field.name) ?? Number.POSITIVE_INFINITY);
    if (rank < best && headingLine(field) !== undefined) [found, best] = [field, rank];
  }
  if (found !== undefined) return byName(found);
  if (isHeading(draft)) {
    const named = textNames.map((word) => open.find(({ name }) => lastWord(name) === word));
    const field = named.find((one) => one !== undefined) ?? (open.length === 1 ? open[0] : undefined);
    if (field !== undefined && headingLine(field) !== undefined)
      return { field, decision: decision("heading", "neighbours", "the text of a heading") };
  }
  return headingBesideContent(draft, open);
}

/** `name`, also after a word of the component: `member_name` of a `team_member`. */
function isPersonName(field: string, component: string): boolean {
  const words = fieldWords(field);
  return words.at(-1) === "name" && words.slice(0, -1).every((word) => fieldWords(component).includes(word));
}

function isPartOfName(field: string): boolean {
  return /^(?:first|last) name$/.test(fieldWords(field).join(" "));
}

function byName(field: BlockField) {
  return { field, decision: decision("heading", "name", `the word ${lastWord(field.name)}`) };
}

function headingBesideContent(draft: BlockDraft, open: readonly BlockField[]) {
  const content = open.filter(({ values }) => values.some(({ kind }) => kind !== "link"));
  if (content.length < 2) return undefined;
  // A label next to a link is its text.
  const hasLink = open.some(({ values }) => values.some((value) => value.kind === "link"));
  const isText = (field: BlockField) => {
    const text = lineOf(field) ?? "";
    return text.length <= longestHeading && /\p{L}|\d{2}/u.test(text);
  };
  const words = fieldWords(draft.block.component);
  const isOwn = ({ name }: BlockField) => words.includes(fieldWords(name).join(" ")) && !isReadingName(name);
  const own = open.find((one) => isOwn(one) && isText(one) && /^\D*\p{L}[^.!?:…]*$/u.test(lineOf(one)!));
  if (own !== undefined) return { field: own, decision: decision("heading", "neighbours", "named as the block is") };
  const isAlone = ({ name }: BlockField) =>
    fieldWords(name).length === 1 || !/^(?:year|date|day)$/.test(lastWord(name));
  const hasProse = (except: BlockField) => open.some((one) => one !== except && isProse(one));
  const field = otherHeadings
    .filter((word) => word !== "label" || !hasLink)
    .map((word) => open.filter((one) => lastWord(one.name) === word && isText(one)))
    // Beside other facts an `end_date` is one of them.
    .map((named) => named.filter((one) => isAlone(one) || hasProse(one)))
    // Several labels are each the label of something else.
    .find((named) => named.length === 1)?.[0];
  return field && byName(field);
}

/** True if the field holds more than a few words and links. */
function isProse({ values }: BlockField): boolean {
  return values.some((value) => {
    if (value.kind === "text") return value.text.length > 40 || /[.!?…]\s*$/.test(value.text);
    return value.kind !== "link";
  });
}

/** By the name of its component, or as one short text that a `tag`, `level` or `variant` makes `h1` to `h6`. */
export function isHeading(draft: BlockDraft): boolean {
  const { block } = draft;
  if (blockRole(block.component).isHeading) return true;
  const { fields } = draft;
  const text = fields.length === 1 ? lineOf(fields[0]!) : undefined;
  if (text === undefined || text.length > 150) return false;
  return Object.keys(block).some((name) => {
    return fieldWords(name).length === 1 && levelNames.test(name) && /^h[1-6]$/i.test(attribute(block, name));
  });
}

const levelNames = /^(?:tag|level|rank|element|as|variant|type|size|style)$/i;

/** The level that a block gives its heading: `tag: "h2"`, `heading_level: 3`. @param isAlone then `size` is one too */
export function statedLevel(block: Blok, isAlone: boolean): number | undefined {
  for (const name of Object.keys(block)) {
    const word = lastWord(name);
    const isLevel = isAlone ? levelNames.test(word) : /^(?:tag|level|rank)$/.test(word);
    if (!isLevel) continue;
    const text = attribute(block, name).trim();
    const tag = /^(?:h|heading[-_ ]?)([1-6])$/i.exec(text)?.[1];
    const number = /^(?:level|rank)$/.test(word) ? /^[1-9]\d*$/.exec(text) : isAlone && /^[1-6]$/.exec(text);
    if (tag !== undefined) return Number(tag);
    if (number && (isAlone || Number(number[0]) <= 6)) return Math.min(Number(number[0]), 6);
  }
  return undefined;
}

/** The nodes of a heading's line; undefined if the field holds no short text, or rich text that is more than a line. */
function headingLine({ values }: BlockField): JsonObject[] | undefined {
  const [value] = values;
  if (values.length !== 1) return undefined;
  if (value?.kind === "richText") return richLine(value.document);
  if (value?.kind !== "text" || value.isData) return undefined;
  const text = value.text.trim();
  if (text.length > longestHeading) return undefined;
  const lines = text.split(/\s*[\r\n]\s*/);
  if (lines.length > mostLines || (lines.length > 1 && looksLikeMarkdown(text))) return undefined;
  return textLines(lines.join("\n"));
}

function richLine({ content }: JsonObject): JsonObject[] | undefined {
  if (!Array.isArray(content) || content.length === 0 || content.length > mostLines) return undefined;
  const line: JsonObject[] = [];
  let characters = 0;
  for (const node of content as JsonObject[]) {
    if (!/^(?:paragraph|heading)$/.test(attribute(node ?? {}, "type"))) return undefined;
    const inner = Array.isArray(node.content) ? (node.content as JsonObject[]) : [];
    if (inner.length > 0 && line.length > 0) line.push({ type: "hard_break" });
    for (const child of inner) {
      if (!/^(?:text|hard_break)$/.test(attribute(child ?? {}, "type"))) return undefined;
      characters += attribute(child, "text").length;
      line.push(child);
    }
  }
  return characters === 0 || characters > longestHeading ? undefined : line;
}

/** Takes the number of a step, to stand before its heading; "" if there is none. */
export function takeNumber(draft: BlockDraft): string {
  const { isStep } = blockRole(draft.block.component);
  const field = openFields(draft).find((one) => {
    const text = lineOf(one) ?? "";
    const word = lastWord(one.name);
    if (word === "step") return /^\d+\.?$/.test(text);
    return /^(?:number|no|nr|num)$/.test(word) && (isStep ? /^\d{1,3}(?:\.\d{1,3})*\.?$/ : /^0\d\.?$/).test(text);
  });
  if (field === undefined) return "";
  take(draft, field, "heading", "the number of the step");
  return `${(lineOf(field) ?? "").replace(/\.$/, "")}. `;
}

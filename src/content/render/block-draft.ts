import type { Blok } from "../../contract/records.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { fieldWords, headingRank, lastWord } from "./field-name.js";
import type { BlockField, FieldValue, ImageValue, LinkValue } from "./field-value.js";
import { withoutInlineHtml } from "./html-in-text.js";
import { attribute } from "./rich-text-node.js";

/** The fields of a block while the plan is made. Values are changed in place. */
export interface BlockDraft {
  block: Blok;
  /** Fields with something to show, in order. */
  fields: readonly BlockField[];
  /** Fields that became a part of another one. */
  taken: Set<BlockField>;
}

/** The fields that are not part of another one. */
export function openFields({ fields, taken }: BlockDraft): BlockField[] {
  return fields.filter((field) => !taken.has(field));
}

/** The text of a field that holds one text on one line; undefined for any other. */
export function lineOf({ values }: BlockField): string | undefined {
  const [value] = values;
  if (values.length !== 1 || value?.kind !== "text" || value.isData) return undefined;
  const text = value.text.trim();
  return text.includes("\n") ? undefined : text;
}

/** Gives images their alternative text from a sibling field: `alt`, `image_alt`, `alt_text`. */
export function describeImages(draft: BlockDraft): void {
  for (const field of openFields(draft)) {
    const words = fieldWords(field.name).filter((word) => word !== "text");
    const text = lineOf(field);
    if (words.at(-1) !== "alt" || text === undefined) continue;
    const stem = words.slice(0, -1).join(" ");
    const images = draft.fields.flatMap(({ name, values }) => {
      const fits = stem === "" || stem === "image" || fieldWords(name).join(" ") === stem;
      return fits ? values.filter((value): value is ImageValue => value.kind === "image") : [];
    });
    const [image] = images;
    if (images.length !== 1 || image === undefined || (image.alt !== "" && image.alt !== text)) continue;
    image.alt = text;
    draft.taken.add(field);
  }
}

/** Finds code: a text of several lines in a field `code` or `snippet`, or any such text with a language field. */
export function readCode(draft: BlockDraft): void {
  for (const field of openFields(draft)) {
    const [value] = field.values;
    const isCode = /^(?:code|snippet|source)$/.test(lastWord(field.name)) && value?.kind === "text";
    if (!isCode || field.values.length !== 1) continue;
    const named = Object.keys(draft.block).find((name) => /^(?:language|lang|syntax)$/.test(lastWord(name)));
    const language = named === undefined ? "" : attribute(draft.block, named);
    if (language === "" && !value.text.includes("\n")) continue;
    Object.assign(field, { values: [{ kind: "code", text: value.text, language }] });
    for (const other of draft.fields) if (other.name === named) draft.taken.add(other);
  }
}

const amounts = new Set(["price", "value", "amount", "number", "figure", "stat", "count"]);
const behind = new Map([
  ["suffix", ""],
  ["currency", " "],
  ["unit", " "],
  ["period", " "],
  ["interval", " "],
]);

/** Joins an amount with its parts: `price` with `currency` and `period`, `value` with `prefix`, `suffix`, `unit`. */
export function joinAmounts(draft: BlockDraft): void {
  const amount = openFields(draft).filter(
    (field) => amounts.has(lastWord(field.name)) && /\d/.test(lineOf(field) ?? ""),
  );
  if (amount.length !== 1) return;
  const value = amount[0]?.values[0];
  if (value?.kind !== "text") return;
  let text = value.text.trim();
  for (const [word, space] of [["prefix", ""] as const, ...behind]) {
    const field = openFields(draft).find((other) => lastWord(other.name) === word);
    const addition = field === undefined ? undefined : lineOf(field);
    if (field === undefined || addition === undefined) continue;
    if (word === "prefix") text = addition + text;
    else text += /^[a-z]+$/.test(addition) && /period|interval/.test(word) ? ` / ${addition}` : space + addition;
    draft.taken.add(field);
  }
  value.text = text;
}

/**
 * The two fields of a block that is one short line, a figure or time and a text: `{ value: "80", label: "books" }`, or
 * `{ year: "1874", event: "The works open." }`.
 */
export function leadLine(draft: BlockDraft): { lead: BlockField; text: BlockField } | undefined {
  const open = openFields(draft);
  const [first, second] = open;
  if (open.length !== 2 || first === undefined || second === undefined) return undefined;
  for (const [lead, text] of [
    [first, second],
    [second, first],
  ] as const) {
    const word = lastWord(lead.name);
    const leading = lineOf(lead) ?? "";
    const isFigure = amounts.has(word) && word !== "price" && /\d/.test(leading);
    const isTime = /^(?:year|date|day|time|when|hour)$/.test(word);
    if ((isFigure || isTime) && leading !== "" && leading.length <= 40 && lineOf(text) !== undefined) {
      return { lead, text };
    }
  }
  return undefined;
}

/** Names of fields that are a heading only when the block has other content. */
const otherHeadings = ["question", "term", "year", "date", "day", "label", "tab"];

/** The field whose text is the block's heading. */
export function headingField(draft: BlockDraft, configured: string | undefined): BlockField | undefined {
  const open = openFields(draft).filter((field) => (lineOf(field)?.length ?? Number.POSITIVE_INFINITY) <= 250);
  if (configured !== undefined) return open.find(({ name }) => name === configured);
  let found: BlockField | undefined;
  let best = Number.POSITIVE_INFINITY;
  for (const field of open) {
    const rank = headingRank(field.name) ?? Number.POSITIVE_INFINITY;
    if (rank < best) [found, best] = [field, rank];
  }
  if (found !== undefined) return found;
  const content = openFields(draft).filter(({ values }) => values.some(({ kind }) => kind !== "link"));
  if (content.length < 2) return undefined;
  // A label next to a link is its text.
  const hasLink = openFields(draft).some(({ values }) => values.some((value) => value.kind === "link"));
  const byWord = (word: string) => {
    return open.find((field) => lastWord(field.name) === word && /\p{L}|\d{2}/u.test(lineOf(field) ?? ""));
  };
  return otherHeadings
    .filter((word) => word !== "label" || !hasLink)
    .map(byWord)
    .find((field) => field !== undefined);
}

/** A field that holds a single link, and the link. */
interface OpenLink {
  field: BlockField;
  link: LinkValue;
}

/**
 * Gives links their texts: from a field named after the link (`link_text`, `button_label`), from `label`, or from the
 * only other text. A link without a text is put on the heading, or on the only image.
 *
 * @returns the link that the heading leads to
 */
export function nameLinks(draft: BlockDraft, heading: BlockField | undefined): LinkValue | undefined {
  const links = openFields(draft).flatMap((field): OpenLink[] => {
    const [link] = field.values;
    return field.values.length === 1 && link?.kind === "link" && link.to !== "story" ? [{ field, link }] : [];
  });
  const unnamed = links.filter(({ field, link }) => {
    const label = labelOf(draft, field, heading, links.length === 1);
    if (label === undefined) return !link.isNamed;
    link.text = lineOf(label) ?? link.text;
    draft.taken.add(label);
    return false;
  });
  const [only] = unnamed;
  if (unnamed.length !== 1 || only === undefined || /^(?:mailto|tel):/i.test(only.link.url)) return undefined;
  if (heading !== undefined && only.link.to === "address" && headingRank(heading.name) !== undefined) {
    draft.taken.add(only.field);
    return only.link;
  }
  linkImage(draft, only);
  return undefined;
}

function labelOf(draft: BlockDraft, link: BlockField, heading: BlockField | undefined, isOnly: boolean) {
  const open = openFields(draft).filter((field) => field !== heading && isLabel(lineOf(field)));
  const words = fieldWords(link.name);
  const stem = words.filter((word) => !/^(?:link|url|href|target|file)$/.test(word));
  const stems = [words, stem, ...(isOnly ? [["link"], ["button"], ["cta"], ["action"]] : [])].filter(
    (one) => one.length > 0,
  );
  const names = stems.flatMap((one) =>
    ["label", "text", "title", "name", "caption"].map((end) => [...one, end].join(" ")),
  );
  if (isOnly) names.push("label", "button", "cta");
  if (stem.length > 0) names.push(stem.join(" "));
  const byName = names
    .map((name) => open.find((field) => fieldWords(field.name).join(" ") === name))
    .find((field) => field !== undefined);
  if (byName !== undefined || !isOnly) return byName;
  const others = openFields(draft).filter((field) => field !== link);
  return others.length === 1 && others[0] !== heading ? open.find((field) => field === others[0]) : undefined;
}

function isLabel(text: string | undefined): boolean {
  return text !== undefined && text.length <= 80 && !/[.!?]$/.test(text);
}

function linkImage(draft: BlockDraft, { field, link }: OpenLink): void {
  const isImage = (value: FieldValue): value is ImageValue => value.kind === "image";
  const images = openFields(draft).flatMap(({ values }) => values.filter(isImage));
  const [image] = images;
  if (images.length !== 1 || image === undefined || link.to !== "address") return;
  image.href = link.url;
  draft.taken.add(field);
}

/** A node of rich text: a text that is a link. */
export function linkNode(text: string, url: string): JsonObject {
  return { type: "text", text: withoutInlineHtml(text), marks: linkMarks(url) };
}

/** The marks of a text or an image that is a link. */
export function linkMarks(url: string): JsonObject[] {
  return [{ type: "link", attrs: { href: url, linktype: "url" } }];
}

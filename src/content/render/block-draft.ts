import type { Blok } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { blockRole } from "./block-role.js";
import { decision, type FieldDecision, type ShownAs } from "./field-decision.js";
import { fieldWords, isPostalCode, lastWord } from "./field-name.js";
import type { BlockField, ImageValue } from "./field-value.js";
import { withoutInlineHtml } from "./html-in-text.js";
import { attribute } from "./rich-text-node.js";
import { isNumeric } from "./setting-value.js";

/** The fields of a block while the plan is made. Values are changed in place. */
export interface BlockDraft {
  block: Blok;
  /** Fields with something to show, in order. */
  fields: readonly BlockField[];
  /** Fields that became a part of another one, and why. */
  taken: Map<BlockField, FieldDecision>;
  /** The field of the heading, once it is known. */
  heading?: string | undefined;
}

export function take({ taken }: BlockDraft, field: BlockField, use: ShownAs, reason: string): void {
  taken.set(field, decision(use, "neighbours", reason));
}

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

/** From a sibling field: `alt`, `image_alt`, `alt_text`. */
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
    take(draft, field, "image", "the text of the picture");
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
    for (const other of draft.fields) if (other.name === named) take(draft, other, "code", "the language of the code");
  }
}

const amounts = new Set(["price", "value", "amount", "number", "figure", "stat", "count", "metric", "quantity"]);

/** Joins two fields of one line each: the parts of a person's name, or when something begins and ends. */
export function joinPairs(draft: BlockDraft): void {
  for (const [before, behind, space] of pairs) {
    const [first, last] = [before, behind].map((words) => {
      return openFields(draft).find((one) => fieldWords(one.name).join(" ") === words && lineOf(one) !== undefined);
    });
    const [value] = first?.values ?? [];
    if (!first || !last || value?.kind !== "text") continue;
    const joined = [lineOf(first)!, lineOf(last)!];
    if (space !== " " && !joined.every((line) => /\d/.test(line))) continue;
    value.text = joined.join(space);
    take(draft, last, "prose", `a part of ${first.name}`);
  }
  joinPlace(draft);
}

/** Joins a postal code and the city next to it, in their order. */
function joinPlace(draft: BlockDraft): void {
  const open = openFields(draft);
  const at = open.findIndex(({ name }) => isPostalCode(name));
  const isCity = (field: BlockField | undefined) => field !== undefined && lastWord(field.name) === "city";
  const [code, before, behind] = [open[at], open[at - 1], open[at + 1]];
  const [first, last] = isCity(behind) ? [code, behind] : isCity(before) ? [before, code] : [];
  const [value] = first?.values ?? [];
  if (at < 0 || !first || !last || value?.kind !== "text" || !lineOf(first) || !lineOf(last)) return;
  value.text = `${lineOf(first)} ${lineOf(last)}`;
  take(draft, last, "prose", `a part of ${first.name}`);
}

const pairs = [
  ["first name", "last name", " "],
  ["first name", "name", " "],
  ["name", "last name", " "],
  ["from", "to", " – "],
] as const;

/** Joins an amount with its parts: `price` with `currency` and `period`, `value` with `prefix`, `suffix`, `unit`. */
export function joinAmounts(draft: BlockDraft): void {
  joinCurrency(draft);
  joinMainAmount(draft);
  leaveCurrency(draft);
}

function isAmount(name: string): boolean {
  return amounts.has(lastWord(name)) || fieldWords(name)[0] === "price";
}

function joinMainAmount(draft: BlockDraft): void {
  const amount = openFields(draft).filter((field) => isAmount(field.name) && /\d/.test(lineOf(field) ?? ""));
  const unit = amount.length > 0 ? undefined : openFields(draft).find(({ name }) => fieldWords(name).join() === "unit");
  const numeric = unit && openFields(draft).filter((field) => isNumeric(lineOf(field) ?? ""));
  const [only, ...more] = numeric ?? amount;
  const main = more.length === 0 ? only : amount.find(({ name }) => amounts.has(fieldWords(name).join(" ")));
  const value = main?.values[0];
  if (main === undefined || value?.kind !== "text") return;
  // The currency is that of the price; `weight_unit` is not.
  const isOther = (words: readonly string[]) =>
    /^(?:unit|prefix|suffix)$/.test(words.at(-1)!) && words.length > 1 && words[0] !== fieldWords(main.name)[0];
  let text = value.text.trim();
  for (const word of ["prefix", "suffix", "currency", "unit", "period", "interval"]) {
    const isNamed = (words: readonly string[]) => (word === "currency" ? words.includes(word) : words.at(-1) === word);
    const field = openFields(draft).find(({ name }) => isNamed(fieldWords(name)) && !isOther(fieldWords(name)));
    const addition = field === undefined ? undefined : lineOf(field);
    if (field === undefined || addition === undefined) continue;
    if (word === "prefix") text = addition + text;
    else if (word === "suffix") text += addition;
    else text += isPer(word, addition, lastWord(main.name)) ? ` / ${addition}` : ` ${addition}`;
    take(draft, field, "prose", `a part of ${main.name}`);
  }
  value.text = text;
}

/** A price is for a period, or for a unit that is no currency. */
function isPer(word: string, addition: string, main: string): boolean {
  if (/period|interval/.test(word)) return /^(?:[a-z]+|Jahr|Monat|Woche|Tag|Nacht)$/.test(addition);
  if (word !== "unit" || main !== "price") return false;
  return /^(?![A-Z]{3}$|[Ee]uros?$|[Dd]ollars?$)\p{L}\p{Ll}*$/u.test(addition);
}

/** A currency of a price that is no number, or is missing, says nothing. */
function leaveCurrency(draft: BlockDraft): void {
  const currency = openFields(draft).find(({ name }) => lastWord(name) === "currency");
  if (currency === undefined) return;
  const words = Object.keys(draft.block).flatMap(fieldWords);
  const hasPrice = words.some((word) => /^(?:price|salary|amount)$/.test(word));
  if (hasPrice) take(draft, currency, "setting", "the currency of no price");
}

/** Prices of any name have one currency: `price_from`, `price_to`, `currency`. */
function joinCurrency(draft: BlockDraft): void {
  const open = openFields(draft).filter((field) => lineOf(field) !== undefined);
  const currency = open.find(({ name }) => fieldWords(name).includes("currency"));
  const prices = open.filter(
    (field) => /^(?:price|salary)$/.test(fieldWords(field.name)[0]!) && /\d$/.test(lineOf(field)!),
  );
  if (currency === undefined || prices.length === 0) return;
  for (const { values } of prices) {
    const [value] = values;
    if (value?.kind === "text") value.text = `${value.text.trim()} ${lineOf(currency)}`;
  }
  take(draft, currency, "prose", "a part of the price");
}

/** The two fields of a block that is one short line: `{ value: "80", label: "books" }`, `{ year, event }`. */
export function leadLine(draft: BlockDraft): { lead: BlockField; text: BlockField } | undefined {
  const open = openFields(draft);
  const [first, second] = open;
  const { isStep } = blockRole(draft.block.component);
  if (open.length !== 2 || first === undefined || second === undefined) return undefined;
  for (const [lead, text] of [
    [first, second],
    [second, first],
  ] as const) {
    const word = lastWord(lead.name);
    const leading = lineOf(lead) ?? "";
    const isFigure = amounts.has(word) && word !== "price" && /\d/.test(leading) && !isStep;
    const isTime = /^(?:year|date|day|time|when|hour)$/.test(word) && (word !== "time" || /\D/.test(leading));
    const value = lastWord(text.name) === "value" ? lineOf(text) : undefined;
    const isKey =
      value !== undefined &&
      (word === "key" || (/^(?:label|name|title)$/.test(word) && (lead === first || !/\d/.test(value))));
    const isRange = lastWord(text.name) === "from" && /\d – /.test(lineOf(text) ?? "");
    const isLead = isFigure || isTime || isKey || isRange;
    if (isLead && leading !== "" && leading.length <= 40 && lineOf(text) !== undefined) return { lead, text };
  }
  return undefined;
}

export function linkNode(text: string, url: string): JsonObject {
  return { type: "text", text: withoutInlineHtml(text), marks: linkMarks(url) };
}

export function linkMarks(url: string): JsonObject[] {
  return [{ type: "link", attrs: { href: url, linktype: "url" } }];
}

/** Nodes of a line as a link. Those that are links already stay as they are. */
export function linkedNodes(line: readonly JsonObject[], url: string): JsonObject[] {
  return line.map((node) => {
    const marks = Array.isArray(node.marks) ? (node.marks as unknown[]) : [];
    return marks.some(isLink) ? node : { ...node, marks: [...marks, ...linkMarks(url)] };
  });
}

export function isLink(mark: unknown): boolean {
  return isObject(mark) && mark.type === "link";
}

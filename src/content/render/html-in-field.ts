import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok } from "../../contract/records.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { fieldWords, lastWord } from "./field-name.js";
import type { BlockField, FieldValue } from "./field-value.js";
import { htmlDocument, inlineHtml, type TextPlace } from "./html-in-text.js";
import type { HtmlDocument } from "./html-to-rich-text.js";
import { isMarkdownName, looksLikeMarkdown } from "./markdown-source.js";

/** The field of a block with its texts of HTML as rich text. A text of one plain line stays a text. */
export function withHtmlRead(field: BlockField, block: Blok, setting: ContentTypeSetting | undefined): BlockField {
  const mayHoldHtml = field.values.some((value) => value.kind === "text" && value.text.includes("<"));
  const place = mayHoldHtml ? placeOf(field.name, block, setting) : undefined;
  if (place === undefined) return field;
  let { holdsMore } = field;
  const values = field.values.flatMap((value): FieldValue[] => {
    const html = value.kind === "text" && !value.isData ? htmlDocument(value.text, place) : undefined;
    if (html === undefined || value.kind !== "text") return [value];
    if (html.dropsSomething) holdsMore = true;
    return html.content.length === 0 ? [] : [onlyLine(html, value.text, place) ?? richText(html)];
  });
  return { ...field, values, holdsMore };
}

function richText({ content }: HtmlDocument): FieldValue {
  return { kind: "richText", document: { type: "doc", content } };
}

/** One line in one element, `<p>Our <em>best</em> year</p>`, unless it would be read as Markdown. */
function onlyLine({ content }: HtmlDocument, text: string, place: TextPlace): FieldValue | undefined {
  const [line] = content;
  if (content.length !== 1 || (line?.type !== "paragraph" && line?.type !== "heading")) return undefined;
  const nodes = line.content as JsonObject[];
  if (nodes.every(({ type, marks }) => type === "text" && (marks as unknown[]).length === 0)) {
    const line = nodes
      .map((node) => node.text)
      .join("")
      .trim();
    const isSource = place === "markdown" ? /[<>&\\`*_~[\]#|]/.test(line) : looksLikeMarkdown(line);
    return isSource ? undefined : { kind: "text", text: line };
  }
  const inner = /^\s*<(p|div|h[1-6])(?:\s[^>]*)?>([\s\S]*)<\/\1>\s*$/i.exec(text)?.[2]?.trim() ?? "";
  return inlineHtml(inner) === undefined ? undefined : { kind: "text", text: inner };
}

/** Undefined for a field of code, whose tags are for readers. */
function placeOf(name: string, block: Blok, setting: ContentTypeSetting | undefined): TextPlace | undefined {
  const word = lastWord(name);
  const ofHtml = fieldWords(block.component).some((one) => one === "html" || one === "embed");
  if (fieldWords(name).includes("html") || (ofHtml && sourceNames.has(word))) return "html";
  if (word === "code" || word === "snippet" || word === "source") return undefined;
  return isMarkdownName(name) || setting?.markdown?.includes(name) ? "markdown" : "text";
}

const sourceNames = new Set(["code", "embed", "markup", "source", "snippet", "raw", "content", "body", "text"]);

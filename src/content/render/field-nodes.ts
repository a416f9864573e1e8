import { isObject } from "../../lib/shape.js";
import type { JsonObject } from "../resolve/content-shape.js";
import { lineOf, linkMarks, linkNode } from "./block-draft.js";
import { isReadingName } from "./field-kind.js";
import { fieldLabel, fieldWords, isPostalCode, lastWord } from "./field-name.js";
import type { BlockField, FieldValue } from "./field-value.js";
import { looksLikeMarkdown } from "./markdown-source.js";
import { isDate, isNumeric } from "./setting-value.js";
import { tableNode, textLines } from "./table-field.js";

export function lineNodes(value: FieldValue, isList: boolean): JsonObject[] | undefined {
  if (value.kind === "link") return [linkNode(value.text, value.url)];
  const isText = isList && value.kind === "text" && !value.text.trim().includes("\n") && !looksLikeMarkdown(value.text);
  return isText ? textLines(value.text) : undefined;
}

/** A value as nodes of rich text; none for a block. @param isAlone whether the block shows nothing else */
export function valueNodes(field: BlockField, value: FieldValue, isAlone: boolean): JsonObject[] {
  switch (value.kind) {
    case "richText":
      return [value.document];
    case "table":
      return [tableNode(value.table) ?? { type: "doc" }];
    case "code":
      return [codeNode(value.text, value.language)];
    case "image": {
      const { url, alt, title, size, href } = value;
      const marks = href === undefined ? [] : linkMarks(href);
      return [{ type: "paragraph", content: [{ type: "image", attrs: { src: url, alt, title, ...size }, marks }] }];
    }
    case "link": {
      const label = value.to === "story" && !isAlone ? [labelNode(field.name)] : [];
      return [{ type: "paragraph", content: [...label, linkNode(value.text, value.url)] }];
    }
    case "text":
      return textNodes(field, value.text, value.isData === true, isAlone);
    case "block":
      return [];
  }
}

function codeNode(text: string, language: string): JsonObject {
  const attrs = language === "" ? {} : { class: `language-${language.trim().split(/\s/)[0]}` };
  return { type: "code_block", attrs, content: [{ type: "text", text: text.replace(/\r?\n$/, "") }] };
}

/** A plain text as paragraphs, with its line breaks. A number or a short word gets the name of its field before it. */
function textNodes(field: BlockField, text: string, isData: boolean, isAlone: boolean): JsonObject[] {
  const paragraphs = text.trim().split(/(?:\r?\n[ \t]*){2,}/);
  const line = lineOf(field);
  if (isData)
    return [{ type: "paragraph", content: [labelNode(field.name), { type: "text", text, marks: [{ type: "code" }] }] }];
  const isLabelled = line !== undefined && needsLabel(field.name, line, isAlone);
  return paragraphs.map((paragraph) => {
    return { type: "paragraph", content: [...(isLabelled ? [labelNode(field.name)] : []), ...textLines(paragraph)] };
  });
}

function needsLabel(name: string, text: string, isAlone: boolean): boolean {
  const word = lastWord(name);
  if (/^(?:price|time|hours|note)$/.test(word))
    return isNumeric(text) || (fieldWords(name).length > 1 && /\d/.test(text) && text.length <= 40);
  if (/^(?:unit|currency|period|interval|prefix|suffix)$/.test(word)) return true;
  if (isDate(text) || word === "fax") return true;
  if (word === "from" && /\d – \S*\d/.test(text)) return false;
  if (isPostalCode(name) && /\p{L}/u.test(text)) return false;
  if (isReadingName(name))
    return (
      word === "number" &&
      fieldWords(name).length > 1 &&
      !/phone|mobile/.test(fieldWords(name)[0]!) &&
      /^\S*\d\S*$/.test(text)
    );
  if (isNumeric(text)) return true;
  return (
    !isAlone &&
    text.length <= 40 &&
    text.replaceAll(" – ", "–").split(" ").length <= 4 &&
    !/\p{P}$|: |^[^\p{L}\p{N}]/u.test(text.replace(/(?<=\d)%$/, ""))
  );
}

/** Marks a label that was made here. A symbol is never a key of JSON, so an editor's text is no label. */
const isLabel = Symbol("label");

function labelNode(name: string): JsonObject {
  return Object.assign({ type: "text", text: `${fieldLabel(name)}: ` }, { [isLabel]: true });
}

export function listedLines(nodes: readonly JsonObject[]): JsonObject[] {
  const result: JsonObject[] = [];
  for (let start = 0; start < nodes.length; ) {
    let end = start;
    while (end < nodes.length && isLabelledLine(nodes[end]!)) end += 1;
    const lines = nodes.slice(start, Math.max(end, start + 1));
    if (lines.length === 1) result.push(lines[0]!);
    else result.push({ type: "bullet_list", content: lines.map((node) => ({ type: "list_item", content: [node] })) });
    start += lines.length;
  }
  return result;
}

function isLabelledLine({ type, content }: JsonObject): boolean {
  const first: unknown = type === "paragraph" && Array.isArray(content) ? content[0] : undefined;
  return isObject(first) && isLabel in first;
}

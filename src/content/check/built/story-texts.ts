import { isObject } from "../../../lib/shape.js";
import type { JsonObject } from "../../resolve/content-shape.js";
import { proseLetters } from "../facts/translations.js";
import { walkContent } from "../facts/walk-content.js";

/** What a page of a story should show. */
export interface StoryTexts {
  /** The story's name, and the title and headline of its content: any of them will do. As {@link letters}. */
  titles: string[];
  /** The longest paragraph of each of the fields with the longest ones, the longest first. */
  paragraphs: Paragraph[];
}

export interface Paragraph {
  /** `component.field`. */
  field: string;
  /** `body[2].text`. */
  path: string;
  /** Its beginning, for people. */
  begins: string;
  /** {@link letters} of it, or of its beginning. */
  letters: string;
}

const titleFields = ["title", "headline", "heading"];
const mostFields = 3;
const mostLetters = 400;
const beginning = 60;
/** What a site's code may take for markup, and the ends of lines. */
const markup = /[\n\r<>[\]()*_`~#|\\{}]+/;

/** The number or the dash of a list, which a page may show in another way. */
const listMark = /^\s*(?:\d+[.)]|[-+•])\s+/;

/** @param line the record as JSON: a paragraph that it has twice says nothing about a field */
export function storyTexts({ name, content }: JsonObject, line: string): StoryTexts {
  const own = isObject(content) ? titleFields.map((field) => content[field]) : [];
  const titles = [name, ...own].flatMap((text) =>
    typeof text === "string" ? letters(text.slice(0, mostLetters)) : [],
  );
  const longest = new Map<string, Paragraph & { length: number }>();
  const consider = (text: string, path: () => string, field: string) => {
    for (const part of text.split(markup)) {
      const paragraph = part.replace(listMark, "").trim();
      if (paragraph.length <= (longest.get(field)?.length ?? 0) || proseLetters(paragraph) === 0) continue;
      const begins = ownText(paragraph.slice(0, beginning));
      const own = { field, path: path(), begins, letters: ownText(letters(paragraph.slice(0, mostLetters))) };
      longest.set(field, { ...own, length: paragraph.length });
    }
  };
  walkContent(content, {
    text: (text, at, { component, field }) => consider(text, () => at.path(), `${component}.${field}`),
    object(value, at, { component, field }) {
      for (const run of textRuns(value)) consider(run, () => at.path(), `${component}.${field}`);
    },
  });
  const once = [...longest.values()].filter(({ begins }) => isOnce(JSON.stringify(begins).slice(1, -1), line));
  const paragraphs = once.sort((a, b) => b.length - a.length).slice(0, mostFields);
  return {
    titles: [...new Set(titles)].filter((title) => title !== ""),
    paragraphs: paragraphs.map(({ length: _, ...paragraph }) => paragraph),
  };
}

function isOnce(text: string, line: string): boolean {
  return line.indexOf(text) === line.lastIndexOf(text);
}

/** The texts of a node of rich text that stand beside each other in one line, bold or not. */
function textRuns({ content }: JsonObject): string[] {
  if (!Array.isArray(content)) return [];
  const runs = [""];
  for (const node of content) {
    if (isObject(node) && node.type === "text" && typeof node.text === "string") runs[runs.length - 1] += node.text;
    else runs.push("");
  }
  return runs.filter((run) => run !== "");
}

/** The letters and digits of a text, in lower case: what typography, markup and line ends leave as it is. */
export function letters(text: string): string {
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  return text
    .normalize()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** A copy of a text that was cut out of a larger one, which it would keep in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

import type { Config, Version } from "../../../config/config.js";
import { isObject } from "../../../lib/shape.js";
import { parts } from "../../../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../../../snapshot/manifest.js";
import { readPart } from "../../../snapshot/read-part.js";
import type { Store } from "../../../snapshot/store/store.js";
import { storyAddress } from "../../render/site-pages.js";
import { isBlock, type JsonObject } from "../../resolve/content-shape.js";
import { isSettingsType } from "../../tree/pageless-stories.js";
import { proseLetters } from "../facts/translations.js";
import { walkContent } from "../facts/walk-content.js";
import { checkedEditions } from "../read-checked-space.js";
import type { BuiltStory, Paragraph, StoryTexts } from "./built-site.js";
import { ownText } from "./html-page.js";

/** The stories of which a site makes pages: all but settings (`content.types.<type>.markdown`). */
export async function readStories(
  store: Store,
  manifest: Manifest,
  config: Config,
  version: Version | undefined,
  fileOf: (url: string) => string | undefined,
): Promise<BuiltStory[]> {
  const address = storyAddress(config);
  const stories: BuiltStory[] = [];
  for (const edition of checkedEditions(manifest, version)) {
    const part = parts.stories(edition.name);
    for await (const { line } of readPart(store, part, manifest.parts[part])) {
      const record: unknown = JSON.parse(line);
      if (!isObject(record) || !isBlock(record.content)) continue;
      const type = record.content.component;
      if (!hasPages(type, config)) continue;
      const [uuid, slug, path] = [record.uuid, record.full_slug, record.path].map((text) => String(text ?? ""));
      const url = address({ full_slug: slug!, path: path! }, edition.language);
      const file = fileOf(url);
      stories.push({ edition, uuid: uuid!, slug: slug!, url, type, file, ...textsOf(record, line, file) });
    }
  }
  return stories;
}

/** Of a story without a page nothing is compared. */
function textsOf(record: JsonObject, line: string, file: string | undefined) {
  return file === undefined ? { titles: [], paragraphs: [] } : storyTexts(record, line);
}

function hasPages(type: string, { content }: Config): boolean {
  const setting = Object.hasOwn(content.types, type) ? content.types[type]?.page : undefined;
  return setting ?? !isSettingsType(type);
}

export function isDefault({ language }: Pick<EditionEntry, "language">): boolean {
  return language === "default";
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
function storyTexts({ name, content }: JsonObject, line: string): StoryTexts {
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

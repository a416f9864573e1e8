import type { StoryRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { type ResolvedTerm, termsByTaxonomy } from "../resolve/story-terms.js";
import type { StoryFacts } from "./story-facts.js";

/** A key of the front matter and its value; undefined leaves it out. */
export type FrontMatterEntry = [key: string, value: unknown];

/** How a site generator wants its front matter. */
export interface FrontMatterRules {
  /** The first entries, in order: what the generator reads, under the keys that it knows. */
  entries: readonly (readonly [key: string, value: (facts: StoryFacts) => unknown])[];
  /** Keys of the story that are written under another name; null leaves one out. All others keep their names. */
  names?: Partial<Record<StoryKey, string | null>>;
  /** Keys that mean something to the generator: a field of the content never gets one. */
  reserved?: readonly string[];
  /** True if keys that differ in case only are one key to the generator; `reserved` is in lower case then. */
  ignoresCase?: boolean;
  /** Keys that the generator reads as a text or a list of texts: a field that holds such a value may have one. */
  textsOnly?: readonly string[];
}

/** Keys of the story that every front matter has, by their upstream names, in this order; a null is left out. */
const storyKeys = [
  "name",
  "slug",
  "full_slug",
  "path",
  "uuid",
  "id",
  "lang",
  "published_at",
  "first_published_at",
  "created_at",
  "updated_at",
  "sort_by_date",
  "position",
  "is_startpage",
  "tag_list",
  "group_id",
  "translated_slugs",
  "alternates",
] as const;
type StoryKey = (typeof storyKeys)[number];

/**
 * A field of the content whose name is taken or reserved is written as `content_<name>`. Each taxonomy has a key with the
 * names of the story's terms, after the fields; where it is taken or reserved, `taxonomy_<name>`.
 */
export function frontMatterEntries(rules: FrontMatterRules, facts: StoryFacts): FrontMatterEntry[] {
  const { entries, names = {}, ignoresCase = false } = rules;
  const read = (key: string): string => (ignoresCase ? key.toLowerCase() : key);
  const terms = termsByTaxonomy(facts.story);
  const own = [
    ...entries.map(([key, value]): FrontMatterEntry => [key, value(facts)]),
    ...storyEntries(facts.story, names),
    ...(terms.size === 0 ? [] : [termsEntry(terms)]),
  ];
  const found = new Map(own.map((entry) => [read(entry[0]), entry]));
  const add = (prefix: string, entries: StoryFacts["fields"]): void => {
    const entryNames = new Set(entries.map(([name]) => read(name)));
    for (const [name, value] of entries) {
      const isFree = !found.has(read(name)) && !isReserved(read(name), value, rules);
      let key = isFree ? name : `${prefix}${name.replaceAll(":", "_")}`;
      while (!isFree && (found.has(read(key)) || entryNames.has(read(key)))) key = `${prefix}${key}`;
      found.set(read(key), [key, value]);
    }
  };
  add("content_", facts.fields);
  terms.delete("");
  const taxonomies = [...terms].map(
    ([taxonomy, some]) => [taxonomy, [...new Set(some.map(({ name }) => name))]] as const,
  );
  add("taxonomy_", taxonomies);
  return [...found.values()];
}

/** All terms, with the names that readers see and the paths that tell two terms of one name apart. */
function termsEntry(terms: ReadonlyMap<string, readonly ResolvedTerm[]>): FrontMatterEntry {
  const shown = [...terms.values()].flat().map(({ name, display_name, path }) => ({ name, display_name, path }));
  return ["taxonomy_terms", shown];
}

function storyEntries(story: StoryRecord, names: Partial<Record<StoryKey, string | null>>): FrontMatterEntry[] {
  const keys = storyKeys.filter((key) => names[key] !== null && story[key] !== undefined && story[key] !== null);
  return keys.map((key) => [names[key] ?? key, story[key]]);
}

function isReserved(field: string, value: unknown, { reserved = [], textsOnly = [] }: FrontMatterRules): boolean {
  if (reserved.includes(field) || (textsOnly.includes(field) && !isTexts(value))) return true;
  // Eleventy merges `override:tags` into `tags`.
  return reserved.length > 0 && field.includes(":");
}

function isTexts(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

/** Without the words that some YAML reader takes for something else than a text, `e5` for a number among them. */
const plainKey = /^(?!(?:y|n|yes|no|on|off|true|false|null|e-?\d+)$)[a-z_][a-z0-9_-]*$/i;
/** Characters that JSON does not escape, and that YAML forbids or takes for a line ending. */
const forbidden = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Longer lines are broken where YAML allows it, in columns. */
export const longestLine = 100;
/** Values that are nested deeper stay on one line: each level indents all that is below it. */
export const brokenLevels = 16;

/**
 * YAML front matter with its fences. Scalars are JSON, which is YAML too; a value too long for one line has several.
 * Texts are always quoted, so that `yes`, `12:30` and `2020-01-01` are texts to every reader.
 */
export function frontMatter(entries: Iterable<readonly [key: string, value: unknown]>): string {
  let text = "---\n";
  for (const [key, value] of entries) {
    if (value !== undefined) text += `${mapEntry(key, value, 1)}\n`;
  }
  return `${text}---\n`;
}

function mapEntry(key: string, value: unknown, level: number): string {
  const name = yamlKey(key);
  const own = blockValue(value, level, name.length + 2);
  return own.startsWith("\n") ? `${name}:${own}` : `${name}: ${own}`;
}

function yamlKey(key: string): string {
  return plainKey.test(key) ? key : flowValue(key);
}

/** In lines of their own, the first a line ending, or as the rest of its line. @param column where that begins */
function blockValue(value: unknown, level: number, column: number): string {
  const room = level > brokenLevels ? Number.POSITIVE_INFINITY : longestLine - column - level * 2 + 2;
  const line = flowValue(value, room);
  if (line.length <= room || line === "[]" || line === "{}") return line;
  const start = `\n${"  ".repeat(level)}`;
  if (typeof value === "string") return foldedText(line, start, column + start.length - 3);
  if (Array.isArray(value)) return value.map((item) => `${start}- ${blockItem(item, level + 1)}`).join("");
  return isObject(value) ? start + mapEntries(value, level + 1).join(start) : line;
}

/** An item of a list: the first line follows its hyphen. */
function blockItem(item: unknown, level: number): string {
  const own = blockValue(item ?? null, level, 2);
  return own.startsWith("\n") ? own.trimStart() : own;
}

function mapEntries(map: Readonly<Record<string, unknown>>, level: number): string[] {
  const keys = Object.keys(map).filter((key) => map[key] !== undefined);
  return keys.map((key) => mapEntry(key, map[key], level));
}

/** A quoted text, folded where YAML reads a line ending as one space: between two characters that are none. */
function foldedText(text: string, start: string, column: number): string {
  let indent = column;
  const lines: string[] = [];
  let from = 0;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) {
    const next = text.indexOf(" ", at + 1);
    const isFull = (next < 0 ? text.length : next) - from + indent > longestLine;
    if (!isFull || /[\s\\]/.test(text.charAt(at - 1) + text.charAt(at + 1))) continue;
    lines.push(text.slice(from, at));
    from = at + 1;
    indent = start.length - 1;
  }
  return [...lines, text.slice(from)].join(start);
}

/** A value on one line, see {@link spacedJson}. */
function flowValue(value: unknown, room?: number): string {
  // Without quotes it is a date and not a text, which some schemas expect.
  if (value instanceof Date) return value.toISOString();
  const text = spacedJson(value, room);
  if (text.search(forbidden) < 0) return text;
  return text.replace(forbidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * JSON with a space after each colon and comma, which some YAML readers need.
 * @param room a list or a map that takes more characters may end anywhere behind them
 */
export function spacedJson(value: unknown, room = Number.POSITIVE_INFINITY): string {
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) {
      text += `${text === "" ? "[ " : ", "}${spacedJson(item ?? null, room - text.length)}`;
      if (text.length > room) return text;
    }
    return text === "" ? "[]" : `${text} ]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  for (const key of Object.keys(value)) {
    if (value[key] === undefined) continue;
    text += `${text === "" ? "{ " : ", "}${JSON.stringify(key)}: ${spacedJson(value[key], room - text.length)}`;
    if (text.length > room) return text;
  }
  return text === "" ? "{}" : `${text} }`;
}

import { inMap } from "../../lib/collections/in-map.js";
import { isObject } from "../../lib/shape.js";
import type { KnownUse } from "../../snapshot/reader/noting-reader.js";
import { isDate } from "../render/setting-value.js";
import { dateNameRank } from "../render/story-date.js";
import { blockKeys, isBlock, type JsonObject } from "../resolve/content-shape.js";

/** By component, in code-unit order, as are its fields. Those without a decision are missing. */
export type FieldUses = ReadonlyMap<string, KnownUse>;
/** How a field is used across a space: it chooses among few values, or it holds sentences. */
type FieldUse = "option" | "prose";

/** Fewer values decide nothing: two buttons and a hero look like options too. */
const fewestValues = 20;
/** An option has few values, which the editor's interface lists: a longer list is a list of names. */
const mostOptions = 12;
/** Each value of an option is used this often on average: "three values in 400 stories", and never ten names in twenty. */
const usesOfOption = 8;
/** One value in so many may have another shape, so that a single edit does not change all pages. */
const outlierOf = 50;
/** A longer text without a space is an address or a key. */
const longestOption = 32;
/** Nearly all values of a date field are dates; a typed "soon" changes nothing. */
const dateShare = 0.9;
/** So many of the stories have a date in it; the others say when they appeared in another way. */
const datedShare = 0.5;
interface TextCounts {
  texts: number;
  sentences: number;
  dates: number;
  words: number;
  values: Set<string> | null;
}

/** As it is stored: name, texts, sentences, dates, words, the different words. */
type StoredField = [string, number, number, number, number, readonly string[] | null];

/** The counts of one shard, as JSON: component, its blocks, and its fields that hold texts. */
export type UseCounts = readonly (readonly [component: string, blocks: number, fields: readonly StoredField[]])[];

interface ComponentCounts {
  blocks: number;
  fields: Map<string, TextCounts>;
}

/** How the fields of blocks at any depth are filled. @param records stories as JSON; any other value is passed over */
export function countUses(records: Iterable<unknown>): UseCounts {
  const found = new Map<string, ComponentCounts>();
  for (const record of records) if (isObject(record)) countContent(found, record.content);
  return [...found].map(([component, { blocks, fields }]) => {
    const stored = [...fields].map(([name, counts]): StoredField => {
      return [name, counts.texts, counts.sentences, counts.dates, counts.words, counts.values && [...counts.values]];
    });
    return [component, blocks, stored];
  });
}

/** Looks at each object once, without recursion: content may be of any depth. */
function countContent(found: Map<string, ComponentCounts>, content: unknown): void {
  const open: unknown[] = [content];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) for (const item of value) addObject(open, item);
    else if (isBlock(value)) {
      const counts = componentIn(found, value.component);
      counts.blocks += 1;
      for (const name in value) countField(counts, open, name, value[name]);
    } else for (const name in value as JsonObject) addObject(open, (value as JsonObject)[name]);
  }
}

function countField(counts: ComponentCounts, open: unknown[], name: string, value: unknown): void {
  if (blockKeys.has(name)) return;
  if (Array.isArray(value)) {
    for (const item of value) countValue(counts, open, name, item);
  } else countValue(counts, open, name, value);
}

function countValue(counts: ComponentCounts, open: unknown[], name: string, value: unknown): void {
  if (typeof value === "string" && value !== "") countText(textsIn(counts, name), value);
  else if (typeof value === "number") countText(textsIn(counts, name), String(value));
  else addObject(open, value);
}

function addObject(open: unknown[], value: unknown): void {
  if (typeof value === "object" && value !== null) open.push(value);
}

function countText(counts: TextCounts, text: string): void {
  counts.texts += 1;
  if (isDate(text)) counts.dates += 1;
  else if (isSentence(text)) counts.sentences += 1;
  else if (text.length <= longestOption && !/[\s@]|^\/|:\/\//.test(text)) {
    counts.words += 1;
    if (counts.values !== null) counts.values = withWords(counts.values, [text]);
  }
}

/** Four words with a capital, a sign that ends a sentence, or a script without capitals. Eight characters where words have no spaces. */
function isSentence(text: string): boolean {
  const beginning = text.slice(0, 400);
  if (/\S\s+\S+\s+\S+\s+\S/.test(beginning) && /[\p{Lu}\p{Lo}]|[.!?…](?:\s|$)/u.test(beginning)) return true;
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{8}/u.test(beginning);
}

function withWords(values: Set<string>, added: Iterable<string>): Set<string> | null {
  for (const value of added) values.add(value);
  return values.size > mostOptions ? null : values;
}

function componentIn(found: Map<string, ComponentCounts>, component: string): ComponentCounts {
  return inMap(found, component, () => ({ blocks: 0, fields: new Map() }));
}

function textsIn({ fields }: ComponentCounts, name: string): TextCounts {
  return inMap(fields, name, () => ({ texts: 0, sentences: 0, dates: 0, words: 0, values: new Set() }));
}

/** However the content is divided into shards. Between option and prose nothing is decided: name and value speak. */
export function decideUses(shards: Iterable<UseCounts>): FieldUses {
  const all = new Map<string, ComponentCounts>();
  for (const shard of shards) addCounts(all, shard);
  const uses = [...all].flatMap(([component, counts]): [string, KnownUse][] => {
    const fields = [...counts.fields].flatMap(([name, texts]): [string, FieldUse][] => {
      const use = useOf(texts);
      return use === undefined ? [] : [[name, use]];
    });
    const date = dateFieldOf(counts);
    return fields.length === 0 && date === undefined ? [] : [[component, { fields: new Map(sorted(fields)), date }]];
  });
  return new Map(sorted(uses));
}

function addCounts(all: Map<string, ComponentCounts>, shard: UseCounts): void {
  for (const [component, blocks, fields] of shard) {
    const target = componentIn(all, component);
    target.blocks += blocks;
    for (const [name, texts, sentences, dates, words, values] of fields) {
      const counts = textsIn(target, name);
      counts.texts += texts;
      counts.sentences += sentences;
      counts.dates += dates;
      counts.words += words;
      counts.values = counts.values && values && withWords(counts.values, values);
    }
  }
}

function useOf({ texts, sentences, words, values }: TextCounts): FieldUse | undefined {
  if (texts < fewestValues) return undefined;
  if (sentences * 2 >= texts) return "prose";
  const isOption = values !== null && values.size * usesOfOption <= words && (texts - words) * outlierOf <= texts;
  return isOption ? "option" : undefined;
}

/** Its name decides and its values confirm it, so that a blog with five posts has one too. */
function dateFieldOf({ blocks, fields }: ComponentCounts): string | undefined {
  const isDated = ({ texts, dates }: TextCounts) => dates >= texts * dateShare && dates >= blocks * datedShare;
  const names = [...fields].flatMap(([name, counts]) => (isDated(counts) && dateNameRank(name) >= 0 ? [name] : []));
  return names.sort((a, b) => dateNameRank(a) - dateNameRank(b) || (a < b ? -1 : 1))[0];
}

function sorted<T>(entries: [string, T][]): [string, T][] {
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

import { realPath, slugWithoutLanguage } from "../../contract/story-address.js";
import { contentHash } from "../../lib/content-hash.js";
import { textOf } from "../../lib/json/bytes.js";
import type { ShardEntry } from "../manifest.js";
import { allRows, locateBlockLines } from "./index-rows.js";

/** Increase when the same stories give a different index. */
export const indexFormat = 3;

/**
 * The header of a story index: locates each block and has its hash, so a reader reads only what it
 * needs, and notices damage.
 *
 *     <bytes of the header, 10 digits> <hash of the header, 32 digits>
 *     {"blocks":[…], …}
 *     the blocks, one after the other
 */
export interface IndexHeader {
  format: number;
  /** In code-unit order. */
  components: string[];
  /** A block of rows for each shard, in shard order. */
  sections: Section[];
  /** The slugs in code-unit order, in blocks. */
  slugs: SlugBlock[];
  /** The real paths without language in code-unit order, in blocks. */
  paths: SlugBlock[];
}

/** A block's place, counted from the end of the header. */
export interface Block {
  start: number;
  bytes: number;
  /** Hash of the bytes, 32 digits. */
  check: string;
}

/** The rows of one shard, in code-unit order of the uuids. */
export interface Section extends Block {
  shard: string;
  /** The number of its first row among all rows. */
  first: number;
  stories: number;
}

export interface SlugBlock extends Block {
  first: string;
}

/** A line of the slug list: the slug, the story's number among all rows, its content type. */
export type SlugRow = readonly [slug: string, story: number, component: string];

const slugsOfBlock = 256;

/**
 * The bytes of the index of an edition's stories, in memory that threads can share.
 * @param shards the hash of each shard, with the rows of its stories as `rowsOfShard` gives them
 */
export function storyIndexBytes(language: string, shards: readonly { hash: string; rows: Uint8Array }[]): Uint8Array {
  const sections: Section[] = [];
  const blocks: Uint8Array[] = [];
  const slugRows: SlugRow[] = [];
  const pathRows: SlugRow[] = [];
  let start = 0;
  for (const { hash, rows } of shards) {
    const first = slugRows.length;
    for (const { full_slug, path, component } of allRows(locateBlockLines(rows))) {
      const real = realPath(path);
      if (real !== undefined) pathRows.push([slugWithoutLanguage(real, language), slugRows.length, component]);
      slugRows.push([slugKey(full_slug, language), slugRows.length, component]);
    }
    sections.push({ ...placeOfBlock(rows, start), shard: hash, first, stories: slugRows.length - first });
    blocks.push(rows);
    start += rows.length;
  }
  const components = [...new Set(slugRows.map(([, , component]) => component))].filter((name) => name !== "").sort();
  const slugs = slugBlocks(slugRows, start, blocks);
  const afterSlugs = slugs.reduce((sum, { bytes }) => sum + bytes, start);
  const paths = slugBlocks(pathRows, afterSlugs, blocks);
  return indexBytes({ format: indexFormat, components, sections, slugs, paths }, blocks);
}

function slugBlocks(rows: SlugRow[], firstStart: number, blocks: Uint8Array[]): SlugBlock[] {
  rows.sort(([a, first], [b, second]) => (a === b ? first - second : a < b ? -1 : 1));
  const found: SlugBlock[] = [];
  let start = firstStart;
  for (let at = 0; at < rows.length; at += slugsOfBlock) {
    const lines = rows.slice(at, at + slugsOfBlock).map((row) => JSON.stringify(row));
    const bytes = Buffer.from(lines.join("\n"));
    found.push({ ...placeOfBlock(bytes, start), first: rows[at]![0] });
    blocks.push(bytes);
    start += bytes.length;
  }
  return found;
}

/** The sort key of a slug: without language and leading slashes; a final slash stays. */
export function slugKey(fullSlug: string, language: string): string {
  const slug = slugWithoutLanguage(fullSlug, language);
  return slug !== "" && fullSlug.endsWith("/") ? `${slug}/` : slug;
}

const preamble = /^(\d{10}) ([0-9a-f]{32})\n/;
const preambleBytes = 10 + 1 + 32 + 1;

function indexBytes(header: IndexHeader, blocks: readonly Uint8Array[]): Uint8Array {
  const json = Buffer.from(JSON.stringify(header));
  const pieces = [Buffer.from(`${String(json.length).padStart(10, "0")} ${checkOf(json)}\n`), json, ...blocks];
  const bytes = Buffer.from(new SharedArrayBuffer(pieces.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Where the blocks of an index begin, from its first bytes; undefined if it is not an index. */
export function blocksStart(bytes: Uint8Array): number | undefined {
  const match = preamble.exec(textOf(bytes, 0, Math.min(bytes.length, preambleBytes)));
  return match === null ? undefined : preambleBytes + Number(match[1]);
}

/** An index's header, from its first bytes; undefined if damaged or of another format. */
export function parseHeader(bytes: Uint8Array): IndexHeader | undefined {
  const match = preamble.exec(textOf(bytes, 0, Math.min(bytes.length, preambleBytes)));
  if (match === null) return undefined;
  const json = bytes.subarray(preambleBytes, preambleBytes + Number(match[1]));
  if (json.length !== Number(match[1]) || checkOf(json) !== match[2]) return undefined;
  // The hash proves that `indexBytes` wrote this: checking each field would take a fifth of opening.
  const value: IndexHeader = JSON.parse(textOf(json, 0, json.length));
  return value.format === indexFormat ? value : undefined;
}

/** An index in memory. @throws RangeError for bytes that are none */
export function indexInMemory(bytes: Uint8Array): { header: IndexHeader; read(block: Block): Uint8Array } {
  const from = blocksStart(bytes) ?? 0;
  const header = parseHeader(bytes);
  if (header === undefined) throw new RangeError("These bytes are no story index.");
  return { header, read: ({ start, bytes: length }) => bytes.subarray(from + start, from + start + length) };
}

/** Whether an index belongs to these shards. */
export function isIndexOf({ sections }: IndexHeader, shards: readonly ShardEntry[]): boolean {
  return (
    sections.length === shards.length &&
    sections.every(({ shard, stories }, at) => shard === shards[at]!.hash && stories === shards[at]!.records)
  );
}

export function isBlock(bytes: Uint8Array, block: Block): boolean {
  return bytes.length === block.bytes && checkOf(bytes) === block.check;
}

function placeOfBlock(bytes: Uint8Array, start: number): Block {
  return { start, bytes: bytes.length, check: checkOf(bytes) };
}

function checkOf(bytes: Uint8Array): string {
  return contentHash(bytes).slice(0, 32);
}

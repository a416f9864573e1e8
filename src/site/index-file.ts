import { slugWithoutLanguage } from "../content/resolve/link-pattern.js";
import { lowerBound } from "../lib/collections/lower-bound.js";
import { textOf } from "../lib/json/bytes.js";
import { lineFeed } from "../lib/json/characters.js";
import { contentHash } from "../snapshot/content-hash.js";
import type { StoryReference } from "../snapshot/reader/reader.js";

/** Increase when the same stories give a different index. */
export const indexFormat = 2;

/**
 * The header of a derived file of blocks: locates each block and has its hash, so a reader reads
 * only what it needs, and notices damage.
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
  stories: number;
}

export interface SlugBlock extends Block {
  first: string;
}

const preamble = /^(\d{10}) ([0-9a-f]{32})\n/;
const preambleBytes = 10 + 1 + 32 + 1;

export function indexBytes(header: IndexHeader, blocks: readonly Uint8Array[]): Uint8Array {
  const json = Buffer.from(JSON.stringify(header));
  return Buffer.concat([Buffer.from(`${String(json.length).padStart(10, "0")} ${checkOf(json)}\n`), json, ...blocks]);
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

export function placeOfBlock(bytes: Uint8Array, start: number): Block {
  return { start, bytes: bytes.length, check: checkOf(bytes) };
}

export function isBlock(bytes: Uint8Array, block: Block): boolean {
  return bytes.length === block.bytes && checkOf(bytes) === block.check;
}

/** The lines of a block, as offsets. */
export interface BlockLines {
  bytes: Uint8Array;
  starts: Uint32Array;
}

export function locateBlockLines(bytes: Uint8Array): BlockLines {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    starts.push(at);
    const end = bytes.indexOf(lineFeed, at);
    at = end === -1 ? bytes.length : end + 1;
  }
  return { bytes, starts: Uint32Array.from(starts) };
}

export function blockLine({ bytes, starts }: BlockLines, index: number): string {
  const next = starts[index + 1];
  return textOf(bytes, starts[index]!, next === undefined ? bytes.length : next - 1);
}

function checkOf(bytes: Uint8Array): string {
  return contentHash(bytes).slice(0, 32);
}

export interface StoryRow extends StoryReference {
  /** Offsets of its record in the shard. */
  start: number;
  end: number;
  digest: string;
}

/** A row as one line. The uuid is first, so rows can be searched as bytes. */
export function printRow(row: StoryRow): string {
  const { uuid, id, name, slug, full_slug, path, component, is_startpage, start, end, digest } = row;
  const own = path === undefined ? [] : [path];
  return JSON.stringify([uuid, start, end, id, name, slug, full_slug, component, is_startpage ? 1 : 0, digest, ...own]);
}

export function parseRow(line: string): StoryRow {
  const [uuid, start, end, id, name, slug, full_slug, component, isStartpage, digest, path] = JSON.parse(line);
  const row = { uuid, id, name, slug, full_slug, component, is_startpage: isStartpage === 1, start, end, digest };
  return path === undefined ? row : { ...row, path };
}

/** Row number of a uuid in a section, by binary search; undefined if missing. */
export function findRow(section: BlockLines, uuid: string): number | undefined {
  // The line begins with `["`, the uuid, and `"`.
  const wanted = Buffer.from(`${JSON.stringify(uuid)},`);
  const orderOf = (line: number): number => {
    const at = section.starts[line]! + 1;
    return Buffer.compare(section.bytes.subarray(at, at + wanted.length), wanted);
  };
  const line = lowerBound(section.starts.length, (one) => orderOf(one) >= 0);
  return line < section.starts.length && orderOf(line) === 0 ? line : undefined;
}

/** A line of the slug list: the slug, the story's number among all rows, its content type. */
export type SlugRow = readonly [slug: string, story: number, component: string];

export function parseSlugRow(block: BlockLines, index: number): SlugRow {
  return JSON.parse(blockLine(block, index));
}

/** The sort key of a slug: without language and leading slashes; a final slash stays. */
export function slugKey(fullSlug: string, language: string): string {
  const slug = slugWithoutLanguage(fullSlug, language);
  return slug !== "" && fullSlug.endsWith("/") ? `${slug}/` : slug;
}

import { lowerBound } from "../../lib/collections/lower-bound.js";
import { encodePath, findPath, type PassedMember, textOf, valueAt } from "../../lib/json/bytes.js";
import { lineFeed, missing, quote } from "../../lib/json/characters.js";
import { shortHash } from "./noting-reader.js";
import type { ShardBytes, StoryReference } from "./reader.js";
import { recordBytes } from "./shard-bytes.js";

/** A story in the index: what a reference shows of it, and where its record is. */
export interface StoryRow extends StoryReference {
  /** Offsets of its record in the shard. */
  start: number;
  end: number;
  /** `shortHash` of its record. */
  digest: string;
}

/** The rows of a shard's stories, one a line, in code-unit order of their uuids. */
export function rowsOfShard({ hash, bytes, starts, ends }: ShardBytes): Uint8Array {
  const shard = { hash, bytes, starts, ends };
  const lines = Array.from(starts, (start, index) => {
    const { uuid, id, name, slug, full_slug, path, component, is_startpage } = referenceOf(shard, index);
    const place = [start, ends[index]];
    const digest = shortHash(recordBytes(shard, index));
    const own = path === undefined ? [] : [path];
    return JSON.stringify([uuid, ...place, id, name, slug, full_slug, component, is_startpage ? 1 : 0, digest, ...own]);
  });
  // Lines begin with the uuid, so this sorts by uuid.
  return Buffer.from(lines.sort().join("\n"));
}

export function parseRow(line: string): StoryRow {
  const cells = JSON.parse(line);
  return Object.assign(referenceIn(cells), { start: cells[1], end: cells[2], digest: cells[9] });
}

/** What a reference shows of the story of a row. */
export function parseReference(line: string): StoryReference {
  return referenceIn(JSON.parse(line));
}

function referenceIn(cells: [string, number, number, number, string, string, string, string, number, string, string?]) {
  const [uuid, , , id, name, slug, full_slug, component, isStartpage, , path] = cells;
  const is_startpage = isStartpage === 1;
  if (path === undefined) return { uuid, id, name, slug, full_slug, component, is_startpage };
  return { uuid, id, name, slug, full_slug, path, component, is_startpage };
}

const rowTexts = new WeakMap<StoryReference, string>();

/** What a site can show of a story's row. */
export function rowText(row: StoryReference): string {
  const known = rowTexts.get(row);
  if (known !== undefined) return known;
  const { uuid, id, name, slug, full_slug, path, component, is_startpage } = row;
  const text = JSON.stringify([uuid, id, name, slug, full_slug, path ?? null, component, is_startpage]);
  rowTexts.set(row, text);
  return text;
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

export function allRows(rows: BlockLines): StoryRow[] {
  return Array.from(rows.starts, (_, line) => parseRow(blockLine(rows, line)));
}

/** The line of a uuid, by binary search. */
export function findRow(rows: BlockLines, uuid: string): string | undefined {
  const { bytes, starts } = rows;
  // A line begins with `["`, the uuid, and `"`.
  const line = lowerBound(starts.length, (one) => compareAt(bytes, starts[one]! + 2, uuid) >= 0);
  return line < starts.length && compareAt(bytes, starts[line]! + 2, uuid) === 0 ? blockLine(rows, line) : undefined;
}

/** Compares a text of JSON without escapes to a uuid. */
function compareAt(bytes: Uint8Array, start: number, uuid: string): number {
  for (let at = 0; at < uuid.length; at++) {
    const difference = bytes[start + at]! - uuid.charCodeAt(at);
    if (difference !== 0) return difference;
  }
  return bytes[start + uuid.length] === quote ? 0 : 1;
}

const fields = {
  uuid: encodePath(["uuid"]),
  id: encodePath(["id"]),
  name: encodePath(["name"]),
  slug: encodePath(["slug"]),
  fullSlug: encodePath(["full_slug"]),
  path: encodePath(["path"]),
  component: encodePath(["content", "component"]),
  isStartpage: encodePath(["is_startpage"]),
};

const contentKey = Buffer.from('"content":');

/** The reference of record `index` in a shard of stories. */
export function referenceOf(shard: ShardBytes, index: number): StoryReference {
  const at = shard.starts[index]!;
  const content: PassedMember = {
    key: contentKey,
    start: missing,
    end: missing,
    objectEnd: shard.ends[index]!,
  };
  const read = (field: keyof typeof fields) => valueAt(shard.bytes, findPath(shard.bytes, at, fields[field], content));
  const text = (field: keyof typeof fields) => {
    const value = read(field);
    return typeof value === "string" ? value : "";
  };
  return {
    uuid: text("uuid"),
    id: Number(read("id")),
    name: text("name"),
    slug: text("slug"),
    full_slug: text("fullSlug"),
    ...pathMember(text("path")),
    component: text("component"),
    is_startpage: read("isStartpage") === true,
  };
}

function pathMember(path: string): { path?: string } {
  return path.trim() === "" ? {} : { path };
}

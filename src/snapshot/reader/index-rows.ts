import { lowerBound } from "../../lib/collections/lower-bound.js";
import { encodePath, findPath, type PassedMember, textOf, valueAt } from "../../lib/json/bytes.js";
import { lineFeed, missing } from "../../lib/json/characters.js";
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
  const [uuid, start, end, id, name, slug, full_slug, component, isStartpage, digest, path] = JSON.parse(line);
  const own = path === undefined ? {} : { path };
  return { uuid, id, name, slug, full_slug, ...own, component, is_startpage: isStartpage === 1, start, end, digest };
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

/** The row of a uuid, by binary search. */
export function findRow(rows: BlockLines, uuid: string): StoryRow | undefined {
  // The line begins with `["`, the uuid, and `"`.
  const wanted = Buffer.from(`${JSON.stringify(uuid)},`);
  const orderOf = (line: number): number => {
    const at = rows.starts[line]! + 1;
    return Buffer.compare(rows.bytes.subarray(at, at + wanted.length), wanted);
  };
  const line = lowerBound(rows.starts.length, (one) => orderOf(one) >= 0);
  return line < rows.starts.length && orderOf(line) === 0 ? parseRow(blockLine(rows, line)) : undefined;
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

export function uuidAt(shard: ShardBytes, index: number): string {
  const uuid = valueAt(shard.bytes, findPath(shard.bytes, shard.starts[index]!, fields.uuid));
  return typeof uuid === "string" ? uuid : "";
}

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

import { bufferOver } from "../../../lib/buffer-over.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { Lru } from "../../../lib/collections/lru.js";
import {
  type EncodedPath,
  encodePath,
  findPath,
  type PassedMember,
  skipValue,
  textOf,
  valueAt,
} from "../../../lib/json/bytes.js";
import { missing } from "../../../lib/json/characters.js";
import { NumberText, parseExact } from "../../../lib/json/exact-json.js";
import type { ShardBytes } from "../../../snapshot/reader/reader.js";
import type { Sliced } from "./slices.js";

const keptColumns = 64;
/** Longer texts and arrays are read from the record each time, which keeps columns small. */
const keptBytes = 256;

/** Replaces an object in a column: filters and sorts only need to know that it is one. */
export const objectValue: unique symbol = Symbol("object");

/**
 * The field of record i: undefined if missing; arrays are flat, objects {@link objectValue}, terms their ids. In the content,
 * a {@link NumberText} replaces a number that a double would print differently.
 */
export type Column = (index: number) => unknown;

export type ColumnStore = ReturnType<typeof createColumnStore>;

/** Start and end of the content of each record; `missing` if not reached yet. */
interface ContentSpans {
  starts: Int32Array;
  ends: Int32Array;
}

/** The values of one field in all records of a shard, kept for the 64 most recently used fields. */
export function createColumnStore() {
  const byPath = new Lru<string, WeakMap<ShardBytes, Column>>(keptColumns);
  const spans = new WeakMap<ShardBytes, ContentSpans>();
  const spansOf = (shard: ShardBytes): ContentSpans => {
    const { length } = shard.starts;
    const unread = () => new Int32Array(length).fill(missing);
    return inMap(spans, shard, () => ({ starts: unread(), ends: unread() }));
  };
  const columnsOf = (path: readonly string[]): WeakMap<ShardBytes, Column> => {
    return inMap(byPath, JSON.stringify(path), () => new WeakMap());
  };
  return {
    column(shard: ShardBytes, path: readonly string[]): Column {
      return inMap(columnsOf(path), shard, () => buildColumn(shard, path, spansOf(shard)));
    },
    /** Builds missing columns, yielding after each. All stay usable whatever is prepared later. */
    *prepare(shards: readonly ShardBytes[], path: readonly string[]): Sliced<Column[]> {
      const columns = columnsOf(path);
      for (const shard of shards) {
        if (columns.has(shard)) continue;
        columns.set(shard, buildColumn(shard, path, spansOf(shard)));
        yield;
      }
      return shards.map((shard) => columns.get(shard)!);
    },
  };
}

const inRecord: unique symbol = Symbol("in the record");

/** A story's largest member: to read the fields after it, we would skip it each time. */
const contentKey = encodePath(["content"])[0]!.key;

function buildColumn(shard: ShardBytes, path: readonly string[], spans: ContentSpans): Column {
  const { bytes, starts } = shard;
  const encoded = encodePath(path);
  const readValue = path[0] === "content" ? exactValueAt : path[0] === "taxonomy_terms" ? termIdsAt : valueAt;
  if (isNowhere(bytes, encoded)) return () => undefined;
  const positions = new Map<number, number>();
  const values: unknown[] = new Array(starts.length);
  const content: PassedMember = { key: contentKey, start: missing, end: missing, objectEnd: missing };
  for (let index = 0; index < starts.length; index += 1) {
    content.start = spans.starts[index]!;
    content.end = spans.ends[index]!;
    content.objectEnd = shard.ends[index]!;
    const at = findPath(bytes, starts[index]!, encoded, content);
    spans.starts[index] = content.start;
    spans.ends[index] = content.end;
    if (at === missing) continue;
    const value = bytes[at] === openObject ? objectValue : readValue(bytes, at);
    if (isLarge(value)) {
      positions.set(index, at);
      values[index] = inRecord;
    } else {
      // Neighbors often have equal texts, so they share one string.
      values[index] = index > 0 && value === values[index - 1] ? values[index - 1] : columnValue(value);
    }
  }
  if (positions.size === 0) return (index) => values[index];
  return (index) => {
    const value = values[index];
    return value === inRecord ? columnValue(readValue(shard.bytes, positions.get(index)!)) : value;
  };
}

/** Whether a name is nowhere in the bytes: a fast search. A number may be an array index. */
function isNowhere(bytes: Uint8Array, path: EncodedPath): boolean {
  if (path.length < 2) return false;
  const searched = bufferOver(bytes);
  const names = new Map(path.filter(({ position }) => position === missing).map(({ key }) => [key.toString(), key]));
  return [...names.values()].some((key) => searched.indexOf(key) < 0);
}

const openObject = 0x7b;
const openArray = 0x5b;
const minus = 0x2d;
const [zero, nine] = [0x30, 0x39];

/** Like {@link valueAt}, but keeps the spelling of numbers. */
function exactValueAt(bytes: Uint8Array, at: number): unknown {
  const first = bytes[at]!;
  const mayHoldNumbers = first === openArray || first === minus || (first >= zero && first <= nine);
  return mayHoldNumbers ? parseExact(textOf(bytes, at, skipValue(bytes, at))) : valueAt(bytes, at);
}

/** Stories are selected by the ids of their terms. */
function termIdsAt(bytes: Uint8Array, at: number): unknown {
  const terms = valueAt(bytes, at);
  return Array.isArray(terms) ? terms.map((term: { id?: unknown } | null) => term?.id) : terms;
}

export function isLarge(value: unknown): boolean {
  if (typeof value === "string") return value.length > keptBytes;
  return Array.isArray(value) && value.length > keptBytes / 8;
}

function columnValue(value: unknown): unknown {
  if (!isObjectValue(value)) return value;
  if (!Array.isArray(value)) return objectValue;
  return value.map((element) => (isObjectValue(element) ? objectValue : element));
}

function isObjectValue(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof NumberText);
}

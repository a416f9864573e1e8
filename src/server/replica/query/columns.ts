import { bufferOver } from "../../../lib/buffer-over.js";
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

/** Number of fields whose columns are kept. */
const keptColumns = 64;
/** Longer texts and arrays are read from the record each time, so that columns stay small. */
const keptBytes = 256;

/** Stands in a column for an object: filters and sorts only need to know that it is one. */
export const objectValue: unique symbol = Symbol("object");

/**
 * Reads the field of record i of a shard. Absent: undefined; arrays are flat; objects are {@link objectValue}. In the
 * content, a number that a double does not print as the record spells it is a {@link NumberText}.
 */
export type Column = (index: number) => unknown;

/**
 * Fields of shards, as columns: the values of one field in all records of a shard. A field is read out of the bytes
 * on first use, and kept with its shard, for the 64 fields that were used last.
 */
export interface ColumnStore {
  column(shard: ShardBytes, path: readonly string[]): Column;
  /**
   * Builds the columns of a path that are missing, and yields after each.
   *
   * @returns the column of each shard. They stay usable however many others are asked for meanwhile.
   */
  prepare(shards: readonly ShardBytes[], path: readonly string[]): Sliced<Column[]>;
}

/** Where the content of each record of a shard begins and ends; `missing` where it was not reached yet. */
interface ContentSpans {
  starts: Int32Array;
  ends: Int32Array;
}

export function createColumnStore(): ColumnStore {
  const byPath = new Lru<string, WeakMap<ShardBytes, Column>>(keptColumns);
  const spans = new WeakMap<ShardBytes, ContentSpans>();

  const spansOf = (shard: ShardBytes): ContentSpans => {
    const { length } = shard.starts;
    const known = spans.get(shard) ?? {
      starts: new Int32Array(length).fill(missing),
      ends: new Int32Array(length).fill(missing),
    };
    spans.set(shard, known);
    return known;
  };

  const columnsOf = (path: readonly string[]): WeakMap<ShardBytes, Column> => {
    const key = JSON.stringify(path);
    const known = byPath.get(key);
    if (known !== undefined) return known;
    const columns = new WeakMap<ShardBytes, Column>();
    byPath.set(key, columns);
    return columns;
  };

  const column = (shard: ShardBytes, path: readonly string[]): Column => {
    const columns = columnsOf(path);
    const built = columns.get(shard) ?? buildColumn(shard, path, spansOf(shard));
    columns.set(shard, built);
    return built;
  };

  return {
    column,
    *prepare(shards, path) {
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

/** Stands in a column for a value that is read from the record each time. */
const inRecord: unique symbol = Symbol("in the record");

/** The member with most bytes of a story: reading the fields behind it means skipping it each time. */
const contentKey = encodePath(["content"])[0]!.key;

function buildColumn(shard: ShardBytes, path: readonly string[], spans: ContentSpans): Column {
  const { bytes, starts } = shard;
  const encoded = encodePath(path);
  const readValue = path[0] === "content" ? exactValueAt : valueAt;
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
      // Neighbours often have equal texts: both refer to one string.
      values[index] = index > 0 && value === values[index - 1] ? values[index - 1] : columnValue(value);
    }
  }
  if (positions.size === 0) return (index) => values[index];
  return (index) => {
    const value = values[index];
    return value === inRecord ? columnValue(readValue(shard.bytes, positions.get(index)!)) : value;
  };
}

/**
 * Whether no record of a shard can have a field, because its name stands nowhere in the bytes. Searching for a name
 * takes a fraction of the time of walking through the contents. A number may be a place in an array: its absence
 * proves nothing.
 */
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

/** As {@link valueAt}, with the spelling of numbers. */
function exactValueAt(bytes: Uint8Array, at: number): unknown {
  const first = bytes[at]!;
  const mayHoldNumbers = first === openArray || first === minus || (first >= zero && first <= nine);
  return mayHoldNumbers ? parseExact(textOf(bytes, at, skipValue(bytes, at))) : valueAt(bytes, at);
}

/** Whether a value is not kept in a column, but read from its record each time. */
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

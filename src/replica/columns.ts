import { encodePath, findPath, missing, valueAt } from "../reader/json-bytes.js";
import type { ShardBytes } from "../reader/reader.js";
import type { Sliced } from "./slices.js";

/** Columns that are kept at most; the one that was not used for the longest time goes first. */
const keptColumns = 64;
/** Texts and arrays that take more bytes stay in the record and are read again each time: columns stay small. */
const keptBytes = 256;

/** What a column holds where the record has an object: filters and sorts only need to know that it is one. */
export const objectValue: unique symbol = Symbol("object");

/** Reads the field of record i of a shard. Absent: undefined; arrays are flat; objects are {@link objectValue}. */
export type Column = (index: number) => unknown;

/** Fields of shards, walked out of the bytes on first use and kept as long as the shard itself. */
export interface ColumnStore {
  column(shard: ShardBytes, path: readonly string[]): Column;
  /** Builds what is missing of the paths, a column of a shard at a time. */
  prepare(shards: readonly ShardBytes[], paths: readonly (readonly string[])[]): Sliced<void>;
}

export function createColumnStore(): ColumnStore {
  const byPath = new Map<string, WeakMap<ShardBytes, Column>>();

  const columnsOf = (path: readonly string[]): WeakMap<ShardBytes, Column> => {
    const key = JSON.stringify(path);
    const columns = byPath.get(key) ?? new WeakMap<ShardBytes, Column>();
    byPath.delete(key);
    byPath.set(key, columns);
    if (byPath.size > keptColumns) byPath.delete(byPath.keys().next().value!);
    return columns;
  };

  const column = (shard: ShardBytes, path: readonly string[]): Column => {
    const columns = columnsOf(path);
    const built = columns.get(shard) ?? buildColumn(shard, path);
    columns.set(shard, built);
    return built;
  };

  return {
    column,
    *prepare(shards, paths) {
      for (const path of paths) {
        const columns = columnsOf(path);
        for (const shard of shards) {
          if (columns.has(shard)) continue;
          columns.set(shard, buildColumn(shard, path));
          yield;
        }
      }
    },
  };
}

/** Stands in a column for a value that is read again each time. */
const inRecord: unique symbol = Symbol("in the record");

function buildColumn(shard: ShardBytes, path: readonly string[]): Column {
  const encoded = encodePath(path);
  const positions = new Map<number, number>();
  const values = Array.from(shard.starts, (start, index) => {
    const at = findPath(shard.bytes, start, encoded);
    if (at === missing) return undefined;
    if (shard.bytes[at] === openObject) return objectValue;
    const value = valueAt(shard.bytes, at);
    if (!isLarge(value)) return columnValue(value);
    positions.set(index, at);
    return inRecord;
  });
  if (positions.size === 0) return (index) => values[index];
  return (index) => {
    const value = values[index];
    return value === inRecord ? columnValue(valueAt(shard.bytes, positions.get(index)!)) : value;
  };
}

const openObject = 0x7b;

function isLarge(value: unknown): boolean {
  if (typeof value === "string") return value.length > keptBytes;
  return Array.isArray(value) && value.length > keptBytes / 8;
}

function columnValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return objectValue;
  return value.map((element) => (typeof element === "object" && element !== null ? objectValue : element));
}

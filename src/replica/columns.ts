import { encodePath, findPath, valueAt } from "../reader/json-bytes.js";
import type { ShardBytes } from "../reader/reader.js";

/** Columns that are kept at most; the one that was not used for the longest time goes first. */
const keptColumns = 64;

/** What a column holds where the record has an object: filters and sorts only need to know that it is one. */
export const objectValue: unique symbol = Symbol("object");

/** One field of all records of a shard. Absent: undefined; arrays are flat; objects are {@link objectValue}. */
type Column = readonly unknown[];

/** Fields of shards, walked out of the bytes on first use and kept as long as the shard itself. */
export interface ColumnStore {
  column(shard: ShardBytes, path: readonly string[]): Column;
  /** Builds what is missing of the paths, one shard at a time with `pause` between two. */
  prepare(
    shards: readonly ShardBytes[],
    paths: readonly (readonly string[])[],
    pause: () => Promise<void>,
  ): Promise<void>;
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
    async prepare(shards, paths, pause) {
      const columns = paths.map(columnsOf);
      for (const shard of shards) {
        if (columns.every((built) => built.has(shard))) continue;
        for (const path of paths) column(shard, path);
        await pause();
      }
    },
  };
}

function buildColumn(shard: ShardBytes, path: readonly string[]): Column {
  const encoded = encodePath(path);
  return Array.from(shard.starts, (start) => {
    return columnValue(valueAt(shard.bytes, findPath(shard.bytes, start, encoded)));
  });
}

function columnValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) return objectValue;
  return value.map((element) => (typeof element === "object" && element !== null ? objectValue : element));
}

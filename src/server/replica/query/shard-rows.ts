import { encodePath, findPath, skipValue, valueAt } from "../../../lib/json/bytes.js";
import type { ShardBytes } from "../../../snapshot/reader/reader.js";
import { recordBytes, recordText } from "../../../snapshot/reader/shard-bytes.js";
import type { Column, ColumnStore } from "./columns.js";
import type { Sliced, SliceRunner } from "./slices.js";

export type FieldOfRow = (row: number) => unknown;

export interface FieldSource {
  readonly count: number;
  field(path: readonly string[]): FieldOfRow;
}

export type ShardRows = ReturnType<typeof createShardRows>;

/** The records of a part as rows 0, 1, 2 … in the part's order, read from their bytes. */
export function createShardRows(shards: readonly ShardBytes[], columns: ColumnStore, slices: SliceRunner) {
  const first = firstRows(shards);
  const count = shards.reduce((sum, shard) => sum + shard.starts.length, 0);
  const shardOf = new Uint32Array(count);
  shards.forEach((shard, number) => {
    shardOf.fill(number, first[number], first[number]! + shard.starts.length);
  });
  const shardAt = (row: number): ShardBytes => shards[shardOf[row]!]!;
  const indexAt = (row: number): number => row - first[shardOf[row]!]!;
  const readerOf = (parts: readonly Column[]): FieldOfRow => {
    return (row) => parts[shardOf[row]!]?.(indexAt(row));
  };
  const field = (path: readonly string[]): FieldOfRow => readerOf(shards.map((shard) => columns.column(shard, path)));
  const position = (row: number, path: readonly string[]): number => {
    const shard = shardAt(row);
    return findPath(shard.bytes, shard.starts[indexAt(row)]!, encodePath(path));
  };
  /** Prepares fields without blocking. They stay fast whatever is prepared later. */
  function* prepare(paths: readonly (readonly string[])[]): Sliced<FieldSource> {
    const ready = new Map<string, FieldOfRow>();
    for (const path of paths) {
      const name = JSON.stringify(path);
      if (!ready.has(name)) ready.set(name, readerOf(yield* columns.prepare(shards, path)));
    }
    return { count, field: (path) => ready.get(JSON.stringify(path)) ?? field(path) };
  }
  const byUuid = slices.lazy(() => rowsBy({ count, prepare }, ["uuid"]));
  return {
    count,
    field,
    prepare,
    prepareUuids: byUuid.ready,
    rowOf: (uuid: string) => byUuid.get().get(uuid),
    /** The canonical JSON of a row: a view of the snapshot's bytes, not a copy. */
    bytes: (row: number): Uint8Array => recordBytes(shardAt(row), indexAt(row)),
    text: (row: number) => recordText(shardAt(row), indexAt(row)),
    size: (row: number) => shardAt(row).ends[indexAt(row)]! - shardAt(row).starts[indexAt(row)]!,
    /** The parsed value at a path of a row; undefined if missing. */
    value: (row: number, path: readonly string[]) => valueAt(shardAt(row).bytes, position(row, path)),
    /** The JSON of the value at a path of a row; empty if missing. */
    valueBytes(row: number, path: readonly string[]): Uint8Array {
      const { bytes } = shardAt(row);
      const at = position(row, path);
      return at < 0 ? bytes.subarray(0, 0) : bytes.subarray(at, skipValue(bytes, at));
    },
  };
}

export function rowNumbers(count: number): Uint32Array {
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) rows[row] = row;
  return rows;
}

/** Number of rows looked at between two yields. */
export const rowsAtOnce = 512;

/** The numbers of a field by row; 0 where it is no number. */
export function* numbersOf(count: number, field: FieldOfRow): Sliced<Float64Array> {
  const numbers = new Float64Array(count);
  for (let row = 0; row < count; row += 1) {
    const value = field(row);
    if (typeof value === "number") numbers[row] = value;
    if (row % rowsAtOnce === 0) yield;
  }
  return numbers;
}

/** Maps each value of a field to its row; the last row wins. */
export function* rowsBy(
  { count, prepare }: { count: number; prepare(paths: readonly (readonly string[])[]): Sliced<FieldSource> },
  path: readonly string[],
): Sliced<Map<unknown, number>> {
  const field = (yield* prepare([path])).field(path);
  const rows = new Map<unknown, number>();
  for (let row = 0; row < count; row += 1) {
    rows.set(field(row), row);
    if (row % rowsAtOnce === 0) yield;
  }
  return rows;
}

function firstRows(shards: readonly ShardBytes[]): number[] {
  let next = 0;
  return shards.map((shard) => {
    const first = next;
    next += shard.starts.length;
    return first;
  });
}

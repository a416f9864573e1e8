import { describe, expect, test } from "vitest";
import { createColumnStore } from "../../../../src/server/replica/query/columns.js";
import { createShardRows } from "../../../../src/server/replica/query/shard-rows.js";
import { createSliceRunner, runAtOnce } from "../../../../src/server/replica/query/slices.js";
import type { ShardBytes } from "../../../../src/snapshot/reader/reader.js";
import { locateRecords } from "../../../../src/snapshot/reader/shard-bytes.js";

/** A shard as it lies on disk. */
function shardOf(records: readonly unknown[]): ShardBytes {
  const bytes = Buffer.from(`[\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n]\n`);
  return locateRecords("hash", bytes, records.length)!;
}

/** The values of a field, one after the other. */
function valuesOf(shards: readonly ShardBytes[], path: readonly string[]): unknown[] {
  const rows = createShardRows(shards, createColumnStore(), createSliceRunner());
  const field = runAtOnce(rows.prepare([path])).field(path);
  return Array.from({ length: rows.count }, (_, row) => field(row));
}

const shards = [
  shardOf([
    { content: { a: "1", list: ["x", { deep: true }], quoted: 'a "b": c' }, b: 1 },
    { content: { a: "2", b: "inner" }, b: 2 },
  ]),
  shardOf([{ content: { "0": "key", other: ["y"] }, b: 3 }]),
];

describe("columns", () => {
  test.each<[title: string, path: string[], values: unknown[]]>([
    ["a field of the record, whatever stands in the content", ["b"], [1, 2, 3]],
    ["a field that one shard has nowhere", ["content", "a"], ["1", "2", undefined]],
    ["a name that stands elsewhere only", ["content", "deep"], [undefined, undefined, undefined]],
    ["a name that stands in a text only", ["content", "b"], [undefined, "inner", undefined]],
    ["a number as a place in an array", ["content", "list", "0"], ["x", undefined, undefined]],
    ["a number as a name", ["content", "0"], [undefined, undefined, "key"]],
    ["a name behind a place", ["content", "list", "1", "deep"], [true, undefined, undefined]],
  ])("%s", (_, path, values) => {
    expect(valuesOf(shards, path)).toEqual(values);
  });

  test("prepared fields stay ready, however many others are read later", () => {
    const rows = createShardRows(
      [shardOf([{ content: { a: "1", f: "2" } }])],
      createColumnStore(),
      createSliceRunner(),
    );
    const ready = runAtOnce(rows.prepare([["content", "a"]]));
    for (let other = 0; other < 100; other += 1) runAtOnce(rows.prepare([["content", "f", String(other)]]));
    rows.bytes(0).fill(0x20);
    expect(ready.field(["content", "a"])(0)).toBe("1");
    expect(rows.field(["content", "a"])(0)).toBeUndefined();
  });
});

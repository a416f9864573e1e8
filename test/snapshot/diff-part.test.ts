import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffPart, type RecordChange } from "../../src/snapshot/diff-part.js";
import { parts, shardFile } from "../../src/snapshot/layout.js";
import type { PartEntry } from "../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Store } from "../../src/snapshot/store/store.js";
import { replacePart } from "../../src/snapshot/write/update-part.js";
import { keyLine, uuidPool } from "../support/key-lines.js";
import { recordingStore } from "../support/recording-store.js";

const part = parts.stories("published/de");

describe("the difference of two states", () => {
  test("lists every record that differs, in key order, for any shards", async () => {
    const texts = fc.array(fc.option(fc.constantFrom("", "one", "x".repeat(200))), { minLength: 30, maxLength: 30 });
    const shardBytes = fc.constantFrom(1, 150, 600, 5000);
    await fc.assert(
      fc.asyncProperty(uuidPool, texts, texts, shardBytes, shardBytes, async (uuids, before, after, small, large) => {
        const store = createMemoryStore();
        const old = linesOf(uuids, before);
        const now = linesOf(uuids, after);
        const changes = await diff(
          store,
          part,
          await replacePart(store, part, [...old.values()], small),
          await replacePart(store, part, [...now.values()], large),
        );
        const expected = uuids
          .toSorted()
          .map((key) => ({ key, before: old.get(key) ?? null, after: now.get(key) ?? null }))
          .filter((change) => change.before !== change.after);
        expect(changes).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test("does not read shared shards", async () => {
    const { store, calls } = recordingStore(createMemoryStore());
    const uuids = Array.from(
      { length: 64 },
      (_, index) => `${(index * 4).toString(16).padStart(2, "0")}000000-0000-4000-8000-000000000000`,
    );
    const before = await replacePart(
      store,
      part,
      uuids.map((uuid) => keyLine(uuid, "old")),
      400,
    );
    const after = await replacePart(
      store,
      part,
      uuids.map((uuid, index) => keyLine(uuid, index === 9 ? "new" : "old")),
      400,
    );
    calls.length = 0;
    expect(await diff(store, part, before, after)).toEqual([
      { key: uuids[9], before: keyLine(uuids[9]!, "old"), after: keyLine(uuids[9]!, "new") },
    ]);
    const differing = [before, after].map((entry, index) => {
      const hashes = new Set([before, after][1 - index]!.shards.map((shard) => shard.hash));
      return `get ${shardFile(part, entry.shards.find((shard) => !hashes.has(shard.hash))!)}`;
    });
    expect(calls).toEqual(differing);
  });

  test("is the whole part if one side has none", async () => {
    const store = createMemoryStore();
    const line = keyLine("80000000-0000-4000-8000-000000000000");
    const entry = await replacePart(store, part, [line], 100);
    expect(await diff(store, part, undefined, entry)).toMatchObject([{ before: null, after: line }]);
    expect(await diff(store, part, entry, undefined)).toMatchObject([{ before: line, after: null }]);
    expect(await diff(store, part, undefined, undefined)).toEqual([]);
  });

  test("compares a part without keys by id or name, and ignores its order", async () => {
    const store = createMemoryStore();
    const name = parts.datasources;
    const before = await replacePart(store, name, ['{"id":1,"name":"a"}', '{"id":2,"name":"b"}', '{"name":"c"}'], 1);
    const after = await replacePart(store, name, ['{"name":"c"}', '{"id":3,"name":"b"}', '{"id":1,"name":"A"}'], 1);
    expect(await diff(store, name, before, after)).toEqual([
      { key: "1", before: '{"id":1,"name":"a"}', after: '{"id":1,"name":"A"}' },
      { key: "2", before: '{"id":2,"name":"b"}', after: null },
      { key: "3", before: null, after: '{"id":3,"name":"b"}' },
    ]);
  });
});

function linesOf(uuids: readonly string[], texts: readonly (string | null)[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const [index, uuid] of uuids.entries()) {
    const text = texts[index];
    if (typeof text === "string") lines.set(uuid, keyLine(uuid, text));
  }
  return lines;
}

async function diff(
  store: Store,
  name: string,
  before: PartEntry | undefined,
  after: PartEntry | undefined,
): Promise<RecordChange[]> {
  const changes: RecordChange[] = [];
  for await (const change of diffPart(store, name, before, after)) changes.push(change);
  return changes;
}

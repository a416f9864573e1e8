import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffPart } from "../../../src/snapshot/diff-part.js";
import { parts, shardFile } from "../../../src/snapshot/layout.js";
import type { PartEntry, ShardEntry } from "../../../src/snapshot/manifest.js";
import { noteChanges } from "../../../src/snapshot/part-changes.js";
import { readPart } from "../../../src/snapshot/read-part.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { replacePart, updatePart } from "../../../src/snapshot/write/update-part.js";
import { clusteredUuid, keyLine, uuidPool } from "../../support/key-lines.js";
import { recordingStore } from "../../support/recording-store.js";

const part = parts.stories("published/default");
const shardSizes = fc.constantFrom(1, 120, 300, 700, 3000);

describe("the shards of a part", () => {
  test("are those of the definition, for any records", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(clusteredUuid, { maxLength: 40 }), shardSizes, async (uuids, shardBytes) => {
        const store = createMemoryStore();
        const lines = uuids.map((uuid, index) => keyLine(uuid, "ä".repeat((index * 37) % 90)));
        const entry = await replacePart(store, part, lines, shardBytes);
        const expected = shardsByDefinition(lines, shardBytes);
        expect(entry.shards).toEqual(expected.map(({ shard }) => shard));
        expect(entry.records).toBe(uuids.length);
        for (const { shard, text } of expected) {
          expect(Buffer.from((await store.get(shardFile(part, shard)))!).toString()).toBe(text);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("are the same after any history as after one write of the whole", async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ uuids, steps }) => {
        const store = createMemoryStore();
        const model = new Map<string, string>();
        let entry: PartEntry | undefined;
        const notes = noteChanges(undefined);
        for (const { shardBytes, changes } of steps) {
          const step = new Map(changes.map(({ at, text }) => changeOf(uuids[at % uuids.length]!, text)));
          for (const [uuid, line] of step) {
            if (line === null) model.delete(uuid);
            else model.set(uuid, line);
          }
          entry = await updatePart(store, part, { previous: entry, changes: step, shardBytes, onChange: notes.note });
          notes.to = entry;
          expect(entry).toEqual(await replacePart(createMemoryStore(), part, [...model.values()], shardBytes));
          expect(await linesOf(store, entry)).toEqual([...model.values()].sort(byUuid));
          const differing = [];
          for await (const change of diffPart(store, part, undefined, entry)) differing.push(change);
          expect(notes.changes()).toEqual({ from: undefined, to: entry, changes: differing, gains: undefined });
        }
      }),
      { numRuns: 500 },
    );
  });

  test("have at least one record, and do not exist for an empty part", async () => {
    const store = createMemoryStore();
    const line = keyLine("80000000-0000-4000-8000-000000000001", "longer than a shard may be");
    const one = await replacePart(store, part, [line], 1);
    expect(one.shards).toMatchObject([{ prefix: "", records: 1 }]);
    const none = await updatePart(store, part, {
      previous: one,
      changes: new Map([["80000000-0000-4000-8000-000000000001", null]]),
      shardBytes: 1,
    });
    expect(none).toEqual({ records: 0, shards: [] });
    expect(await replacePart(store, part, [], 1)).toEqual(none);
  });

  test("may be as large as shardBytes, and one byte less splits them", async () => {
    const lines = ["0", "8"].map((digit) => keyLine(`${digit}0000000-0000-4000-8000-000000000000`));
    const bytes = Buffer.byteLength(`[\n${lines.join(",\n")}\n]\n`);
    expect((await replacePart(createMemoryStore(), part, lines, bytes)).shards).toMatchObject([{ prefix: "", bytes }]);
    expect((await replacePart(createMemoryStore(), part, lines, bytes - 1)).shards).toHaveLength(2);
  });

  test("are not split after 64 digits", async () => {
    const uuids = ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"];
    const lines = uuids.map((uuid) => keyLine(uuid));
    const entry = await replacePart(createMemoryStore(), part, lines, 1);
    expect(entry.shards).toMatchObject([{ prefix: "0".repeat(64), records: 2 }]);
  });

  test("accept upper-case digits", async () => {
    const store = createMemoryStore();
    const uuids = ["b0000000-0000-4000-8000-000000000001", "A0000000-0000-4000-8000-000000000001"];
    const entry = await replacePart(
      store,
      part,
      uuids.map((uuid) => keyLine(uuid)),
      1,
    );
    expect(entry.shards.map((shard) => shard.prefix)).toEqual(["1010", "1011"]);
    const found: string[] = [];
    for await (const { key } of readPart(store, part, entry)) found.push(key);
    expect(found).toEqual(uuids.toReversed());
  });
});

describe("an update", () => {
  const uuids = Array.from({ length: 400 }, (_, index) => spread(index));
  const lines = uuids.map((uuid) => keyLine(uuid, "x".repeat(60)));
  const shardBytes = 2000;

  test("of one record reads one shard and puts one", async () => {
    const { store, entry, calls } = await filled();
    const changed = keyLine(uuids[7]!, "y".repeat(60));
    const next = await updatePart(store, part, {
      previous: entry,
      changes: new Map([[uuids[7]!, changed]]),
      shardBytes,
    });
    expect(entry.shards.length).toBeGreaterThan(20);
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["get", "put"]);
    expect(next.shards.filter((shard, index) => shard.hash !== entry.shards[index]?.hash)).toHaveLength(1);
  });

  test("that changes nothing puts nothing", async () => {
    const { store, entry, calls } = await filled();
    expect(await updatePart(store, part, { previous: entry, changes: new Map(), shardBytes })).toEqual(entry);
    expect(calls).toEqual([]);
    const same = new Map<string, string | null>([
      [uuids[7]!, lines[7]!],
      ["00000000-0000-4000-8000-ffffffffffff", null],
    ]);
    expect(await updatePart(store, part, { previous: entry, changes: same, shardBytes })).toEqual(entry);
    expect(calls.filter((call) => !call.startsWith("get "))).toEqual([]);
  });

  test("that removes records merges shards, and reads only what is merged", async () => {
    const { store, entry, calls } = await filled();
    const [first, second] = siblings(entry);
    const inside = uuids.filter((uuid) => prefixOf(uuid).startsWith(first.prefix));
    const next = await updatePart(store, part, {
      previous: entry,
      changes: new Map(inside.map((uuid) => [uuid, null])),
      shardBytes,
    });
    expect(next.shards.map((shard) => shard.prefix)).toContain(first.prefix.slice(0, -1));
    expect(calls.filter((call) => call.startsWith("get "))).toEqual([
      `get ${shardFile(part, first)}`,
      `get ${shardFile(part, second)}`,
    ]);
    expect(calls.filter((call) => call.startsWith("put "))).toHaveLength(1);
  });

  test("with another shard size reads only the shards that change", async () => {
    const { store, entry, calls } = await filled();
    const largest = Math.max(...entry.shards.map((shard) => shard.bytes));
    const over = entry.shards.filter((shard) => shard.bytes === largest);
    const next = await updatePart(store, part, { previous: entry, changes: new Map(), shardBytes: largest - 1 });
    expect(calls.filter((call) => call.startsWith("get "))).toEqual(
      over.map((shard) => `get ${shardFile(part, shard)}`),
    );
    expect(next).toEqual(await replacePart(createMemoryStore(), part, lines, largest - 1));
  });

  test("reports the missing or damaged shard", async () => {
    const { store, entry } = await filled();
    const file = shardFile(part, entry.shards[3]!);
    const key = uuids.find((uuid) => prefixOf(uuid).startsWith(entry.shards[3]!.prefix))!;
    const damage = { code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(file) };
    const bytes = Buffer.from((await store.get(file))!);
    await store.replace(file, bytes.fill("y", 40, 41));
    await expect(
      updatePart(store, part, { previous: entry, changes: new Map([[key, null]]), shardBytes }),
    ).rejects.toMatchObject(damage);
    await store.replace(file, bytes.subarray(1));
    await expect(
      updatePart(store, part, { previous: entry, changes: new Map([[key, null]]), shardBytes }),
    ).rejects.toMatchObject(damage);
    await store.remove(file);
    await expect(
      updatePart(store, part, { previous: entry, changes: new Map([[key, null]]), shardBytes }),
    ).rejects.toMatchObject(damage);
  });

  test("refuses what it would lose: a foreign key, a line feed, a part without keys", async () => {
    const store = createMemoryStore();
    const [uuid, other] = uuids as [string, string];
    const update = (name: string, key: string, line: string) =>
      updatePart(store, name, { previous: undefined, changes: new Map([[key, line]]), shardBytes });
    await expect(update(part, uuid, keyLine(other))).rejects.toThrow(RangeError);
    await expect(update(part, "no-uuid", keyLine("no-uuid"))).rejects.toThrow(RangeError);
    await expect(update(part, uuid, `{"uuid":"${uuid}",\n"a":1}`)).rejects.toThrow(RangeError);
    await expect(update(parts.experiments, uuid, keyLine(uuid))).rejects.toThrow(RangeError);
    await expect(replacePart(store, part, [keyLine(uuid), keyLine(uuid, "again")], 100)).rejects.toThrow(uuid);
    await expect(replacePart(store, part, ["{}"], 100)).rejects.toThrow(RangeError);
    expect(await store.list("")).toEqual([]);
  });

  async function filled() {
    const { store, calls } = recordingStore(createMemoryStore());
    const entry = await replacePart(store, part, lines, shardBytes);
    calls.length = 0;
    return { store, entry, calls };
  }
});

describe("a part without keys", () => {
  test("is one file with the records in the given order", async () => {
    const store = createMemoryStore();
    const lines = ['{"name":"z"}', '{"name":"a"}', '{"name":"z"}'];
    const entry = await replacePart(store, parts.tags("published"), lines, 1);
    expect(entry).toMatchObject({ records: 3, shards: [{ prefix: "", records: 3 }] });
    const found: { key: string; line: string }[] = [];
    for await (const record of readPart(store, parts.tags("published"), entry)) found.push(record);
    expect(found).toEqual(lines.map((line) => ({ key: "", line })));
    expect(await replacePart(store, parts.experiments, [], 1)).toEqual({ records: 0, shards: [] });
  });
});

const history = fc.record({
  uuids: uuidPool,
  steps: fc.array(
    fc.record({
      shardBytes: shardSizes,
      changes: fc.array(fc.record({ at: fc.nat(29), text: fc.option(fc.string({ maxLength: 150 })) }), {
        maxLength: 25,
      }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

function changeOf(uuid: string, text: string | null): [string, string | null] {
  return [uuid, text === null ? null : keyLine(uuid, text)];
}

/** Parts of both kinds: with keys, and without. */
describe.each([
  part,
  parts.datasources,
  parts.entries(5, null),
  parts.tags("published"),
  parts.experiments,
  parts.space,
])("%s, made again of the same records", (name) => {
  const damages: [string, (store: Store, file: string) => Promise<void>][] = [
    ["is lost", (store, file) => store.remove(file)],
    ["is damaged", (store, file) => store.replace(file, Buffer.from("[\n{}\n]\n"))],
  ];

  test.each(damages)("writes the shard that %s", async (_, damage) => {
    const store = createMemoryStore();
    const lines = [keyLine(spread(1), "one")];
    const before = await replacePart(store, name, lines, 700);
    const file = shardFile(name, before.shards[0]!);
    const bytes = await store.get(file);
    await damage(store, file);
    expect(await replacePart(store, name, lines, 700, before)).toEqual(before);
    expect(await store.get(file)).toEqual(bytes);
  });

  test("writes nothing if the shard is whole", async () => {
    const memory = createMemoryStore();
    const lines = [keyLine(spread(1), "one")];
    const before = await replacePart(memory, name, lines, 700);
    const { store, calls } = recordingStore(memory);
    await replacePart(store, name, lines, 700, before);
    expect(calls.filter((call) => call.startsWith("put"))).toEqual([]);
  });
});

/** The definition as docs/snapshot-format.md has it, without any care for speed. */
function shardsByDefinition(lines: readonly string[], shardBytes: number): { shard: ShardEntry; text: string }[] {
  const visit = (prefix: string): { shard: ShardEntry; text: string }[] => {
    const inside = lines.filter((line) => prefixOf(uuidOf(line)).startsWith(prefix)).sort(byUuid);
    if (inside.length === 0) return [];
    const text = `[\n${inside.join(",\n")}\n]\n`;
    const bytes = Buffer.byteLength(text);
    if (bytes > shardBytes && inside.length > 1 && prefix.length < 64)
      return [...visit(`${prefix}0`), ...visit(`${prefix}1`)];
    const hash = createHash("sha256").update(text).digest("hex");
    return [{ shard: { prefix, hash, records: inside.length, bytes }, text }];
  };
  return visit("");
}

function prefixOf(uuid: string): string {
  return [...uuid.replaceAll("-", "")].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}

function uuidOf(line: string): string {
  return (JSON.parse(line) as { uuid: string }).uuid;
}

function byUuid(a: string, b: string): number {
  return uuidOf(a) < uuidOf(b) ? -1 : 1;
}

async function linesOf(store: Store, entry: PartEntry): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of readPart(store, part, entry)) lines.push(line);
  return lines;
}

/** Uuids that spread evenly over all prefixes. */
function spread(index: number): string {
  const start = ((index * 2654435761) % 2 ** 32).toString(16).padStart(8, "0");
  return `${start}-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

/** Two shards that one prefix was split into. */
function siblings(entry: PartEntry): [ShardEntry, ShardEntry] {
  for (const [index, shard] of entry.shards.entries()) {
    const next = entry.shards[index + 1];
    if (next !== undefined && shard.prefix.slice(0, -1) === next.prefix.slice(0, -1)) return [shard, next];
  }
  throw new Error("no siblings");
}

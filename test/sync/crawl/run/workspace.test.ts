import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countAssetUses } from "../../../../src/content/resolve/asset-urls.js";
import { compareStories, countNewStories } from "../../../../src/snapshot/compare-stories.js";
import { parts as partNames } from "../../../../src/snapshot/layout.js";
import type { PartEntry } from "../../../../src/snapshot/manifest.js";
import type { PartChanges } from "../../../../src/snapshot/part-changes.js";
import { createMemoryStore } from "../../../../src/snapshot/store/memory-store.js";
import { Workspace } from "../../../../src/sync/crawl/run/workspace.js";
import { recordingStore } from "../../../support/recording-store.js";

const editions = [{ name: "published/default" }, { name: "published/de" }];
const part = partNames.stories("published/default");
const uuids = Array.from({ length: 8 }, (_, n) => `${n}${n}000000-0000-4000-8000-000000000000`);
const urlOf = (n: number) => `https://a.example.com/f/1/${n}.png`;
const lineOf = (uuid: string, image: number, size = 0) =>
  JSON.stringify({ uuid, content: { image: urlOf(image), text: "x".repeat(size) }, full_slug: `${image}` });

type Parts = Record<string, PartEntry>;

const index = fc.nat(uuids.length - 1);
const edition = fc.constantFrom(...editions.map(({ name }) => partNames.stories(name)));
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("set" as const), part: edition, at: index, image: fc.nat(2) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), part: edition, at: index }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("fold" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("replace" as const), part: edition, some: fc.uniqueArray(index) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("adopt" as const),
      part: edition,
      what: fc.constantFrom("nothing", "previous", "a copy"),
    }),
  },
  // Another process goes on from what this one has staged.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("resume" as const), asCopy: fc.boolean() }) },
);
const generation = fc.array(step, { maxLength: 12 });

describe("a workspace's knowledge of changes", () => {
  test("equals a comparison of both generations, for any changes between them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(generation, { minLength: 1, maxLength: 3 }), async (generations) => {
        const store = createMemoryStore();
        let previous: Parts | undefined;
        for (const steps of generations) {
          const { parts, noted } = await lived(store, previous ?? {}, steps);
          const before = previous && { editions, parts: previous };
          expect(await compared(store, before, parts, noted)).toEqual(await compared(store, before, parts, new Map()));
          previous = parts;
        }
      }),
      { numRuns: 300 },
    );
  });

  test("is enough for the first generation of a large space: no shard is read again", async () => {
    const { store, calls } = recordingStore(createMemoryStore());
    const workspace = new Workspace(store, {}, 1_000_000);
    for (const [n, uuid] of uuids.entries()) {
      workspace.set(part, uuid, lineOf(uuid, n % 2, 2_000_000));
      await workspace.fold();
    }
    calls.length = 0;
    const count = countAssetUses();
    const after = { editions: editions.slice(0, 1), parts: workspace.parts };
    expect(await countNewStories(store, after, { count, noted: workspace.changes() })).toBe(8);
    expect(count.gains).toEqual(new Map([0, 1].map((n) => [urlOf(n), 4])));
    expect(calls).toEqual([]);
  });

  test("leaves out the uses of assets if a record is unreadable, or they are too many", async () => {
    const store = createMemoryStore();
    const workspace = new Workspace(store, {}, 1_000_000);
    const many = Array.from({ length: 60_000 }, (_, n) => urlOf(n));
    const [first = "", second = ""] = uuids;
    workspace.set(part, first, JSON.stringify({ uuid: first, content: { many }, full_slug: "many" }));
    await workspace.fold();
    expect(workspace.changes().get(part)).toMatchObject({ gains: undefined, to: { records: 1 } });
    workspace.set(part, second, `{"uuid":"${second}","content":{"image":"/f/"},"full_slug":"not JSON"`);
    await workspace.fold();
    expect(workspace.changes().get(part)).toMatchObject({ gains: undefined, to: { records: 2 } });
    const other = new Workspace(store, {}, 1_000_000);
    other.set(part, second, `{"uuid":"${second}","content":{"image":"/f/"},"full_slug":"not JSON"`);
    await other.fold();
    expect(other.changes().get(part)).toMatchObject({ gains: undefined, to: { records: 1 } });
  });
});

describe("the shards of a workspace", () => {
  test("contain records that were set or removed during a write", async () => {
    const keys = ["10", "40", "c0", "d0", "e0"].map((start) => `${start}000000-0000-4000-8000-000000000000`);
    const [, , replaced = "", removed = ""] = keys;
    const first = (key: string, n: number) => lineOf(key, n, n < 2 ? 800 : 150);
    const newer = lineOf(replaced, 2, 100);
    const memory = createMemoryStore();
    let writes = 0;
    const { store } = recordingStore(memory, (call) => {
      if (!call.startsWith("put ") || writes++ > 0) return;
      workspace.set(part, replaced, newer);
      workspace.set(part, removed, null);
    });
    const workspace = new Workspace(store, {}, 1_000);
    for (const [n, key] of keys.entries()) workspace.set(part, key, first(key, n));
    await workspace.fold();
    expect([writes > 0, workspace.parts[part]?.records]).toEqual([true, 5]);
    await workspace.fold();
    expect(await workspace.lines(part, new Set(keys))).toEqual(
      new Map(keys.flatMap((key, n) => (key === removed ? [] : [[key, key === replaced ? newer : first(key, n)]]))),
    );
  });
});

/** Lives through the steps of a generation. @returns its parts, and its known changes */
async function lived(
  store: ReturnType<typeof createMemoryStore>,
  previous: Parts,
  steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
): Promise<{ parts: Parts; noted: Map<string, PartChanges> }> {
  let workspace = new Workspace(store, previous, 300);
  for (const one of steps) {
    if (one.kind === "set") workspace.set(one.part, uuids[one.at]!, lineOf(uuids[one.at]!, one.image));
    else if (one.kind === "remove") workspace.set(one.part, uuids[one.at]!, null);
    else await workspace.fold();
    if (one.kind === "replace")
      await workspace.replace(
        one.part,
        one.some.map((at) => lineOf(uuids[at]!, at)),
      );
    if (one.kind === "adopt") workspace.adopt(one.part, adopted(one.what, previous[one.part]));
    if (one.kind === "resume") {
      const staged = one.asCopy ? structuredClone(workspace.parts) : { ...workspace.parts };
      workspace = new Workspace(store, staged, 300);
    }
  }
  await workspace.fold();
  return { parts: { ...workspace.parts }, noted: workspace.changes() };
}

function adopted(what: string, previous: PartEntry | undefined): PartEntry | undefined {
  if (what === "nothing") return undefined;
  return what === "previous" ? previous : structuredClone(previous);
}

/** The changes and the gains of stories, and their number where they are the first. */
async function compared(
  store: ReturnType<typeof createMemoryStore>,
  before: { editions: typeof editions; parts: Parts } | undefined,
  parts: Parts,
  noted: ReadonlyMap<string, PartChanges>,
) {
  const after = { editions, parts };
  const [count, again] = [countAssetUses(), countAssetUses()];
  const changes = await compareStories(store, before, after, { count, noted });
  const added = before === undefined ? await countNewStories(store, after, { count: again, noted }) : undefined;
  const gained = (of: typeof count) => [...of.gains].filter(([, gain]) => gain !== 0).sort();
  return { changes, added, gains: gained(count), gainsOfFirst: gained(again) };
}

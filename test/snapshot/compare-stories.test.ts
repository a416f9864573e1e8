import { expect, test } from "vitest";
import { countAssetUses } from "../../src/content/resolve/asset-urls.js";
import { compareStories, countNewStories } from "../../src/snapshot/compare-stories.js";
import { parts, shardFile } from "../../src/snapshot/layout.js";
import type { PartEntry } from "../../src/snapshot/manifest.js";
import { noteChanges } from "../../src/snapshot/part-changes.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import { replacePart, updatePart } from "../../src/snapshot/write/update-part.js";
import { recordingStore } from "../support/recording-store.js";

const edition = { name: "published/default" };
const part = parts.stories(edition.name);
const uuid = "11111111-0000-4000-8000-000000000000";

test.each<[string, object]>([
  ["alone", { content: {}, full_slug: "blog/one" }],
  ["in its content too", { content: { full_slug: "inner" }, full_slug: "blog/one" }],
  ["in its alternates too", { content: {}, full_slug: "blog/one", alternates: [{ full_slug: "de/blog/one" }] }],
  ["as a text that looks like it", { content: { text: '"full_slug":"no"' }, full_slug: "blog/one" }],
  ["with an escape", { content: {}, full_slug: 'blog/"one"\\' }],
])("a story that has its slug %s is reported under that slug", async (_where, story) => {
  const store = createMemoryStore();
  const line = JSON.stringify({ uuid, ...story });
  const after = { editions: [edition], parts: { [part]: await replacePart(store, part, [line], 1_000) } };
  const { full_slug } = story as { full_slug: string };
  expect((await compareStories(store, undefined, after)).added).toEqual([{ edition: edition.name, uuid, full_slug }]);
});

test("uses noted changes only between the same two states", async () => {
  const { store, calls } = recordingStore(createMemoryStore());
  const lineOf = (full_slug: string) => JSON.stringify({ uuid, content: {}, full_slug });
  const from = await replacePart(store, part, [lineOf("one")], 1_000);
  const notes = noteChanges(from);
  const to = await updatePart(store, part, {
    previous: from,
    changes: new Map([[uuid, lineOf("two")]]),
    shardBytes: 1_000,
    onChange: notes.note,
  });
  notes.to = to;
  const noted = new Map([[part, notes.changes()!]]);
  const generation = (entry: typeof from) => ({ editions: [edition], parts: { [part]: entry } });
  const moved = { moved: [{ from: "one", full_slug: "two" }] };

  calls.length = 0;
  expect(await compareStories(store, generation(from), generation(to), { noted })).toMatchObject(moved);
  expect(calls).toEqual([]);
  expect(await compareStories(store, generation({ ...from }), generation(to), { noted })).toMatchObject(moved);
  expect(calls).toHaveLength(2);
});

const other = "22222222-0000-4000-8000-000000000000";
const asset = "https://a.example.com/f/1/a.png";

/** A part made by several updates, and its notes; if `large`, it has more text than notes keep. */
async function notedPart(large: boolean) {
  const { store, calls } = recordingStore(createMemoryStore());
  const lineOf = (id: string, image: string) => {
    const text = large ? "x".repeat(5_000_000) : "";
    return JSON.stringify({ uuid: id, content: { image, text }, full_slug: id.slice(0, 1) });
  };
  const notes = noteChanges(undefined, countAssetUses());
  let entry: PartEntry | undefined;
  const updates: [string, string | null][][] = [
    [[uuid, lineOf(uuid, asset)]],
    [[other, lineOf(other, asset)]],
    [[uuid, lineOf(uuid, "")]],
    [[uuid, lineOf(uuid, asset)]],
  ];
  for (const changes of updates) {
    const update = { previous: entry, changes: new Map(changes), shardBytes: 1_000, onChange: notes.note };
    entry = await updatePart(store, part, update);
    notes.to = entry;
  }
  calls.length = 0;
  return { store, calls, noted: new Map([[part, notes.changes()!]]), entry: entry! };
}

test.each([true, false])(
  "counts uses of assets while stories arrive, without reading again (large: %s)",
  async (large) => {
    const { store, calls, noted, entry } = await notedPart(large);
    const after = { editions: [edition], parts: { [part]: entry } };
    const count = countAssetUses();
    expect(await countNewStories(store, after, { count, noted })).toBe(2);
    expect(count.gains).toEqual(new Map([[asset, 2]]));
    expect(calls).toEqual([]);
  },
);

test.each([true, false])("counts uses of assets once if stories are also listed (large: %s)", async (large) => {
  const { store, calls, noted, entry } = await notedPart(large);
  const after = { editions: [edition], parts: { [part]: entry } };
  const count = countAssetUses();
  expect((await compareStories(store, undefined, after, { count, noted })).added).toHaveLength(2);
  expect(count.gains).toEqual(new Map([[asset, 2]]));
  expect(calls.length > 0).toBe(large);
});

test("counts stories of several languages once, and their assets per language", async () => {
  const { store, noted, entry } = await notedPart(true);
  const german = parts.stories("published/de");
  const after = { editions: [edition, { name: "published/de" }], parts: { [part]: entry, [german]: entry } };
  for (const shard of entry.shards) {
    const [from, to] = [part, german].map((name) => shardFile(name, shard));
    await store.put(to!, (await store.get(from!))!);
  }
  const count = countAssetUses();
  expect(await countNewStories(store, after, { count, noted })).toBe(2);
  expect(count.gains).toEqual(new Map([[asset, 4]]));
});

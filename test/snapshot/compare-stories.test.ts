import { expect, test } from "vitest";
import { compareStories } from "../../src/snapshot/compare-stories.js";
import { parts } from "../../src/snapshot/layout.js";
import { noteChanges } from "../../src/snapshot/part-changes.js";
import { replacePart, updatePart } from "../../src/snapshot/update-part.js";
import { createMemoryStore } from "../../src/store/memory-store.js";
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
])("a story that has its slug %s is told by that slug", async (_where, story) => {
  const store = createMemoryStore();
  const line = JSON.stringify({ uuid, ...story });
  const after = { editions: [edition], parts: { [part]: await replacePart(store, part, [line], 1_000) } };
  const { full_slug } = story as { full_slug: string };
  expect((await compareStories(store, undefined, after)).added).toEqual([{ edition: edition.name, uuid, full_slug }]);
});

test("what was noted between two states is not read again, and nothing else is believed", async () => {
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
  expect(await compareStories(store, generation(from), generation(to), () => {}, noted)).toMatchObject(moved);
  expect(calls).toEqual([]);
  expect(await compareStories(store, generation({ ...from }), generation(to), () => {}, noted)).toMatchObject(moved);
  expect(calls).toHaveLength(2);
});

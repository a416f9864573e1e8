import { expect, test } from "vitest";
import { knownStories, mostKnownStories } from "../../../src/content/names/known-stories.js";
import { readManifest } from "../../../src/snapshot/current-manifest.js";
import { generationFile, shardFile } from "../../../src/snapshot/layout.js";
import type { Manifest } from "../../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { recordingStore } from "../../support/recording-store.js";
import { commitSample, linkOf, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";

const clara = story(2, { name: "Clara Penhaligon", full_slug: "authors/clara-penhaligon" });
const renamed = { ...clara, name: "Clara P." };
const home = story(1);

async function committed(...generations: SampleContent[]): Promise<{ store: Store; manifest: Manifest }> {
  const store = createMemoryStore();
  let manifest: Manifest | undefined;
  for (const content of generations) ({ manifest } = await commitSample(content, store));
  if (manifest === undefined) throw new Error("no generation was committed");
  return { store, manifest };
}

const published = (...stories: (typeof home)[]): SampleContent => ({ editions: { "published/default": stories } });
const withDrafts = (drafts: readonly (typeof home)[], rows = drafts): SampleContent => ({
  editions: { "published/default": [home], "draft/default": drafts },
  parts: { "links/draft": rows.map((row) => linkOf(row, { published: row === home })) },
});

test("names a story that is gone as the newest generation knew it, and says between which it went", async () => {
  const { store, manifest } = await committed(
    published(home, clara),
    published(home, renamed),
    published(home),
    published({ ...home, name: "Home" }),
  );
  expect([...(await knownStories(store, manifest, [clara.uuid, uuid(99), "no uuid"])).values()]).toEqual([
    { uuid: clara.uuid, name: "Clara P.", slug: "authors/clara-penhaligon", state: "gone", between: [2, 3] },
  ]);
});

test("calls a story deleted where the drafts lack it too, and unpublished where they have it", async () => {
  const deleted = await committed(withDrafts([home, clara]), withDrafts([home]));
  expect((await knownStories(deleted.store, deleted.manifest, [clara.uuid])).get(clara.uuid)).toMatchObject({
    state: "deleted",
    between: [1, 2],
  });
  const draft = await committed(withDrafts([home, clara]));
  expect((await knownStories(draft.store, draft.manifest, [clara.uuid])).get(clara.uuid)).toEqual({
    uuid: clara.uuid,
    name: clara.name,
    slug: clara.full_slug,
    state: "unpublished",
  });
});

test("passes over a generation that is damaged or was pruned", async () => {
  const { store, manifest } = await committed(
    published(home, clara),
    published(home, renamed),
    published(home),
    published({ ...home, name: "Home" }),
  );
  await store.replace(generationFile(3), Buffer.from("{"));
  const between = async () => (await knownStories(store, manifest, [clara.uuid])).get(clara.uuid)?.between;
  expect(await between()).toEqual([2, 4]);
  await store.remove(generationFile(3));
  expect(await between()).toEqual([2, 4]);
  const { parts } = await readManifest(store, 2);
  for (const shard of parts["links/published"]?.shards ?? []) {
    await store.replace(shardFile("links/published", shard), Buffer.from("[]"));
  }
  expect(await between()).toEqual([1, 4]);
});

test("reads a shard that generations share once, and looks up no more stories than it may", async () => {
  const many = Array.from({ length: mostKnownStories + 5 }, (_, at) => story(100 + at));
  const { store, manifest } = await committed(
    published(home, ...many),
    published(home),
    { ...published(home), cv: 2 },
    { ...published(home), cv: 3 },
  );
  const { store: recorded, calls } = recordingStore(store);
  const known = await knownStories(
    recorded,
    manifest,
    many.map((one) => one.uuid),
  );
  expect(known.size).toBe(mostKnownStories);
  const reads = calls.filter((call) => call.includes("links"));
  expect(reads.length).toBeGreaterThan(1);
  expect(new Set(reads).size).toBe(reads.length);
});

test("asks a bucket for no earlier generation", async () => {
  const { store, manifest } = await committed(published(home, clara), published(home));
  const bucket: Store = { ...store, atOrigin: () => store };
  expect(await knownStories(bucket, manifest, [clara.uuid])).toEqual(new Map());
});

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSnapshot, type Snapshot } from "../../src/index.js";
import { parts } from "../../src/snapshot/layout.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const post = (number: number, content: object, more: object = {}) =>
  story(number, {
    full_slug: `blog/post-${number}`,
    slug: `post-${number}`,
    name: `Post ${number}`,
    content: { _uid: `u${number}`, component: "post", ...content },
    ...more,
  });
const german = [post(1, { text: "eins" }, { full_slug: "de/blog/post-1", name: "Beitrag 1" })];
const label = { id: 5, name: "yes", value: "Yes", dimension_value: null };
const content = (...stories: ReturnType<typeof post>[]): SampleContent => ({
  editions: { "published/default": stories, "published/de": german },
  parts: {
    [parts.datasources]: [{ id: 3, name: "Labels", slug: "labels", dimensions: [] }],
    [parts.entries(3, null)]: [label],
  },
});
const usual = [post(1, { text: "one" }), post(2, { related: [uuid(1), uuid(9)] }), post(3, {})];

/** Commits the contents one after the other, and returns a snapshot of each. */
async function generations(...contents: SampleContent[]): Promise<Snapshot[]> {
  const dir = await temporaryFolder();
  const store = openFileStore(dir);
  const opened: Snapshot[] = [];
  for (const one of contents) {
    const { manifest } = await commitSample(one, store);
    opened.push(await openSnapshot(dir, { generation: manifest.generation }));
  }
  return opened;
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

/** The keys that a page has in generations of these stories. */
async function keysOf(read: (s: Snapshot) => Promise<unknown>, ...spaces: SampleContent[]): Promise<string[]> {
  const snapshots = await generations(...spaces);
  return Promise.all(snapshots.map(async (snapshot) => (await snapshot.track(read)).key));
}

test("a key is the same in every generation until an answer differs", async () => {
  const edited = [usual[0]!, usual[1]!, post(3, { text: "new" })];
  const renamed = [post(1, { text: "one" }, { name: "First" }), usual[1]!, usual[2]!];
  const spaces = [usual, usual, edited, renamed].map((stories) => content(...stories));
  const isSame = async (read: (s: Snapshot) => Promise<unknown>) => {
    const [first, ...others] = await keysOf(read, ...spaces);
    return others.map((key) => key === first);
  };
  expect(await isSame((s) => s.story("blog/post-2"))).toEqual([true, true, false]);
  expect(await isSame((s) => s.page("/blog/post-3"))).toEqual([true, false, true]);
  expect(await isSame((s) => s.references())).toEqual([true, true, false]);
  expect(await isSame(async (s) => (await s.references()).map(({ digest }) => digest))).toEqual([true, false, false]);
  expect(await isSame((s) => all(s.stories()))).toEqual([true, false, false]);
  const names = (s: Snapshot) => all(s.stories({}, { fields: ["name"] }));
  expect(await isSame(names)).toEqual([true, true, false]);
  expect(await isSame((s) => s.translations(uuid(1)))).toEqual([true, true, false]);
  expect(await isSame(async (s) => s.generation)).toEqual([false, false, false]);
});

test("an answer that something is missing counts", async () => {
  const spaces = [content(usual[0]!, usual[1]!), content(...usual, post(9, {}))];
  const differs = async (read: (s: Snapshot) => Promise<unknown>) => new Set(await keysOf(read, ...spaces)).size === 2;
  expect(await differs((s) => s.story("blog/post-3"))).toBe(true);
  expect(await differs((s) => s.story({ uuid: uuid(3) }))).toBe(true);
  expect(await differs((s) => s.page("/blog/post-3"))).toBe(true);
  // Its relation to story 9 was dangling.
  expect(await differs((s) => s.story("blog/post-2"))).toBe(true);
  expect(await differs((s) => s.story("blog/post-1"))).toBe(false);
  expect(await differs((s) => s.datasource("labels"))).toBe(false);
});

test("counts the stories of a list until the reader stops", async () => {
  const first = async (s: Snapshot) => {
    for await (const one of s.stories({ component: "post" })) return one.name;
    return undefined;
  };
  const edited = [usual[0]!, usual[1]!, post(3, { text: "new" })];
  const [before, after, without] = await keysOf(first, content(...usual), content(...edited), content(edited[1]!));
  expect(after).toBe(before);
  expect(without).not.toBe(before);
});

test("a story embedded in one of a batch counts even if the list stops before it", async () => {
  const first = async (s: Snapshot) => {
    for await (const one of s.stories({}, { depth: 1 })) return one.name;
    return undefined;
  };
  const start = post(4, { related: [uuid(5)] }, { full_slug: "a" });
  const [before, after] = await keysOf(
    first,
    content(start, post(5, { text: "old" })),
    content(start, post(5, { text: "new" })),
  );
  expect(after).not.toBe(before);
});

test("nested tracks count for the outer one, and concurrent tracks do not mix", async () => {
  const [snapshot] = await generations(content(...usual));
  const nested = await snapshot!.track(async (s) => (await s.track((inner) => inner.story("blog/post-1"))).key);
  const direct = await snapshot!.track((s) => s.story("blog/post-1"));
  expect(nested).toEqual({ value: direct.key, key: direct.key, tags: direct.tags });
  const slugs = ["blog/post-1", "blog/post-2", "blog/post-3", "blog/post-4"];
  const alone = [];
  for (const slug of slugs) alone.push((await snapshot!.track((s) => s.story(slug))).key);
  const together = await Promise.all(slugs.map((slug) => snapshot!.track((s) => s.story(slug))));
  expect(together.map(({ key }) => key)).toEqual(alone);
  expect(new Set(alone).size).toBe(4);
});

test("a function that reads nothing has a constant key and no tags", async () => {
  const [one, other] = await generations(content(...usual), content());
  const empty = await one!.track(() => 5);
  expect(empty).toEqual({ value: 5, key: expect.stringMatching(/^[\w-]{22}$/), tags: [] });
  expect(await other!.track(() => 5)).toEqual(empty);
});

test("rejects with the error of the function", async () => {
  const [snapshot] = await generations(content(...usual));
  const broken = new Error("template");
  await expect(snapshot!.track(() => Promise.reject(broken))).rejects.toBe(broken);
  await expect(
    snapshot!.track(() => {
      throw broken;
    }),
  ).rejects.toBe(broken);
});

test("says that a generation was pruned, or its snapshot closed", async () => {
  const dir = await temporaryFolder();
  await commitSample(content(...usual), openFileStore(dir));
  const snapshot = await openSnapshot(dir, { cacheBytes: 0 });
  await rm(join(dir, "snapshot"), { recursive: true });
  const read = () => snapshot.track((s) => s.story("blog/post-1"));
  await expect(read()).rejects.toMatchObject({ code: "SNAPSHOT_MISSING", message: /no longer kept/ });
  await snapshot.close();
  await expect(snapshot.track(() => 1)).rejects.toMatchObject({ code: "USAGE" });
});

test("tags name what was read: records, rows, lists, addresses, datasources", async () => {
  const [snapshot] = await generations(content(...usual));
  const tags = async (read: (s: Snapshot) => Promise<unknown>) => (await snapshot!.track(read)).tags;
  const story2 = `story:${uuid(2)}`;
  expect(await tags((s) => s.story({ uuid: uuid(2) }))).toEqual(
    ["offprint", `link:${uuid(1)}`, `link:${uuid(2)}`, `link:${uuid(9)}`, story2].sort(byTag),
  );
  expect(await tags((s) => s.page("/de/blog/post-1/?a#b"))).toEqual(
    ["offprint", "at:blog%2Fpost-1", `story:${uuid(1)}`].sort(byTag),
  );
  expect(await tags((s) => s.references({ component: ["post", "a b,c"] }))).toEqual([
    "offprint",
    "list:a%20b%2Cc:default",
    "list:post:default",
  ]);
  expect(await tags((s) => s.datasource("labels"))).toEqual(["offprint", "datasource:labels"]);
});

/** The tag of every page first. */
function byTag(a: string, b: string): number {
  return a === "offprint" ? -1 : b === "offprint" ? 1 : a < b ? -1 : 1;
}

test("more than 64 tags are folded to those of types, more types to one", async () => {
  const many = (types: number) =>
    content(...Array.from({ length: 100 }, (_, at) => post(at + 1, { component: `type-${at % types}` })));
  const [few, most] = await generations(many(2), many(70));
  const read = async (s: Snapshot) => {
    for (let at = 1; at <= 100; at += 1) await s.story({ uuid: uuid(at) });
  };
  expect((await few!.track(read)).tags).toEqual(["offprint", "list", "type:type-0:default", "type:type-1:default"]);
  expect((await most!.track(read)).tags).toEqual(["offprint", "any"]);
});

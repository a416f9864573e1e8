import { describe, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import type { BlockRenderer } from "../../../src/content/render/render-context.js";
import { targets } from "../../../src/content/render/targets.js";
import { type ExportOptions, exportContent } from "../../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { linkOf, type SampleContent, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

const edition = "published/default";
const stories = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => story(id, { slug: id === 4 ? "Story-3" : `story-${id}` }));

const editedStory = (id: number, more: Partial<StoryRecord>): StoryRecord[] => {
  return stories.map((one) => (one.id === id ? { ...one, ...more } : one));
};

const teaser = (text: string) => ({ content: { _uid: "c", component: "page", teaser: text } });

const readerOf = async (records: readonly StoryRecord[], more: Partial<SampleContent> = {}): Promise<Reader> => {
  return (await sampleSnapshot({ editions: { [edition]: records }, shardBytes: 1500, ...more })).reader;
};

/** A reader that cannot list all stories, which every plan of paths begins with. */
const withoutList = (reader: Reader): Reader => ({
  ...reader,
  uuids() {
    throw new Error("all stories were listed");
  },
});

const exportInto = (store: Store, reader: Reader, more: Partial<ExportOptions> = {}) => {
  return exportContent({ reader, config: sampleConfig, store, ...more });
};

async function treeOf(store: Store): Promise<Record<string, string>> {
  const files = await store.list("");
  const texts = await Promise.all(
    files.map(async ({ name }) => [name, Buffer.from((await store.get(name)) ?? "").toString()]),
  );
  return Object.fromEntries(texts);
}

async function freshTree(reader: Reader, more: Partial<ExportOptions> = {}): Promise<Record<string, string>> {
  const fresh = createMemoryStore();
  await exportInto(fresh, reader, more);
  return treeOf(fresh);
}

/** The tree after an export of `before` and one of `after`, with what happened to the folder between them. */
async function secondTree(
  before: Reader,
  after: Reader,
  {
    more = {},
    between = async () => {},
  }: { more?: Partial<ExportOptions>; between?: (store: Store) => Promise<void> } = {},
): Promise<Record<string, string>> {
  const store = createMemoryStore();
  await exportInto(store, before, more);
  await between(store);
  await exportInto(store, after, more);
  return treeOf(store);
}

describe("the plan of the last export", () => {
  const edits: [what: string, records: StoryRecord[]][] = [
    ["another text", editedStory(2, teaser("Another text"))],
    ["another name, which the index shows", editedStory(2, { name: "Another name" })],
    ["nothing", stories],
  ];
  test.each(edits)("is kept after an edit: %s", async (_, records) => {
    const [before, after] = await Promise.all([readerOf(stories), readerOf(records)]);
    expect(await secondTree(before, withoutList(after))).toEqual(await freshTree(after));
  });

  test("is kept with the redirects of earlier moves", async () => {
    const store = createMemoryStore();
    const moved = { edition, uuid: uuid(2), full_slug: "story-2", from: "was-here" };
    await exportInto(store, await readerOf(stories), {
      changes: { from: null, to: 1, added: [], changed: [], removed: [], moved: [moved] },
    });
    const { "redirects.json": redirects, _redirects: rules } = await treeOf(store);
    expect(rules).toBe("/was-here /story-2 301\n");
    await exportInto(store, withoutList(await readerOf(editedStory(3, teaser("Another text")))));
    expect(await treeOf(store)).toMatchObject({ "redirects.json": redirects, _redirects: rules });
  });

  test("is not kept where a redirect was added by hand: what the site has decides", async () => {
    const store = createMemoryStore();
    const reader = await readerOf(stories);
    const moved = { edition, uuid: uuid(2), full_slug: "story-2", from: "was-here" };
    await exportInto(store, reader, {
      changes: { from: null, to: 1, added: [], changed: [], removed: [], moved: [moved] },
    });
    const gone = { edition, uuid: uuid(99), full_slug: "gone", from: "/gone", to: "/nowhere" };
    const text = Buffer.from((await store.get("redirects.json"))!).toString();
    await store.replace("redirects.json", Buffer.from(text.replace("[", `[\n${JSON.stringify(gone)},`)));
    await exportInto(store, reader);
    expect((await treeOf(store))["redirects.json"]).toBe(text);
  });

  const others: [what: string, records: StoryRecord[]][] = [
    ["moved", editedStory(2, { full_slug: "elsewhere", slug: "elsewhere" })],
    ["became a start page", editedStory(2, { is_startpage: true })],
    ["changed its type", editedStory(2, { content: { _uid: "c", component: "author" } })],
    ["came", [...stories, story(9)]],
    ["went, after which a name is free", stories.filter(({ id }) => id !== 4)],
  ];
  test.each(others)("is not kept where a story %s", async (_, records) => {
    const [before, after] = await Promise.all([readerOf(stories), readerOf(records)]);
    await expect(secondTree(before, withoutList(after))).rejects.toThrow("all stories were listed");
    expect(await secondTree(before, after)).toEqual(await freshTree(after));
  });

  const textSize = Buffer.byteLength(JSON.stringify(editedStory(4, teaser("x"))));
  const filesOf = (shardBytes: number): Config => ({ ...sampleConfig, output: { ...sampleConfig.output, shardBytes } });
  test.each([
    ["grew, so that its JSON file is divided", 4, "x", "x".repeat(2_000)],
    ["shrank, so that two JSON files become one", 4, "x".repeat(2_000), "x"],
  ])("is not kept where a story %s", async (_, id, first, then) => {
    const [before, after] = await Promise.all([
      readerOf(editedStory(id, teaser(first)), { shardBytes: 100_000 }),
      readerOf(editedStory(id, teaser(then)), { shardBytes: 100_000 }),
    ]);
    const more = { config: filesOf(textSize + 1_000) };
    const tree = await secondTree(before, after, { more });
    expect(tree).toEqual(await freshTree(after, more));
    expect(Object.keys(tree)).not.toEqual(Object.keys(await freshTree(before, more)));
  });

  test("is not kept where stories with the same sixteen first digits shrink: their JSON file has another name then", async () => {
    const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
    const of = (text: string) => {
      const records = [story(1, { uuid: id(1) }), story(2, { uuid: id(2), ...teaser(text) })];
      return readerOf(records, { shardBytes: 100_000 });
    };
    const [before, after] = await Promise.all([of("x".repeat(3_000)), of("x")]);
    const more = { config: filesOf(3_000) };
    expect(await secondTree(before, after, { more })).toEqual(await freshTree(after, more));
  });

  test("is kept while JSON files are as large as they may be", async () => {
    const [before, after] = await Promise.all([readerOf(stories), readerOf(editedStory(4, teaser("A text")))]);
    const more = { config: filesOf(1_500) };
    expect(Object.keys(await freshTree(before, more)).filter((path) => path.startsWith("stories/"))).toHaveLength(4);
    expect(await secondTree(before, withoutList(after), { more })).toEqual(await freshTree(after, more));
  });

  const damages: [what: string, between: (store: Store) => Promise<void>][] = [
    ["index.json was changed", (store) => changed(store, "index.json", '"version": "published"', '"version": "draft"')],
    ["index.json is missing", (store) => store.remove("index.json")],
    ["links.json was changed", (store) => changed(store, "links.json", '"url":"/story-2"', '"url":"/story-X"')],
    ["links.json is missing", (store) => store.remove("links.json")],
    ["a page is missing", (store) => store.remove("markdown/default/story-2.md")],
  ];
  test.each(damages)("gives the tree of a fresh export where %s", async (_, between) => {
    const [before, after] = await Promise.all([readerOf(stories), readerOf(editedStory(3, { name: "Another name" }))]);
    expect(await secondTree(before, after, { between })).toEqual(await freshTree(after));
  });

  const listDamages: [what: string, from: string, to: string][] = [
    ["the path of a page", "story-2.md", "story-X.md"],
    [
      "the key of an answer",
      `"story\\",\\"${edition}\\",\\"${uuid(2)}`,
      `"story\\",\\"${edition}\\",\\"${uuid(2).slice(0, -1)}9`,
    ],
  ];
  test.each(listDamages)("is not taken from a list of files in which %s was changed by hand", async (_, from, to) => {
    const store = createMemoryStore();
    await exportInto(store, await readerOf(stories));
    const record = (await store.names(".offprint")).map(async (name) => {
      return Buffer.from((await store.get(name))!).includes(from) ? [name] : [];
    });
    const holding = (await Promise.all(record)).flat();
    expect(holding.length).toBeGreaterThan(0);
    for (const name of holding) await changed(store, name, from, to);
    await exportInto(store, await readerOf(editedStory(3, teaser("Another"))));
    const last = await readerOf(editedStory(2, teaser("Another")));
    await exportInto(store, last);
    expect(await treeOf(store)).toEqual(await freshTree(last));
  });

  test("is not kept while a file that is not ours is in the way: once it is gone, ours is there", async () => {
    const store = createMemoryStore();
    await store.replace("markdown/default/story-2.md", Buffer.from("mine"));
    const [before, after] = await Promise.all([readerOf(stories), readerOf(editedStory(3, teaser("Another")))]);
    const { problems } = await exportInto(store, before);
    expect(problems.map(({ code }) => code)).toEqual(["CONTENT_BLOCKED"]);
    await store.remove("markdown/default/story-2.md");
    await exportInto(store, after);
    expect(await treeOf(store)).toEqual(await freshTree(after));
  });

  test("is not kept where a story could not be rendered: it is tried again", async () => {
    const blok = { type: "blok", attrs: { id: "i", body: [{ _uid: "b", component: "banner" }] } };
    const content = { _uid: "c", component: "page", text: { type: "doc", content: [blok] } };
    const records = editedStory(2, { content });
    const [before, after] = await Promise.all([
      readerOf(records),
      readerOf(records.map((one) => (one.id === 3 ? { ...one, ...teaser("Another") } : one))),
    ]);
    const store = createMemoryStore();
    const showing = (markdown: NonNullable<BlockRenderer["markdown"]>) => new Map([["banner", { markdown }]]);
    const failing = showing(() => {
      throw new Error("no banner");
    });
    const first = await exportInto(store, before, { blocks: failing });
    expect(first.problems.map(({ code }) => code)).toEqual(["UNEXPECTED"]);
    const blocks = showing(() => []);
    expect(await exportInto(store, after, { blocks })).toMatchObject({ problems: [] });
    expect(await treeOf(store)).toEqual(await freshTree(after, { blocks }));
  });

  test("is not kept for a profile of the caller's, whose functions may have changed", async () => {
    const [before, after] = await Promise.all([readerOf(stories), readerOf(stories)]);
    const other = (startPage: string) => ({
      ...targets.plain,
      fileNames: { ...targets.plain.fileNames, startPage, special: /^story-2$/ },
    });
    const store = createMemoryStore();
    await exportInto(store, before, { target: targets.plain });
    await exportInto(store, after, { target: other("index") });
    expect(Object.keys(await treeOf(store)).filter((path) => path.includes("story-2"))).toEqual([
      `markdown/default/story-2~${uuid(2).slice(0, 8)}.md`,
    ]);
  });

  const indexes: [what: string, rows: object[]][] = [
    [
      "lacks the name of a story",
      stories.map((one) => (one.id === 2 ? { ...linkOf(one), name: undefined } : linkOf(one))),
    ],
    ["lacks a story", stories.filter(({ id }) => id !== 2).map((one) => linkOf(one))],
    ["has a folder more", [...stories.map((one) => linkOf(one)), { ...linkOf(story(50)), is_folder: true }]],
    ["lacks all of them", []],
  ];
  test.each(indexes)("gives the links of a fresh export where the index %s", async (_, rows) => {
    const more = { parts: { "links/published": rows } };
    const [before, after] = await Promise.all([readerOf(stories), readerOf(editedStory(3, teaser("Other")), more)]);
    const then = await readerOf(editedStory(3, { name: "Another" }), more);
    expect(await secondTree(before, after)).toEqual(await freshTree(after));
    expect(await secondTree(after, before)).toEqual(await freshTree(before));
    expect(await secondTree(after, then)).toEqual(await freshTree(then));
  });
});

async function changed(store: Store, path: string, from: string, to: string): Promise<void> {
  const text = Buffer.from((await store.get(path)) ?? "").toString();
  expect(text).toContain(from);
  await store.replace(path, Buffer.from(text.replace(from, to)));
}

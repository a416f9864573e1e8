import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import type { BlockRenderer } from "../../../src/content/render/render-context.js";
import { exportGeneration } from "../../../src/content/tree/export-generation.js";
import { verifyGeneration } from "../../../src/content/tree/verify-content.js";
import { type TargetProfile, targets } from "../../../src/index.js";
import { OffprintError } from "../../../src/lib/errors.js";
import { shardFile } from "../../../src/snapshot/layout.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const text = (value: string, marks: object[]) => {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: value, marks }] }] };
};
const toHome = { type: "link", attrs: { linktype: "story", uuid: uuid(1), href: "/old" } };

const editions = {
  "published/default": [
    story(1, { slug: "home", is_startpage: true, content: { _uid: "a", component: "page", theme: "dark" } }),
    story(2, {
      slug: "first",
      full_slug: "blog/first",
      tag_list: ["a"],
      content: {
        _uid: "b",
        component: "page",
        layout: "wide",
        text: text("@@ home", [toHome]),
        markdown: "[gone](/gone)",
      },
    }),
  ],
};

/** A generator that nobody knows: it keeps its own keys, finds pages by their files, and runs the text after `@@`. */
const profile: TargetProfile = {
  name: "garden-1",
  frontMatter: {
    entries: [
      ["heading", ({ title }) => title],
      ["address", ({ url }) => url],
      ["labels", ({ story: { tag_list } }) => tag_list],
    ],
    names: { uuid: "uuid", slug: "story_slug", tag_list: null },
    reserved: ["layout"],
  },
  fileNames: { startPage: "_page", special: /^_page$/ },
  homeAtRoot: true,
  routesByFile: true,
  endsAtDeadLinks: true,
  unsafe: [{ character: "@", after: "(?=@)" }],
  wrap: { before: "<main>", after: "</main>" },
};

async function exported(options: { target?: TargetProfile | "hugo"; formats?: Config["content"]["formats"] }) {
  const folder = await temporaryFolder();
  const config: Config = {
    ...sampleConfig,
    output: { ...sampleConfig.output, dir: folder },
    content: { ...sampleConfig.content, formats: options.formats ?? ["markdown"] },
  };
  const { store, reader } = await sampleSnapshot({ editions });
  const { manifest } = reader;
  const render = (target: TargetProfile | "hugo" | undefined) =>
    exportGeneration({ config, output: store, manifest, assertHeld: async () => {}, target });
  const report = await render(options.target);
  const file = (path: string) => readFile(join(folder, "content", path), "utf8");
  return { config, manifest, report, render, file };
}

test("a profile of one's own writes its front matter, its file names, its links and its text", async () => {
  const { file, report } = await exported({ target: profile });
  expect(await file("markdown/default/blog/first.md")).toBe(`---
heading: "Story 2"
address: "/blog/first"
labels: [ "a" ]
name: "Story 2"
story_slug: "first"
full_slug: "blog/first"
uuid: "${uuid(2)}"
id: 2
lang: "default"
published_at: "2024-02-01T00:00:00.000Z"
first_published_at: "2024-02-01T00:00:00.000Z"
created_at: "2024-01-01T00:00:00.000Z"
position: 20
is_startpage: false
group_id: "${uuid(2002)}"
alternates: []
content_layout: "wide"
---
<main>

[\\@@ home](/)

<a href="/gone">gone</a>

</main>
`);
  expect(await file("markdown/default/_page.md")).toContain('address: "/"');
  expect(JSON.parse(await file("index.json"))).toMatchObject({ target: "garden-1" });
  expect(report.problems.map(({ code }) => code)).toEqual(["LINK_DEAD"]);
});

test("a profile may be derived from one of ours, or be one of ours by its name", async () => {
  const { render, file } = await exported({ target: "hugo" });
  expect(await file("markdown/default/blog/first.md")).toContain("translationKey:");
  const entries = [...targets.hugo.frontMatter.entries, ["garden", () => true] as const];
  const own = { ...targets.hugo, name: "hugo-garden", frontMatter: { ...targets.hugo.frontMatter, entries } };
  expect(await render(own)).toMatchObject({ written: 3 });
  expect(await file("markdown/default/blog/first.md")).toContain("garden: true");
  expect(await render(own)).toMatchObject({ rendered: 0, written: 0 });
});

test("another name of a profile renders every page again, and the rows that have their keys", async () => {
  const { render } = await exported({ target: profile });
  expect(await render({ ...profile, name: "garden-2" })).toMatchObject({ rendered: 3, written: 0 });
});

test("verify finds a content tree as it was written", async () => {
  const { config, manifest } = await exported({});
  expect(await verifyGeneration(config, manifest)).toEqual({ files: 4, problems: [], notes: [] });
});

test("verify misses no content tree where no format is written", async () => {
  const { config, manifest } = await exported({});
  const none = { ...config, content: { ...config.content, formats: [] } };
  expect(await verifyGeneration(none, manifest)).toEqual({ files: 0, problems: [], notes: [] });
});

test("an export after an edit reads the shards of the story that changed and of those that show it, and no other", async () => {
  const folder = await temporaryFolder();
  const config: Config = {
    ...sampleConfig,
    output: { ...sampleConfig.output, dir: folder },
    content: { ...sampleConfig.content, formats: ["json", "markdown"] },
  };
  const toThird = { ...toHome, attrs: { ...toHome.attrs, uuid: uuid(3) } };
  const stories = [1, 2, 3, 4, 5, 6].map((id) => {
    // Two stories in each JSON file.
    const content = { _uid: "c", component: `page-${Math.ceil(id / 2)}`, text: text("to", id === 6 ? [toThird] : []) };
    return story(id, { slug: `story-${id}`, content });
  });
  const edited = stories.map((one) => (one.id === 3 ? { ...one, name: "Another name" } : one));
  const readNow: string[] = [];
  let store: Store | undefined;
  const exportOf = async (records: typeof stories) => {
    // A shard for each story, and for each row of the index.
    const committed = await commitSample({ editions: { "published/default": records }, shardBytes: 1 }, store);
    const { manifest } = committed;
    store = committed.store;
    const output: Store = {
      ...store,
      getNow(name) {
        readNow.push(name);
        return committed.store.getNow!(name);
      },
    };
    const { written } = await exportGeneration({ config, output, manifest, assertHeld: async () => {} });
    return { written, manifest };
  };
  await exportOf(stories);
  readNow.length = 0;
  const { written, manifest } = await exportOf(edited);
  // Its page, its JSON file, and what tells of links and changes: where it lies is all that the other page shows.
  expect(written).toBe(4);
  const parts = Object.entries(manifest.parts).flatMap(([part, { shards }]) => {
    return shards.map((shard) => ({ part, file: shardFile(part, shard) }));
  });
  const partsRead = readNow.map((name) => parts.find(({ file }) => file === name)?.part);
  expect(new Set(readNow).size).toBe(readNow.length);
  // Stories 3 and 6, and 4 and 5 beside them in their JSON files.
  const storiesRead = partsRead.filter((part) => part?.startsWith("stories/"));
  expect(storiesRead).toEqual(Array.from({ length: 4 }, () => "stories/published/default"));
});

/** A tree of forty pages, all of which have another text in the next generation; the last one embeds a story that stays. */
async function treeBeforeEdits() {
  const folder = await temporaryFolder();
  const config: Config = {
    ...sampleConfig,
    output: { ...sampleConfig.output, dir: folder },
    resolve: { ...sampleConfig.resolve, depth: 1 },
  };
  const records = (text: string) => {
    const pages = Array.from({ length: 40 }, (_, at) => {
      const content = { _uid: "c", component: `page-${at}`, text, shown: at === 39 ? uuid(99) : "" };
      return story(at + 1, { slug: `story-${at}`, content });
    });
    return [...pages, story(99, { content: { _uid: "c", component: "shown" } })];
  };
  const { store, manifest } = await commitSample({ editions: { "published/default": records("x") }, shardBytes: 1 });
  const assertHeld = async () => {};
  await exportGeneration({ config, output: store, manifest, assertHeld });
  const next = await commitSample({ editions: { "published/default": records("y") }, shardBytes: 1 }, store);
  const part = "stories/published/default";
  const files = next.manifest.parts[part]!.shards.map((shard) => shardFile(part, shard));
  const texts = await Promise.all(files.map(async (file) => Buffer.from((await store.get(file))!).toString()));
  const embedded = files[texts.findIndex((text) => text.includes(`"uuid":"${uuid(99)}"`))]!;
  /** The store without the shard of the story that is embedded. */
  const output: Store = { ...store, getNow: (name) => (name === embedded ? undefined : store.getNow!(name)) };
  const content = openFileStore(join(folder, "content"));
  return { config, manifest: next.manifest, output, whole: store, content };
}

async function textsIn(store: Store): Promise<Record<string, string>> {
  const names = (await store.list("")).map(({ name }) => name);
  const texts = names.map(async (name) => [name, Buffer.from((await store.get(name))!).toString()] as const);
  return Object.fromEntries(await Promise.all(texts));
}

test("finds a damaged shard before writing anything, and exports once it is repaired", async () => {
  const { config, manifest, output, whole, content } = await treeBeforeEdits();
  const before = await textsIn(content);
  const exporting = exportGeneration({ config, output, manifest, assertHeld: async () => {} });
  await expect(exporting).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED" });
  expect(await textsIn(content)).toEqual(before);
  const { written } = await exportGeneration({ config, output: whole, manifest, assertHeld: async () => {} });
  // A page and a JSON file of each story, their keys, and the files about changes.
  expect(written).toBe(82);
});

test("reports a lost lock, not the missing shard, and leaves no index", async () => {
  const { config, manifest, output, content } = await treeBeforeEdits();
  const assertHeld = async () => {
    throw new OffprintError("LOCKED", "Another process holds the lock.");
  };
  const exporting = exportGeneration({ config, output, manifest, assertHeld });
  await expect(exporting).rejects.toMatchObject({ code: "LOCKED" });
  expect(await content.get("index.json")).toBeUndefined();
});

test("an error of ours that a renderer of the caller's throws is a problem of its story", async () => {
  const { config, manifest, whole } = await treeBeforeEdits();
  const content = {
    _uid: "c",
    component: "page",
    text: { type: "doc", content: [{ type: "blok", attrs: { body: [{ _uid: "b", component: "teaser" }] } }] },
  };
  const records = [story(1, { content }), story(2)];
  const next = await commitSample({ editions: { "published/default": records } }, whole);
  const blocks = new Map<string, BlockRenderer>([
    [
      "teaser",
      {
        markdown() {
          throw new OffprintError("USAGE", "No such teaser.");
        },
      },
    ],
  ]);
  const run = { config, output: whole, assertHeld: async () => {}, blocks };
  expect(manifest.generation).toBe(next.manifest.generation - 1);
  const { problems } = await exportGeneration({ ...run, manifest: next.manifest });
  expect(problems).toEqual([
    expect.objectContaining({ code: "UNEXPECTED", message: expect.stringContaining("No such teaser.") }),
  ]);
});

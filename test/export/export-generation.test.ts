import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import { exportGeneration } from "../../src/export/export-generation.js";
import { verifyGeneration } from "../../src/export/verify-generation.js";
import { type TargetProfile, targets } from "../../src/index.js";
import { shardFile } from "../../src/snapshot/layout.js";
import type { Store } from "../../src/store/store.js";
import { sampleConfig } from "../support/sample-config.js";
import { commitSample, sampleSnapshot, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

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

/** A generator that nobody knows: it keeps its own keys, finds pages by their files, and runs what stands behind `@@`. */
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
  expect(await render(own)).toMatchObject({ written: 2 });
  expect(await file("markdown/default/blog/first.md")).toContain("garden: true");
  expect(await render(own)).toMatchObject({ rendered: 0, written: 0 });
});

test("another name of a profile renders every file again", async () => {
  const { render } = await exported({ target: profile });
  expect(await render({ ...profile, name: "garden-2" })).toMatchObject({ rendered: 2, written: 0 });
});

test("verify finds a content tree as it was written", async () => {
  const { config, manifest } = await exported({});
  expect(await verifyGeneration(config, manifest)).toEqual({ files: 4, problems: [] });
});

test("verify misses no content tree where no format is written", async () => {
  const { config, manifest } = await exported({});
  const none = { ...config, content: { ...config.content, formats: [] } };
  expect(await verifyGeneration(none, manifest)).toEqual({ files: 0, problems: [] });
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
  expect(readNow).toEqual([]);
  const { written, manifest } = await exportOf(edited);
  // Its page, its JSON file, and what tells of links and changes: where it lies is all that the other page shows.
  expect(written).toBe(4);
  const parts = Object.entries(manifest.parts).flatMap(([part, { shards }]) => {
    return shards.map((shard) => ({ part, file: shardFile(part, shard) }));
  });
  const partsRead = readNow.map((name) => parts.find(({ file }) => file === name)?.part);
  expect(new Set(readNow).size).toBe(readNow.length);
  // Stories 3 and 6, and 4 and 5 beside them in their JSON files; every row of the index, as one of them has another name.
  expect(partsRead.filter((part) => part === "stories/published/default")).toHaveLength(4);
  expect(partsRead.filter((part) => part === "links/published")).toHaveLength(6);
  expect(readNow).toHaveLength(10);
});

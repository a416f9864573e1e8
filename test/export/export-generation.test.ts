import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import { exportGeneration } from "../../src/export/export-generation.js";
import { verifyGeneration } from "../../src/export/verify-generation.js";
import { type TargetProfile, targets } from "../../src/index.js";
import { sampleConfig } from "../support/sample-config.js";
import { sampleSnapshot, story, uuid } from "../support/sample-snapshot.js";
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

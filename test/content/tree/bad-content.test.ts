// @module-tag long
import { describe, expect, test } from "vitest";
import type { ContentTarget } from "../../../src/config/config.js";
import { targets } from "../../../src/content/render/targets.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { readMarkdown } from "../../../src/content/tree/verify-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";

function nested(levels: number): unknown {
  let value: unknown = { type: "paragraph", content: [{ type: "text", text: "deep" }] };
  for (let level = 0; level < levels; level++) value = { type: "blockquote", content: [value] };
  return { type: "doc", content: [value] };
}

/** Values that a field may hold though nothing says so. */
const values: Record<string, unknown> = {
  null: null,
  "a number as a string": "42",
  "a string where a list was": "a,b",
  "lists in lists": [[["a"]], []],
  "a document without content": { type: "doc" },
  "a document with a string": { type: "doc", content: "text" },
  "nodes that are no nodes": { type: "doc", content: [null, 1, true, "x", [], { type: 7 }, { text: {} }] },
  "marks that are no marks": {
    type: "doc",
    content: [{ type: "text", text: "a", marks: [null, "bold", { type: {} }] }],
  },
  "300 levels": nested(300),
  "a lone surrogate": "a\ud800b",
  "control characters": "a\u0000b\u0007c\u001bd",
  "an asset without anything": { fieldtype: "asset", filename: null, id: null },
  "a link without anything": { fieldtype: "multilink", linktype: "story", id: "", url: null },
  "a block without component": [{ _uid: "x" }],
  "an invalid table": { thead: "x", tbody: [1] },
  "five megabytes": "x ".repeat(2_500_000),
};

const slugs: Record<string, string> = {
  "300 characters": "s".repeat(300),
  spaces: "a slug with spaces",
  "emoji and right-to-left text": "📚/שלום/\u202eabc",
  "ways out": "../../etc/passwd",
  "a device": "con/nul.txt",
  "a lone surrogate": "a\udc00b",
  braces: "{{ x }}/{% y %}",
};

async function exported(record: StoryRecord, target: ContentTarget, richText: "document" | "html" = "document") {
  const store = createMemoryStore();
  const { reader } = await sampleSnapshot({ editions: { "published/default": [record, story(2)] } });
  const config = { ...sampleConfig, content: { ...sampleConfig.content, target, richText } };
  const report = await exportContent({ reader, config, store });
  const names = (await store.list("")).map(({ name }) => name);
  const pages = names.filter((name) => name.endsWith(".md"));
  const read = async (name: string) => Buffer.from((await store.get(name)) ?? "").toString();
  return { report, names, pages, read };
}

describe.each(Object.keys(targets) as ContentTarget[])("for %s", (target) => {
  test.each(Object.keys(values))("a story with %s is rendered, and the other is unharmed", async (name) => {
    const content = {
      _uid: "a",
      component: "page",
      field: values[name],
      text: values[name],
      ["__proto__"]: values[name],
    };
    const { report, pages, read } = await exported(story(1, { content }), target, "html");
    expect(report.problems.filter(({ code }) => code === "UNEXPECTED")).toEqual([]);
    expect(pages).toHaveLength(2);
    for (const page of pages) expect(readMarkdown(await read(page)).data.title).toMatch(/^Story/);
  });

  test.each(Object.keys(slugs))("a story whose slug has %s becomes a file below the folder", async (name) => {
    const slug = slugs[name] ?? "";
    const { report, names, pages } = await exported(story(1, { slug, full_slug: slug }), target);
    expect(report.problems).toEqual([]);
    expect(pages).toHaveLength(2);
    for (const path of names) {
      expect(path.split("/")).not.toContain("..");
      expect(path).toMatch(/^[^\u0000-\u001f\u202e]+$/);
      expect(path.length).toBeLessThan(220);
    }
  });
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { contentTargets } from "../../../src/config/schema/content-schema.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { AssetRecord } from "../../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";

const address = (name: string) => `https://a.example.com/f/1/1x1/abc/${name}`;

/** Where an asset may stand in a story; each place has its own asset. */
const places = {
  field: { fieldtype: "asset", id: 1, filename: address("field.png"), alt: "A field" },
  variant: { fieldtype: "asset", id: 2, filename: `${address("variant.png")}/m/100x0` },
  gallery: [{ fieldtype: "asset", id: 3, filename: address("gallery.png") }],
  plain: address("plain.png"),
  markdown: `An ![image](${address("markdown.png")}) in text.`,
  text: {
    type: "doc",
    content: [
      { type: "image", attrs: { src: address("rich.png"), alt: "Rich" } },
      {
        type: "paragraph",
        content: [
          {
            type: "text",
            text: "a document",
            marks: [{ type: "link", attrs: { linktype: "asset", href: address("linked.pdf") } }],
          },
        ],
      },
    ],
  },
};
const names = ["field.png", "variant.png", "gallery.png", "plain.png", "markdown.png", "rich.png", "linked.pdf"];

function record(name: string, missing: NonNullable<AssetRecord["missing"]>): AssetRecord {
  const url = address(name);
  const key = createHash("sha256").update(url).digest("hex");
  return { key, url, hash: null, name: "", type: "", bytes: 0, uses: 1, missing };
}

test.each([
  ...contentTargets.map((target) => ({ target, richText: "document" as const })),
  { target: "plain" as const, richText: "html" as const },
])(
  "$target, rich text as $richText: an asset that could not be had is named by the upstream's URL",
  async ({ target, richText }) => {
    const store = createMemoryStore();
    const published = createMemoryStore();
    for (const missing of ["too-large", "failed", "gone"] as const) {
      const { store: output, reader } = await sampleSnapshot({
        editions: {
          "published/default": [story(1, { content: { _uid: "a", component: "page", ...places } })],
        },
        assets: names.map((name) => ({ record: record(name, missing), bytes: Buffer.alloc(0) })),
      });
      const config = {
        ...sampleConfig,
        assets: { ...sampleConfig.assets, dir: "/project/public/cms", baseUrl: "/cms" },
        content: { ...sampleConfig.content, target, richText },
      };
      const report = await exportContent({ reader, config, store, publish: { output, target: published } });
      expect(report).toMatchObject({ published: { written: 0 }, problems: [] });
      const stories = (await store.list("")).filter(({ name }) => /^(?:stories|markdown)\//.test(name));
      expect(stories).toHaveLength(2);
      for (const { name: file } of stories) {
        const text = Buffer.from((await store.get(file)) ?? "").toString();
        for (const name of names) expect(text, `${name} in ${file}`).toContain(address(name));
        expect(text, file).not.toContain("/cms");
      }
      expect(await published.list("")).toEqual([]);
    }
  },
);

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { buildSnapshot } from "../../../demo/build-snapshot.js";
import type { Config } from "../../../src/config/config.js";
import type { BlockRenderer } from "../../../src/content/render/render-context.js";
import { targets } from "../../../src/content/render/targets.js";
import { assetLocations } from "../../../src/content/tree/asset-location.js";
import type { ContentInputs } from "../../../src/content/tree/content-inputs.js";
import { planContent } from "../../../src/content/tree/plan-content.js";
import { openRendering, type RenderedFile } from "../../../src/content/tree/rendering.js";
import { editionInputs } from "../../../src/content/tree/story-text.js";
import { notingReader } from "../../../src/snapshot/reader/noting-reader.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { sampleConfig } from "../../support/sample-config.js";
import { story, uuid } from "../../support/sample-snapshot.js";

const image = "https://a.example.com/f/1/3x4/abc/picture.png";
const assets = [
  {
    record: {
      key: createHash("sha256").update(image).digest("hex"),
      url: image,
      hash: createHash("sha256").update("picture").digest("hex"),
      name: "picture.png",
      type: "image/png",
      bytes: 7,
      uses: 1,
    },
    bytes: Buffer.from("picture"),
  },
];
const nowhere = uuid(404);
const deadMark = { type: "link", attrs: { linktype: "story", uuid: nowhere, href: "/gone" } };
const text = {
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: "A link", marks: [deadMark] }] }],
};
const teaser = { type: "blok", attrs: { id: "b", body: [{ _uid: "c", component: "teaser", label: "As it was" }] } };

/** A story that names two others, of which one is not there. @param edit changes its JSON */
async function openSpace(fields: object, edit = (json: string) => json): Promise<Reader> {
  const content = { _uid: "a", component: "page", related: [uuid(2), nowhere], text, ...fields };
  const { store, manifest } = await buildSnapshot({
    space: { id: 7, name: "Sample", languages: [] },
    cv: 1,
    parts: {
      "stories/published/default": [edit(JSON.stringify(story(1, { content }))), JSON.stringify(story(2))],
      "links/published": [],
    },
    editions: [{ version: "published", release: null, language: "default" }],
    assets,
  });
  return openReader(store, manifest);
}

function openInputs(reader: Reader, config: Config, blocks: ContentInputs["blocks"] = new Map()) {
  const noting = notingReader(reader, config.content.types);
  const rendering = openRendering(noting);
  const inputs: ContentInputs = {
    reader,
    read: noting.read,
    config,
    target: targets.plain,
    assetUrl: assetLocations(noting.read, config),
    blocks,
    blocksVersion: "",
    report: rendering.report,
  };
  return { inputs, rendering };
}

/** Renders the line and the page of the first story, in the order of the plan. */
function renderBoth(reader: Reader, config: Config, blocks?: ContentInputs["blocks"]) {
  let readings = 0;
  const counted: Reader = {
    ...reader,
    story(edition, id, numbers) {
      if (id === uuid(1)) readings += 1;
      return reader.story(edition, id, numbers);
    },
  };
  const { inputs, rendering } = openInputs(counted, config, blocks);
  const all = planContent(inputs).files;
  const files = Array.from({ length: all.length }, (_, place) => all.at(place)!).filter(({ stories }) =>
    stories?.uuids.includes(uuid(1)),
  );
  const rendered = files.map((file) => ({ path: file.path, ...comparable(rendering.render(file)) }));
  return { rendered, readings };
}

function comparable({ bytes, keys, problems, lines }: RenderedFile) {
  return { text: bytes && Buffer.from(bytes).toString(), keys, problems, lines };
}

/** Each of the two files as an export writes it that has no other one. */
function renderAlone(reader: Reader, config: Config, blocks?: ContentInputs["blocks"]) {
  return (["json", "markdown"] as const).flatMap((format) => {
    return renderBoth(reader, { ...config, content: { ...config.content, formats: [format] } }, blocks).rendered;
  });
}

/** Its page is then at another folder depth than its line. */
const inFolder = (json: string) => json.replace('"full_slug":"story-1"', '"full_slug":"below/story-1"');
const atOneBase: Config = { ...sampleConfig, assets: { ...sampleConfig.assets, baseUrl: "/cms" } };
const asHtml: Config = { ...sampleConfig, content: { ...sampleConfig.content, richText: "html" } };

test.each<[string, object, Config]>([
  ["numbers that are plain", { price: 1.5 }, sampleConfig],
  ["numbers that are plain, and rich text as HTML", { price: 1.5 }, asHtml],
  ["an asset that has one address everywhere", { image }, atOneBase],
  ["an asset that the snapshot does not have", { image: image.replace("picture", "other") }, sampleConfig],
])("a story with %s is read once for its line and its page", async (_what, fields, config) => {
  const reader = await openSpace(fields, inFolder);
  const { rendered, readings } = renderBoth(reader, config);
  expect(readings).toBe(1);
  expect(rendered).toEqual(renderAlone(reader, config));
  expect(rendered.map(({ path }) => path)).toEqual(["stories/default/page.json", "markdown/default/below/story-1.md"]);
  for (const { problems } of rendered) {
    expect(problems.map(({ code }) => code).sort()).toEqual(["LINK_DEAD", "RELATION_DANGLING"]);
  }
});

const exactPrice = (json: string) => json.replace('"price":0', '"price":1.10');

test.each<[string, object, (json: string) => string, Config]>([
  ["a number that a double does not print", { price: 0 }, exactPrice, sampleConfig],
  ["such a number in rich text that becomes HTML", { text: { ...text, price: 0 } }, exactPrice, asHtml],
  ["an asset whose address depends on the folder", { image }, inFolder, sampleConfig],
])("a story with %s is read for each of its files", async (_what, fields, edit, config) => {
  const reader = await openSpace(fields, edit);
  const { rendered, readings } = renderBoth(reader, config);
  expect(readings).toBe(2);
  expect(rendered).toEqual(renderAlone(reader, config));
  const [line, page] = rendered.map(({ text: written }) => written);
  expect([line?.includes("1.10"), page?.includes("1.10")]).toEqual([edit === exactPrice && config !== asHtml, false]);
});

test("a renderer that changes its block affects one file only", async () => {
  const reader = await openSpace({ text: { ...text, content: [...text.content, teaser] } });
  const blocks = new Map<string, BlockRenderer>([
    [
      "teaser",
      {
        html(block) {
          block.label = "Changed";
          return [];
        },
        markdown: ({ label }) => [{ type: "paragraph", children: [{ type: "text", value: `Label ${label}` }] }],
      },
    ],
  ]);
  const { rendered } = renderBoth(reader, asHtml, blocks);
  expect(rendered).toEqual(renderAlone(reader, asHtml, blocks));
  expect(rendered.at(-1)?.text).toContain("Label As it was");
});

test("resolves a story again once its waiting copy was used", async () => {
  const reader = await openSpace({});
  const { stories } = editionInputs(openInputs(reader, sampleConfig).inputs, reader.edition("published/default")!);
  stories.forLine(uuid(1), "stories/a.json")?.waitForPage(100);
  const first = stories.forPage(uuid(1), "markdown/a.md");
  const second = stories.forPage(uuid(1), "markdown/a.md");
  expect(second).not.toBe(first);
  expect(second).toEqual(first);
});

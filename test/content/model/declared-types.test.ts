import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { typesOfGeneration } from "../../../src/content/model/types-file.js";
import { typesText } from "../../../src/content/model/types-text.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** The printed declaration of each type, by name. */
async function declarations(content: SampleContent, config: Config = sampleConfig): Promise<Map<string, string>> {
  const store = openFileStore(await temporaryFolder());
  const { manifest } = await commitSample(content, store);
  const text = typesText(await typesOfGeneration(store, manifest, config), "typescript");
  const blocks = text.split(/^(?=\/\*\*)/m).map((block) => block.replace(/^\/\*\*.*\n/, ""));
  return new Map(
    blocks.flatMap((block) => {
      const name = /^export (?:type|interface) ([^\s<]+)/.exec(block)?.[1];
      return name === undefined ? [] : [[name, block]];
    }),
  );
}

function stories(...contents: Record<string, unknown>[]): StoryRecord[] {
  return contents.map((content, at) =>
    story(at + 1, {
      content: { _uid: `u${at}`, component: "page", ...content } as NonNullable<StoryRecord["content"]>,
    }),
  );
}

const published = (...contents: Record<string, unknown>[]): SampleContent => ({
  editions: { "published/default": stories(...contents) },
});

test("a field is optional where it is absent, null where null was seen, and says how often it is filled", async () => {
  const found = await declarations(published({ a: "x", b: null, c: 1 }, { a: "", b: "y", c: 2 }, { b: "z", c: 3 }));
  expect(found.get("Page")).toContain("/** filled in 1 of 3 */\n  a?: string;\n");
  expect(found.get("Page")).toContain("/** filled in 2 of 3 */\n  b: string | null;\n");
  expect(found.get("Page")).toContain("/** filled in 3 of 3 */\n  c: number;\n");
});

test("a relation names the content types that were seen; one that names no story of the edition is a text too", async () => {
  const author = { component: "author" };
  const page = { one: uuid(1), many: [uuid(1), uuid(3)], lost: uuid(99), none: "" };
  const found = await declarations(published(author, page, { ...page, component: "book" }));
  expect(found.get("Page")).toContain('one: StoryReference<"author">;');
  expect(found.get("Page")).toContain('many: StoryReference<"author" | "book">[];');
  expect(found.get("Page")).toContain("lost: string;");
  const embedded = { ...sampleConfig, resolve: { ...sampleConfig.resolve, depth: 1 } };
  expect((await declarations(published(author, page), embedded)).get("Page")).toContain(
    'one: AuthorStory | StoryReference<"author">;',
  );
  const none: Config = { ...sampleConfig, resolve: { ...sampleConfig.resolve, relations: ["page.many"] } };
  expect((await declarations(published(author, page), none)).get("Page")).toContain("one: string;");
});

test("a field is a choice where all its values are of one datasource, and a text where one is not", async () => {
  const parts = {
    datasources: [{ id: 1, name: "Colours", slug: "colours" }],
    "entries/1": ["red", "blue", "green"].map((value, id) => ({ id, name: value, value })),
  };
  const fields = [
    { colour: "red", many: ["red", "blue"], once: "red", mixed: "red" },
    { colour: "blue", many: ["green"], once: "red", mixed: "navy" },
  ];
  const found = await declarations({ ...published(...fields), parts });
  expect(found.get("ColoursOption")).toBe('export type ColoursOption = "red" | "blue" | "green";\n\n');
  expect(found.get("Page")).toContain("colour: ColoursOption;");
  expect(found.get("Page")).toContain("many: ColoursOption[];");
  expect(found.get("Page")).toContain("once: string;");
  expect(found.get("Page")).toContain("mixed: string;");
});

test("declares the first of two datasources with one slug, once", async () => {
  const parts = {
    datasources: [1, 2].map((id) => ({ id, name: "D", slug: "d" })),
    "entries/1": ["a", "b"].map((value, id) => ({ id, name: value, value })),
    "entries/2": ["c", "d"].map((value, id) => ({ id, name: value, value })),
  };
  const store = openFileStore(await temporaryFolder());
  const { manifest } = await commitSample({ ...published({ x: "a", y: "c" }, { x: "b", y: "d" }), parts }, store);
  const text = typesText(await typesOfGeneration(store, manifest, sampleConfig), "typescript");
  expect(text.match(/^export type DOption.*$/gm)).toEqual(['export type DOption = "a" | "b";']);
  expect(text).toContain("x: DOption;");
  expect(text).toContain("y: string;");
});

test("blocks are unions by component at every place; plugins have their own types", async () => {
  const block = (component: string, more = {}) => ({ _uid: "b", component, ...more });
  const inText = { type: "doc", content: [{ type: "blok", attrs: { body: [block("note", { text: "n" })] } }] };
  const body = [block("hero"), block("grid", { columns: [block("hero")] })];
  const found = await declarations(published({ body, text: inText, seo: { plugin: "seo-tool", title: "t" } }));
  expect(found.get("Page")).toContain("body: (Grid | Hero)[];");
  expect(found.get("Page")).toContain("seo: SeoTool;");
  expect(found.get("SeoTool")).toContain('plugin: "seo-tool";\n  title: string;');
  expect([...found.keys()]).toEqual(expect.arrayContaining(["Note", "Hero", "Grid", "Block", "Blocks"]));
});

test("rich text is a document, or a text with content.richText: html", async () => {
  const content = published({ body: { type: "doc", content: [] } }, { body: "" });
  expect((await declarations(content)).get("Page")).toContain('body: RichText | "";');
  const html: Config = { ...sampleConfig, content: { ...sampleConfig.content, richText: "html" } };
  const found = await declarations(content, html);
  expect(found.get("Page")).toContain("body: string;");
  expect(found.has("RichText")).toBe(false);
});

test("names become identifiers: numbers, keywords, letters of any script, collisions, names of our own", async () => {
  const names = ["3-col", "class", "Página", "hero-a", "hero_a", "story", "constructor", "__proto__", "", "*/"];
  const found = await declarations(published(...names.map((component) => ({ component }))));
  const map = found.get("ContentTypes")!;
  for (const line of [
    '"3-col": _3Col;',
    "class: Class;",
    '"Página": Página;',
    '"hero-a": HeroA;',
    "hero_a: HeroABlock;",
    "story: StoryBlock;",
    "constructor: Constructor;",
    '"__proto__": Proto;',
    '"": Unnamed;',
    '"*/": UnnamedBlock;',
  ]) {
    expect(map).toContain(`  ${line}\n`);
  }
});

test("every edition counts: languages and drafts add what they have", async () => {
  const found = await declarations({
    editions: {
      "published/default": stories({ title: "One" }),
      "draft/de": stories({ title: null, extra: 1 }),
    },
  });
  expect(found.get("Page")).toContain("/** filled in 1 of 2 */\n  extra?: number;");
  expect(found.get("Page")).toContain("title: string | null;");
});

test("no text of content ends a comment or becomes code", async () => {
  const evil = "*/ export const x = 1; /*\n// \u2028";
  const found = await declarations(published({ component: evil, [evil]: evil }, { [evil]: { plugin: evil } }));
  expect(found.has("x")).toBe(false);
});

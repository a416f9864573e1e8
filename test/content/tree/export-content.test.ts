import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { contentTargets } from "../../../src/config/schema/content-schema.js";
import { contentIsCurrent } from "../../../src/content/tree/content-index.js";
import { contentSettings } from "../../../src/content/tree/content-settings.js";
import { type ExportOptions, exportContent } from "../../../src/content/tree/export-content.js";
import { readMarkdown, verifyContent } from "../../../src/content/tree/verify-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { partsHash } from "../../../src/snapshot/compare-stories.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig as config } from "../../support/sample-config.js";
import { type SampleContent, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const picture = "https://a.example.com/f/1/1x1/abc/one.jpg";
const asset = {
  record: {
    key: createHash("sha256").update(picture).digest("hex"),
    url: picture,
    hash: "ab".repeat(32),
    name: "one two.jpg",
    type: "image/jpeg",
    bytes: 3,
    uses: 1,
  },
  bytes: Buffer.from("abc"),
};

function text(value: string, ...marks: object[]) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: value, marks }] }] };
}

/** A home page, a folder with its start page and an article, in English and German. */
const space: SampleContent = {
  editions: {
    "published/default": [
      story(1, { slug: "home", content: { _uid: "a", component: "page", text: text("Welcome"), featured: uuid(3) } }),
      story(2, { slug: "blog", full_slug: "blog/", is_startpage: true }),
      story(3, {
        slug: "first",
        full_slug: "blog/first",
        content: {
          _uid: "c",
          component: "article",
          image: { fieldtype: "asset", id: 1, filename: `${picture}/m/100x0` },
          text: text("to the blog", { type: "link", attrs: { linktype: "story", uuid: uuid(2), href: "/old" } }),
        },
      }),
    ],
    "published/de": [
      story(3, {
        slug: "erster",
        full_slug: "de/blog/erster",
        lang: "de",
        content: { _uid: "c", component: "article", related: [uuid(1)] },
      }),
    ],
  },
  parts: {
    datasources: [{ id: 9, name: "Colours", slug: "colours", dimensions: [] }],
    "entries/9": [{ id: 1, name: "red", value: "Red" }],
  },
  assets: [asset],
};

async function exported(more: Partial<ExportOptions> & { store: Store; content?: SampleContent }) {
  const { content = space, ...options } = more;
  const { reader } = await sampleSnapshot(content);
  return { reader, report: await exportContent({ reader, config, ...options }) };
}

async function files(store: Store): Promise<string[]> {
  return (await store.list("")).map(({ name }) => name);
}

async function read(store: Store, name: string): Promise<string> {
  return Buffer.from((await store.get(name)) ?? "").toString();
}

/** The same reader with another generation. */
function generation(reader: Reader, number: number): Reader {
  return { ...reader, manifest: { ...reader.manifest, generation: number } };
}

/** The space with other content in its first story. */
function edited(content: object): SampleContent {
  const [first, ...others] = space.editions["published/default"] ?? [];
  return {
    ...space,
    editions: {
      ...space.editions,
      "published/default": [{ ...first!, content: { _uid: "a", component: "page", ...content } }, ...others],
    },
  };
}

describe("the content tree", () => {
  test("has JSON by edition and type, Markdown by edition and slug, datasources, links and an index", async () => {
    const store = createMemoryStore();
    const { report } = await exported({ store });
    expect((await files(store)).filter((name) => !name.startsWith(".offprint/"))).toEqual([
      ".offprint.json",
      "datasources/colours.json",
      "index.json",
      "links.json",
      "markdown/de/blog/erster.md",
      "markdown/default/blog/first.md",
      "markdown/default/blog/index.md",
      "markdown/default/home.md",
      "stories/de/article.json",
      "stories/default/article.json",
      "stories/default/page.json",
    ]);
    expect(report).toMatchObject({ written: 9, removed: 0, unchanged: 0 });
  });

  test("JSON is one record a line, with relations, links and assets resolved", async () => {
    const store = createMemoryStore();
    await exported({ store });
    const pages = await read(store, "stories/default/page.json");
    expect(pages.split("\n")).toHaveLength(5);
    const home = JSON.parse(pages).find((record: { slug: string }) => record.slug === "home");
    expect(home.content.featured).toEqual({
      uuid: uuid(3),
      full_slug: "blog/first",
      name: "Story 3",
      component: "article",
      url: "/blog/first",
    });
    expect(home.url).toBe("/");
    const [article] = JSON.parse(await read(store, "stories/default/article.json"));
    expect(article).toMatchObject({ full_slug: "blog/first", url: "/blog/first" });
    expect(article.content.image).toMatchObject({ src: article.content.image.filename, width: 1, height: 1 });
    expect(article.content.image.filename).toBe(`../../../assets/${"ab".repeat(16)}/one%20two.jpg`);
    expect(article.content.text.content[0].content[0].marks[0].attrs.href).toBe("/blog");
  });

  test("embedded stories, and references in them, have the URL of their page in their language", async () => {
    const store = createMemoryStore();
    const resolve: Config["resolve"] = {
      ...config.resolve,
      depth: 1,
      links: { pattern: "https://site.example/{language?}/{slug}/", home: "home", use: "path", outside: "url" },
    };
    const home = story(1, {
      slug: "home",
      full_slug: "de/home",
      lang: "de",
      content: { _uid: "a", component: "page", to: uuid(3) },
    });
    const [german] = space.editions["published/de"] ?? [];
    const content = { ...space, editions: { "published/de": [home, german!] } };
    await exported({ store, content, config: { ...config, resolve } });
    const [record] = JSON.parse(await read(store, "stories/de/page.json"));
    expect(record.url).toBe("https://site.example/de/");
    expect(record.content.to.url).toBe("https://site.example/de/blog/erster/");
    expect(record.content.to.content.related).toEqual([
      { uuid: uuid(1), full_slug: "de/home", name: "Story 1", component: "page", url: "https://site.example/de/" },
    ]);
    const { data } = readMarkdown(await read(store, "markdown/de/blog/erster.md"));
    expect(data).toMatchObject({
      url: "https://site.example/de/blog/erster/",
      related: [{ full_slug: "de/home", url: "https://site.example/de/" }],
    });
  });

  test("HTML of rich text has the sizes of its images", async () => {
    const store = createMemoryStore();
    const image = { type: "image", attrs: { src: picture.replace("1x1", "40x30"), alt: "A" } };
    const doc = { type: "doc", content: [{ type: "paragraph", content: [image] }] };
    const block = {
      _uid: "b",
      component: "hero",
      picture: { fieldtype: "asset", filename: picture.replace("1x1", "8x6") },
    };
    const body = { type: "doc", content: [{ type: "blok", attrs: { body: [block] } }] };
    await exported({
      store,
      content: edited({ doc, body }),
      config: { ...config, content: { ...config.content, richText: "html" } },
    });
    const home = JSON.parse(await read(store, "stories/default/page.json")).find(
      ({ slug }: StoryRecord) => slug === "home",
    );
    expect(home.content.doc).toContain('alt="A" width="40" height="30">');
    expect(home.content.body).toContain('width="8" height="6">');
  });

  test("Markdown names the story and its fields, and asset paths start at the file", async () => {
    const store = createMemoryStore();
    await exported({ store });
    const { data, body } = readMarkdown(await read(store, "markdown/default/blog/first.md"));
    expect(data).toMatchObject({ url: "/blog/first", uuid: uuid(3), component: "article" });
    expect(data.image).toMatchObject({ filename: `../../../../assets/${"ab".repeat(16)}/one%20two.jpg` });
    expect(body).toBe("[to the blog](/blog)\n");
    expect(readMarkdown(await read(store, "markdown/de/blog/erster.md")).data).toMatchObject({
      url: "/de/blog/erster",
    });
  });

  test("links.json says where every story is in every edition", async () => {
    const store = createMemoryStore();
    await exported({ store });
    const links = JSON.parse(await read(store, "links.json"));
    expect(links).toHaveLength(3);
    expect(links.find((link: { uuid: string }) => link.uuid === uuid(3)).editions).toEqual({
      "published/default": {
        full_slug: "blog/first",
        url: "/blog/first",
        component: "article",
        markdown: "markdown/default/blog/first.md",
        json: "stories/default/article.json",
        key: expect.stringMatching(/^[\w-]{16}$/),
      },
      "published/de": {
        full_slug: "de/blog/erster",
        url: "/de/blog/erster",
        component: "article",
        markdown: "markdown/de/blog/erster.md",
        json: "stories/de/article.json",
        key: expect.stringMatching(/^[\w-]{16}$/),
      },
    });
  });

  test("index.json names generation, settings and every file by what it is", async () => {
    const store = createMemoryStore();
    const { reader } = await exported({ store });
    const index = JSON.parse(await read(store, "index.json"));
    expect(index).toMatchObject({
      generator: "offprint",
      generation: reader.manifest.generation,
      settings: contentSettings(config),
      formats: ["json", "markdown"],
      datasources: [{ slug: "colours", name: "Colours", file: "datasources/colours.json", entries: 1 }],
      links: "links.json",
      changes: null,
    });
    expect(index.editions.map(({ name, stories, types }: never) => [name, stories, types])).toEqual([
      [
        "published/default",
        3,
        [
          { name: "article", files: ["stories/default/article.json"], stories: 1 },
          { name: "page", files: ["stories/default/page.json"], stories: 2 },
        ],
      ],
      ["published/de", 1, [{ name: "article", files: ["stories/de/article.json"], stories: 1 }]],
    ]);
  });

  test("drafts and releases have their own folders", async () => {
    const store = createMemoryStore();
    const stories = [story(1)];
    const editions = {
      "published/draft": stories,
      "draft/de": stories,
      "published@7/de": stories,
      "draft@7/de": stories,
    };
    const { report } = await exported({ store, content: { editions } });
    expect(report.problems).toEqual([]);
    expect((await files(store)).filter((name) => name.endsWith(".md"))).toEqual([
      "markdown/%64raft/story-1.md",
      "markdown/draft/de/story-1.md",
      "markdown/draft/release-7/de/story-1.md",
      "markdown/release-7/de/story-1.md",
    ]);
  });

  test("JSON is split by the beginning of the uuid where it is larger than output.shardBytes", async () => {
    const store = createMemoryStore();
    const stories = Array.from({ length: 20 }, (_, index) => story(index + 1));
    const output = { ...config.output, shardBytes: 4000 };
    const { report } = await exported({
      store,
      config: { ...config, output },
      content: { editions: { "published/default": stories } },
    });
    expect(report.problems).toEqual([]);
    const index = JSON.parse(await read(store, "index.json"));
    const [{ files: shards }] = index.editions[0].types;
    expect(shards.length).toBeGreaterThan(2);
    const uuids: string[] = [];
    for (const name of shards) {
      expect(name).toMatch(/^stories\/default\/page\/[01]+\.json$/);
      const text = await read(store, name);
      expect(text.length).toBeLessThan(4200);
      uuids.push(...JSON.parse(text).map((record: { uuid: string }) => record.uuid));
    }
    expect(uuids).toEqual(stories.map((record) => record.uuid).sort());
    const links = JSON.parse(await read(store, "links.json"));
    for (const link of links) expect(await read(store, link.editions["published/default"].json)).toContain(link.uuid);
  });

  test("JSON has rich text as HTML where content.richText says so", async () => {
    const store = createMemoryStore();
    await exported({ store, config: { ...config, content: { ...config.content, richText: "html" } } });
    const [article] = JSON.parse(await read(store, "stories/default/article.json"));
    expect(article.content.text).toBe('<p><a href="/blog">to the blog</a></p>');
  });

  test.each([
    ["hugo", "markdown/default/blog/_index.md"],
    ["nuxt", "markdown/default/blog/index.md"],
  ] as const)("the start page of a folder is the file that %s takes for one", async (target, path) => {
    const store = createMemoryStore();
    await exported({ store, config: { ...config, content: { ...config.content, target } } });
    expect(await files(store)).toContain(path);
  });

  test("has only the formats that are configured", async () => {
    const store = createMemoryStore();
    await exported({ store, config: { ...config, content: { ...config.content, formats: ["markdown"] } } });
    expect((await files(store)).filter((name) => name.startsWith("stories/"))).toEqual([]);
  });

  test("asset URLs start with assets.baseUrl where it is set, and stay where the asset was not fetched", async () => {
    const store = createMemoryStore();
    const base = { ...config, assets: { ...config.assets, baseUrl: "/cms" } };
    await exported({ store, config: base });
    expect(await read(store, "stories/default/article.json")).toContain(
      `"filename":"/cms/${"ab".repeat(16)}/one%20two.jpg"`,
    );
    const missing = createMemoryStore();
    await exported({
      store: missing,
      content: { ...space, assets: [{ ...asset, record: { ...asset.record, hash: null } }] },
    });
    expect(await read(missing, "stories/default/article.json")).toContain(`"filename":"${picture}/m/100x0"`);
  });

  test("reports dangling relations, dead links and unknown nodes with story and field", async () => {
    const store = createMemoryStore();
    const content = edited({
      related: uuid(77),
      link: { fieldtype: "multilink", linktype: "story", id: uuid(78), url: "", cached_url: "x" },
      text: { type: "doc", content: [{ type: "chart", content: [] }] },
    });
    const { report } = await exported({ store, content });
    const home = report.problems.filter(({ message }) => message.includes('"home" (published/default)'));
    expect(home.map(({ code, message }) => [code, message.replace(/.*field /, "")])).toEqual([
      ["LINK_DEAD", `link, a link names story ${uuid(78)}, which this edition does not have.`],
      ["RELATION_DANGLING", `related, the value names story ${uuid(77)}, which this edition does not have.`],
      ["CONTENT_UNKNOWN", 'text, node "chart" is not known; its text was kept.'],
    ]);
    const at = { edition: "published/default", story: uuid(1) };
    expect(home.map(({ place }) => place)).toEqual([
      { ...at, field: "link", target: uuid(78) },
      { ...at, field: "related", target: uuid(77) },
      { ...at, field: "text" },
    ]);
  });

  test.each(contentTargets)(
    "reports dead links of Markdown fields for %s, until the story is there",
    async (target) => {
      const store = createMemoryStore();
      const settings = { ...config, content: { ...config.content, target } };
      const page = story(1, {
        slug: "home",
        content: { _uid: "a", component: "page", body: "[a](/blog/) [b](/blog/later) [c](/de/blog)" },
      });
      const blog = story(2, { full_slug: "blog/", is_startpage: true });
      const exporting = async (...more: StoryRecord[]) => {
        const editions = { "published/default": [page, blog, ...more], "published/de": [] };
        const { reader } = await sampleSnapshot({ editions });
        const report = await exportContent({ reader, config: settings, store });
        return report.problems.filter(({ code }) => code === "LINK_DEAD").map(({ message }) => message);
      };
      const place = 'story "home" (published/default), field body';
      const german = `In ${place}, a link leads to "/de/blog", where the site has no story.`;
      expect(await exporting()).toEqual([
        `In ${place}, a link leads to "/blog/later", where the site has no story.`,
        german,
      ]);
      expect(await exporting(story(3, { full_slug: "blog/later" }))).toEqual([german]);
    },
  );

  test("marks a story as a draft only if it differs from the published one", async () => {
    const store = createMemoryStore();
    const draft = (id: number, more: object = {}) => story(id, { content: { _uid: "a", component: "page", ...more } });
    const editions = {
      "published/default": [draft(1), draft(2)],
      "draft/default": [draft(1, { _editable: "<!---->" }), draft(2, { teaser: "new" }), draft(3)],
    };
    const settings = { ...config, content: { ...config.content, target: "hugo" as const } };
    const { reader } = await sampleSnapshot({ editions });
    await exportContent({ reader, config: settings, store });
    const flags = async () => {
      const pages = ["draft/default/story-1", "draft/default/story-2", "draft/default/story-3", "default/story-2"];
      const texts = await Promise.all(pages.map((name) => read(store, `markdown/${name}.md`)));
      return texts.map((text) => /^draft: (.*)$/m.exec(text)?.[1]);
    };
    expect(await flags()).toEqual(["false", "true", "true", "false"]);
    const later = await sampleSnapshot({ editions: { ...editions, "published/default": editions["draft/default"] } });
    await exportContent({ reader: later.reader, config: settings, store });
    expect(await flags()).toEqual(["false", "false", "false", "false"]);
  });

  test("for Hugo the home page of each language is the one at the root of its content", async () => {
    const store = createMemoryStore();
    const home = (full_slug: string, lang: string) => story(1, { slug: "home", full_slug, lang });
    const { reader } = await sampleSnapshot({
      editions: { "published/default": [home("home", "default")], "published/de": [home("de/home", "de")] },
    });
    await exportContent({ reader, store, config: { ...config, content: { ...config.content, target: "hugo" } } });
    expect(await read(store, "markdown/default/_index.md")).toContain('url: "/"');
    expect(await read(store, "markdown/de/_index.md")).toContain('url: "/de/"');
  });

  test("a story that cannot be written leaves all others unharmed", async () => {
    const store = createMemoryStore();
    let deep: unknown = [];
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const { reader } = await sampleSnapshot(space);
    const broken: Reader = {
      ...reader,
      story: (edition, id) =>
        id === uuid(1) ? story(1, { content: { _uid: "", component: "page", deep } }) : reader.story(edition, id),
    };
    const report = await exportContent({ reader: broken, config, store });
    expect(report.problems.find(({ code }) => code === "CONTENT_UNKNOWN")?.message).toContain('story "home"');
    expect(report.problems.map(({ code }) => code)).not.toContain("UNEXPECTED");
    expect(await files(store)).toContain("markdown/default/blog/index.md");
    expect(JSON.parse(await read(store, "stories/default/page.json"))).toHaveLength(1);
  });

  test("reports links to a story in each edition that lacks it, and in no other", async () => {
    const { report } = await exported({ store: createMemoryStore() });
    expect(report.problems.map(({ code, message }) => [code, message.includes("(published/de)")])).toEqual([
      ["RELATION_DANGLING", true],
    ]);
  });
});

describe("a second export", () => {
  test("touches nothing when nothing differs", async () => {
    const folder = await temporaryFolder();
    const store = openFileStore(folder, { temporary: "beside", rebuildable: true });
    await exported({ store });
    const before = await store.list("");
    const { report } = await exported({ store });
    expect(report).toMatchObject({ written: 0, removed: 0, unchanged: 9 });
    expect(await store.list("")).toEqual(before);
  });

  test("writes only the files that differ, and removes stale ones", async () => {
    const store = createMemoryStore();
    await exported({ store });
    const content = edited({ text: text("Changed"), featured: uuid(3) });
    const { "published/default": english = [] } = content.editions;
    const { report } = await exported({ store, content: { ...content, editions: { "published/default": english } } });
    // home.md, its type's JSON, links.json; gone: the two German files.
    expect(report).toMatchObject({ written: 3, removed: 2, unchanged: 4 });
    expect((await files(store)).some((name) => name.includes("/de/"))).toBe(false);
    const fresh = createMemoryStore();
    await exported({ store: fresh, content: { ...content, editions: { "published/default": english } } });
    expect(await files(store)).toEqual(await files(fresh));
    for (const name of await files(fresh))
      expect([name, await read(store, name)]).toEqual([name, await read(fresh, name)]);
  });

  test("moves a file whose name differs in case only", async () => {
    const store = createMemoryStore();
    await exported({ store, content: { editions: { "published/default": [story(1, { slug: "About" })] } } });
    const { report } = await exported({
      store,
      content: { editions: { "published/default": [story(1, { slug: "about" })] } },
    });
    expect((await files(store)).filter((name) => name.endsWith(".md"))).toEqual(["markdown/default/about.md"]);
    expect(report.problems).toEqual([]);
  });
});

describe("index.json", () => {
  test("is gone before the first change and is the last file written", async () => {
    const inner = createMemoryStore();
    await exported({ store: inner });
    const events: string[] = [];
    const store: Store = {
      ...inner,
      remove: async (name) => {
        events.push(`remove ${name}`);
        await inner.remove(name);
      },
      put: async (name, bytes) => {
        events.push(`put ${name}`);
        await inner.put(name, bytes);
      },
      replace: async (name, bytes) => {
        events.push(`replace ${name}`);
        await inner.replace(name, bytes);
      },
      flush: async () => {
        events.push("flush");
        await inner.flush();
      },
    };
    await exported({ store, content: edited({}) });
    expect(events.slice(0, 3)).toEqual(["remove index.json", "replace .offprint-due.json", "flush"]);
    const ending = events.filter((event) => !event.startsWith("remove .offprint/")).slice(-7);
    // What can be made again is durable before the head names it.
    expect(ending[0]).toMatch(/^put \.offprint\//);
    expect(ending.slice(1)).toEqual([
      ...["flush", "replace .offprint.json", "flush"],
      ...["remove .offprint-due.json", "replace index.json", "flush"],
    ]);
  });

  test("shows whether the tree is of this generation and these settings", async () => {
    const store = createMemoryStore();
    const settings = contentSettings(config);
    expect(await contentIsCurrent(store, { generation: 1, snapshot: "", settings })).toBe(false);
    const { reader } = await exported({ store });
    const { generation: number } = reader.manifest;
    const expected = expectedOf(reader);
    expect(await contentIsCurrent(store, expected)).toBe(true);
    expect(await contentIsCurrent(store, { ...expected, generation: number + 1 })).toBe(false);
    expect(await contentIsCurrent(store, { ...expected, snapshot: "of another snapshot" })).toBe(false);
    expect(await contentIsCurrent(store, { ...expected, settings: "other" })).toBe(false);
    await exportContent({ reader: generation(reader, number + 1), config, store });
    expect(await contentIsCurrent(store, { ...expected, generation: number + 1 })).toBe(true);
  });

  test("an interrupted export leaves none, and the next one completes the tree", async () => {
    const inner = createMemoryStore();
    let left = 4;
    const untilPowerIsCut = (write: Store["put"]): Store["put"] => {
      return async (name, bytes) => {
        if (left-- === 0) throw new Error("power");
        await write(name, bytes);
      };
    };
    const store = { ...inner, put: untilPowerIsCut(inner.put), replace: untilPowerIsCut(inner.replace) };
    await expect(exported({ store })).rejects.toThrow("power");
    expect(await files(inner)).not.toContain("index.json");
    // The content changed in between: what the interrupted export wrote must not be taken for someone else's.
    const { report } = await exported({ store: inner, content: edited({ text: text("Changed") }) });
    expect(report.problems.filter(({ code }) => code.startsWith("CONTENT_"))).toEqual([]);
    expect(await files(inner)).toContain("index.json");
    expect(await read(inner, "markdown/default/home.md")).toContain("Changed");
  });
});

test("for VitePress every page lies where its address is", async () => {
  const { reader } = await sampleSnapshot({
    editions: {
      "published/default": [story(1, { slug: "home" }), story(2, { full_slug: "blog/", is_startpage: true }), story(3)],
      "published/de": [
        story(1, { full_slug: "de/home", lang: "de" }),
        story(3, { full_slug: "de/story-3", lang: "de" }),
      ],
    },
  });
  const store = createMemoryStore();
  await exportContent({ reader, store, config: { ...config, content: { ...config.content, target: "vitepress" } } });
  const lines: { editions: Record<string, { url: string; markdown: string }> }[] = JSON.parse(
    await read(store, "links.json"),
  );
  const pages = lines.flatMap(({ editions }) => Object.values(editions));
  expect(pages).toHaveLength(5);
  for (const { url, markdown } of pages) {
    const address = url.startsWith("/de/") ? url : `/default${url}`;
    expect(markdown).toBe(`markdown${address}${address.endsWith("/") ? "index" : ""}.md`);
  }
  expect(pages.map(({ url }) => url).sort()).toEqual(["/", "/blog", "/de/", "/de/story-3", "/story-3"]);
});

describe("a JSON file of which one record changed", () => {
  const page = (id: number, teaser: unknown) => story(id, { content: { _uid: "c", component: "page", teaser } });
  const dead = { fieldtype: "multilink", linktype: "story", id: uuid(99), url: "", cached_url: "x" };
  const generation = (teaser: unknown, ...more: number[]) =>
    sampleSnapshot({
      editions: { "published/default": [page(1, teaser), page(2, dead), ...more.map((id) => page(id, "é"))] },
    });

  /** Which stories an export reads as a whole. */
  async function exportedReading(store: Store, { reader }: { reader: Reader }) {
    const parsed = new Set<string>();
    const watched: Reader = {
      ...reader,
      story(edition, id) {
        parsed.add(id);
        return reader.story(edition, id);
      },
    };
    const json: Config = { ...config, content: { ...config.content, formats: ["json"] } };
    const report = await exportContent({ reader: watched, store, config: json });
    return { parsed: [...parsed].sort(), problems: report.problems.map(({ code }) => code) };
  }

  const treeOf = async (store: Store) => {
    const names = (await files(store)).filter((name) => !name.startsWith(".offprint"));
    return Promise.all(names.map((name) => read(store, name)));
  };

  test.each([
    ["an edit", generation("new"), [1]],
    ["another record beside it", generation("old", 3), [3]],
    ["an edit and another record", generation("new", 3, 4), [1, 3, 4]],
  ])("has the other lines as they were after %s, with what they reported", async (_, next, due) => {
    const store = createMemoryStore();
    expect(await exportedReading(store, await generation("old"))).toEqual({
      parsed: [uuid(1), uuid(2)].sort(),
      problems: ["LINK_DEAD"],
    });
    expect(await exportedReading(store, await next)).toEqual({
      parsed: due.map(uuid).sort(),
      problems: ["LINK_DEAD"],
    });
    const fresh = createMemoryStore();
    await exportedReading(fresh, await next);
    expect(await treeOf(store)).toEqual(await treeOf(fresh));
    expect(await read(store, ".offprint.json")).toBe(await read(fresh, ".offprint.json"));
  });

  test("is rendered as a whole where someone changed it", async () => {
    const store = createMemoryStore();
    await exportedReading(store, await generation("old"));
    const text = await read(store, "stories/default/page.json");
    await store.replace("stories/default/page.json", Buffer.from(text.replace("Story 2", "Story X")));
    expect((await exportedReading(store, await generation("new"))).parsed).toHaveLength(2);
    expect(await read(store, "stories/default/page.json")).not.toContain("Story X");
  });
});

describe("contentSettings", () => {
  test("differ with every setting that shapes the content, and with no other", () => {
    const settings = contentSettings(config);
    const others: Config[] = [
      { ...config, resolve: { ...config.resolve, depth: 1 } },
      {
        ...config,
        resolve: { ...config.resolve, links: { pattern: "/{slug}/", home: "home", use: "path", outside: "url" } },
      },
      { ...config, content: { ...config.content, formats: ["json"] } },
      { ...config, content: { ...config.content, target: "hugo" } },
      { ...config, content: { ...config.content, richText: "html" } },
      { ...config, output: { ...config.output, shardBytes: 5000 } },
      { ...config, assets: { ...config.assets, dir: "/project/public" } },
      { ...config, content: { ...config.content, types: { page: { body: ["text"] } } } },
      { ...config, assets: { ...config.assets, baseUrl: "/cms" } },
      { ...config, assets: { ...config.assets, metadata: true } },
      { ...config, content: { ...config.content, dir: "/project/src/content/cms" } },
    ];
    expect(new Set([settings, ...others.map((config) => contentSettings(config))]).size).toBe(others.length + 1);
    const same: Config[] = [
      { ...config, queue: { ...config.queue, concurrency: 9 } },
      { ...config, assets: { ...config.assets, onFailure: "fail" } },
      { ...config, baseDir: "/elsewhere", output: { ...config.output, dir: "/elsewhere/output" } },
    ];
    expect(same.map((config) => contentSettings(config))).toEqual([settings, settings, settings]);
  });
});

describe("files that are not ours", () => {
  test("are never touched, and one in our way is reported", async () => {
    const store = createMemoryStore();
    await store.replace("README.md", Buffer.from("mine"));
    await store.replace("markdown/default/home.md", Buffer.from("mine too"));
    await store.replace("markdown/default/Blog/First.md", Buffer.from("on some disk in the way"));
    const { report } = await exported({ store });
    expect(await read(store, "README.md")).toBe("mine");
    expect(await read(store, "markdown/default/home.md")).toBe("mine too");
    const blocked = report.problems.filter(({ code }) => code === "CONTENT_BLOCKED").map(({ message }) => message);
    expect(blocked.sort()).toEqual([
      expect.stringContaining('"markdown/default/Blog/First.md" that offprint did not write'),
      expect.stringContaining('"markdown/default/home.md" that offprint did not write'),
    ]);
    await exported({ store, content: { editions: {} } });
    expect((await files(store)).filter((name) => name.endsWith(".md"))).toEqual([
      "README.md",
      "markdown/default/Blog/First.md",
      "markdown/default/home.md",
    ]);
  });

  test("an index.json of another origin stops the export before it begins", async () => {
    const store = createMemoryStore();
    await store.replace("index.json", Buffer.from('{"name":"mine"}'));
    await expect(exported({ store })).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    expect(await files(store)).toEqual(["index.json"]);
  });

  test("writes a file of ours again after a change by hand, and keeps it if it is stale", async () => {
    const store = createMemoryStore();
    await exported({ store });
    await store.replace("markdown/default/home.md", Buffer.from("changed"));
    await store.replace("markdown/de/blog/erster.md", Buffer.from("changed"));
    const { "published/default": english = [] } = space.editions;
    const { report } = await exported({ store, content: { ...space, editions: { "published/default": english } } });
    expect(await read(store, "markdown/default/home.md")).toContain("Welcome");
    expect(await read(store, "markdown/de/blog/erster.md")).toBe("changed");
    expect(report.problems).toMatchObject([{ code: "CONTENT_EDITED" }]);
  });

  test("when our list of files is lost, files with our bytes are ours again", async () => {
    const store = createMemoryStore();
    await exported({ store });
    await store.remove(".offprint.json");
    expect((await exported({ store })).report).toMatchObject({ written: 0, unchanged: 9 });
    expect(await files(store)).toContain(".offprint.json");
  });

  test("when our list of files is cut off anywhere, verify says so, and the next export rebuilds tree and list", async () => {
    const store = createMemoryStore();
    const { reader } = await exported({ store });
    const whole = await read(store, ".offprint.json");
    const ends = [...whole.matchAll(/\n/g)].map(({ index }) => index);
    for (const end of [0, 1, 9, 30, ...ends.slice(0, -1), ...ends.slice(0, -1).map((at) => at - 7)]) {
      await store.replace(".offprint.json", Buffer.from(whole.slice(0, end)));
      const { problems } = await verifyContent(store, expectedOf(reader));
      expect(problems).toMatchObject([
        { code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(".offprint.json") },
      ]);
      expect((await exported({ store })).report).toMatchObject({ written: 0, unchanged: 9, removed: 0 });
      expect(await read(store, ".offprint.json")).toBe(whole);
      expect((await verifyContent(store, expectedOf(reader))).problems).toEqual([]);
    }
  });

  test("files that a cut off list still names are written over and removed as ours", async () => {
    const store = createMemoryStore();
    await exported({ store });
    const whole = await read(store, ".offprint.json");
    await store.replace(".offprint.json", Buffer.from(whole.slice(0, whole.length >> 1)));
    await store.replace("markdown/default/home.md", Buffer.from("torn"));
    const { "published/default": english = [] } = space.editions;
    await exported({ store, content: { ...space, editions: { "published/default": english } } });
    const fresh = createMemoryStore();
    await exported({ store: fresh, content: { ...space, editions: { "published/default": english } } });
    expect(await files(store)).toEqual(await files(fresh));
    expect(await read(store, "markdown/default/home.md")).toBe(await read(fresh, "markdown/default/home.md"));
  });

  test("a file of that name that was never our list ends the export", async () => {
    const store = createMemoryStore();
    await store.replace(".offprint.json", Buffer.from("mine"));
    await expect(exported({ store })).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    expect(await read(store, ".offprint.json")).toBe("mine");
  });
});

describe("a file in our way", () => {
  test("keeps the tree from being current, and is written over as soon as it is gone", async () => {
    const store = createMemoryStore();
    await store.replace("markdown/default/home.md", Buffer.from("mine"));
    const { reader } = await exported({ store });
    expect(JSON.parse(await read(store, "index.json")).blocked).toEqual(["markdown/default/home.md"]);
    expect(await contentIsCurrent(store, expectedOf(reader))).toBe(false);
    await store.remove("markdown/default/home.md");
    // The page, and links.json, which has its key now.
    expect((await exported({ store })).report).toMatchObject({ rendered: 2, written: 2, problems: expect.any(Array) });
    expect(await contentIsCurrent(store, expectedOf(reader))).toBe(true);
  });
});

describe("changes.json", () => {
  const changes = {
    from: 1,
    to: 1,
    added: [{ edition: "published/default", uuid: uuid(3), full_slug: "blog/first" }],
    changed: [],
    removed: [],
    moved: [],
  };

  const home = { edition: "published/default", uuid: uuid(1), full_slug: "home" };

  test("lists the changed stories and those that show them, and stays while it leads to this generation", async () => {
    const store = createMemoryStore();
    const { reader } = await exported({ store, changes });
    expect(JSON.parse(await read(store, "changes.json"))).toEqual({ ...changes, affected: [home] });
    await exportContent({ reader, config, store });
    expect(JSON.parse(await read(store, "changes.json"))).toEqual({ ...changes, affected: [home] });
    expect(JSON.parse(await read(store, "index.json"))).toMatchObject({ changes: "changes.json" });
    await exportContent({ reader: generation(reader, 2), config, store });
    expect(await files(store)).not.toContain("changes.json");
  });
});

function expectedOf({ manifest }: Reader) {
  return { generation: manifest.generation, snapshot: partsHash(manifest), settings: contentSettings(config) };
}

describe("verifyContent", () => {
  async function verified(change?: (store: Store) => Promise<void>) {
    const store = createMemoryStore();
    const { reader } = await exported({ store });
    await change?.(store);
    return verifyContent(store, expectedOf(reader));
  }

  test("finds nothing in a tree as it was written", async () => {
    expect(await verified()).toEqual({ files: 9, problems: [], notes: [] });
  });

  test.each<[string, (store: Store) => Promise<void>, string]>([
    ["a file that is missing", (store) => store.remove("links.json"), '"links.json" is missing'],
    [
      "a changed file",
      (store) => store.replace("markdown/default/home.md", Buffer.from("x")),
      "has changed since it was written",
    ],
    ["a missing index", (store) => store.remove("index.json"), '"index.json" does not name'],
  ])("finds %s", async (_, change, message) => {
    const { problems } = await verified(change);
    expect(problems).toMatchObject([{ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(message) }]);
  });
});

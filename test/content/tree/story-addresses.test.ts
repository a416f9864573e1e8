import { describe, expect, test } from "vitest";
import type { Config, ContentTarget } from "../../../src/config/config.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { type SampleContent, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

type Links = Config["resolve"]["links"];
type Editions = SampleContent["editions"];

interface Options {
  links?: Partial<Links>;
  target?: ContentTarget;
  types?: Config["content"]["types"];
  include?: Partial<Config["source"]["include"]>;
  store?: Store;
}

async function exported(editions: Editions, options: Options = {}, parts: SampleContent["parts"] = {}) {
  const { links, target = "plain", types = {}, include, store = createMemoryStore() } = options;
  const config: Config = {
    ...sampleConfig,
    source: { ...sampleConfig.source, include: { ...sampleConfig.source.include, ...include } },
    resolve: { ...sampleConfig.resolve, links: { ...sampleConfig.resolve.links, ...links } },
    content: { ...sampleConfig.content, target, types },
  };
  const { reader } = await sampleSnapshot({ editions, parts });
  const report = await exportContent({ reader, config, store });
  const files: Record<string, string> = {};
  for (const { name } of await store.list("")) files[name] = Buffer.from((await store.get(name)) ?? "").toString();
  return { ...report, files, markdown: Object.keys(files).filter((name) => name.endsWith(".md")) };
}

function linkTo(id: number, href = "/x") {
  const attrs = { href, uuid: uuid(id), anchor: null, target: null, linktype: "story" };
  const text = { type: "text", text: "there", marks: [{ type: "link", attrs }] };
  return { type: "doc", content: [{ type: "paragraph", content: [text] }] };
}

function page(id: number, full_slug: string, more: Partial<StoryRecord> & { to?: number; href?: string } = {}) {
  const { to, href, ...record } = more;
  const body = to === undefined ? {} : { body: linkTo(to, href) };
  const content = { _uid: `c${id}`, component: "page", ...body };
  return story(id, { name: full_slug, slug: full_slug.split("/").at(-1) ?? "", full_slug, content, ...record });
}

describe("a story with a real path", () => {
  const editions = {
    "published/default": [page(1, "start", { to: 2 }), page(2, "content/services", { path: "services" })],
  };

  test("is at that path: its URL, the links to it, its file, its front matter, links.json", async () => {
    const { files, markdown } = await exported(editions);
    expect(markdown.sort()).toEqual(["markdown/default/services.md", "markdown/default/start.md"]);
    expect(files["markdown/default/services.md"]).toContain('url: "/services"');
    expect(files["markdown/default/services.md"]).toContain('path: "services"');
    expect(files["markdown/default/start.md"]).toContain("[there](/services)");
    expect(files["links.json"]).toContain('"path":"services","url":"/services"');
  });

  test.each(["hugo", "jekyll", "nuxt", "eleventy", "vitepress", "astro"] as const)("is there in %s", async (target) => {
    const { files } = await exported(editions, { target });
    expect(files["markdown/default/services.md"]).toMatch(/^(?:url|permalink|path): "\/services\/?"$/m);
    expect(files["markdown/default/start.md"]).toMatch(/\(\/services\/?\)/);
  });

  test("is at its slug where the configuration says so", async () => {
    const { files } = await exported(editions, { links: { use: "slug" } });
    expect(files["markdown/default/content/services.md"]).toContain('url: "/content/services"');
    expect(files["markdown/default/start.md"]).toContain("[there](/content/services)");
  });

  test("with the path / is the home page wherever it lies", async () => {
    const home = { "published/default": [page(1, "en/start", { path: "/" }), page(2, "about", { to: 1 })] };
    const { files, markdown } = await exported(home, { target: "hugo" });
    expect(markdown).toContain("markdown/default/_index.md");
    expect(files["markdown/default/about.md"]).toContain("[there](/)");
  });

  test.each<unknown>(["../admin", "https://evil.example/x", "a\u0000b", "x?y", 5, ["a"], { a: "b" }])(
    "that is no path of a site (%j) is at its slug, which is reported",
    async (path) => {
      const { files, problems } = await exported({
        "published/default": [page(1, "content/a", { path: path as string })],
      });
      expect(files["markdown/default/content/a.md"]).toContain('url: "/content/a"');
      const told = problems.filter(({ code }) => code === "FIELD_UNUSABLE");
      expect(told.map(({ message }) => message.includes(JSON.stringify(path)))).toEqual([true]);
    },
  );
});

describe("home pages of language folders", () => {
  test.each([["*/home"], [["en/home", "de/home"]]])("with %j are at their folders", async (home) => {
    const editions = { "published/default": [page(1, "en/home", { to: 2 }), page(2, "de/home")] };
    const { files } = await exported(editions, { links: { home } });
    expect(files["markdown/default/en/home.md"]).toContain("[there](/de)");
    const hugo = await exported(editions, { links: { home }, target: "hugo" });
    expect(hugo.markdown).toContain("markdown/default/en/_index.md");
  });
});

describe("two stories of one URL", () => {
  test("are reported across languages, and the translation of the same story is none", async () => {
    const editions = {
      "published/default": [page(1, "about"), page(2, "de/about")],
      "published/de": [page(1, "de/about"), page(2, "de/de/about")],
    };
    const store = createMemoryStore();
    const { problems } = await exported(editions, { store });
    const told = problems.filter(({ code }) => code === "URL_TWICE").map(({ message }) => message);
    expect(told).toEqual([expect.stringContaining("have the same URL, /de/about")]);
    // A second export, which renders nothing, reports it again.
    expect((await exported(editions, { store })).problems.filter(({ code }) => code === "URL_TWICE")).toHaveLength(1);
    const pattern = { pattern: "/{slug}", home: "home" };
    const shared = await exported({ ...editions, "published/default": [page(1, "about")] }, { links: pattern });
    expect(shared.problems.filter(({ code }) => code === "URL_TWICE")).toEqual([]);
  });
});

describe("a link to a story that source.include leaves out", () => {
  const rows = [{ uuid: uuid(9), id: 9, name: "About", slug: "about-us", is_folder: false, published: true }];
  const editions = { "published/default": [page(1, "blog/a", { to: 9, href: "/about" })] };
  const codes = ({ problems }: { problems: readonly { code: string }[] }) => problems.map(({ code }) => code);

  test("leads to its current address, which the index has", async () => {
    const found = await exported(editions, { include: { contentTypes: ["page"] } }, { "links/published": rows });
    expect(found.files["markdown/default/blog/a.md"]).toContain("[there](/about-us)");
    expect(codes(found)).toEqual([]);
  });

  test("keeps the written address where no row is kept", async () => {
    const found = await exported(editions, { include: { startsWith: ["blog/"] } });
    expect(found.files["markdown/default/blog/a.md"]).toContain("[there](/about)");
    expect(codes(found)).toEqual([]);
  });

  test("is not dead in a Markdown text, if its slug is left out", async () => {
    const text = "[a](/shop/x) [b](/de/shop/x) [c](/nowhere)";
    const content = { _uid: "t", component: "page", text };
    const two = {
      "published/default": [page(1, "home", { content })],
      "published/de": [page(1, "de/home", { content })],
    };
    const { problems } = await exported(two, { include: { excludeSlugs: ["shop/*"] } });
    expect(codes({ problems })).toEqual(["LINK_DEAD", "LINK_DEAD"]);
    for (const { message } of problems) expect(message).toContain("/nowhere");
  });

  test("is reported as left out with outside: warn, and stays with keep", async () => {
    const include = { contentTypes: ["page"] };
    const parts = { "links/published": rows };
    const warned = await exported(editions, { include, links: { outside: "warn" } }, parts);
    expect(codes(warned)).toEqual(["LINK_OUTSIDE"]);
    const kept = await exported(editions, { include, links: { outside: "keep" } }, parts);
    expect(codes(kept)).toEqual([]);
    for (const { files } of [warned, kept]) expect(files["markdown/default/blog/a.md"]).toContain("[there](/about)");
  });

  test("is dead where its slug is included, without such rules, and for an unpublished translation", async () => {
    const inScope = { "published/default": [page(1, "blog/a", { to: 9, href: "/blog/gone" })] };
    expect(codes(await exported(inScope, { include: { startsWith: ["blog/"] } }))).toEqual(["LINK_DEAD"]);
    expect(codes(await exported(editions, {}, { "links/published": rows }))).toEqual(["LINK_DEAD"]);
    const translated = {
      "published/default": [page(1, "a"), page(2, "b")],
      "published/de": [page(1, "de/a", { to: 2 })],
    };
    const include = { contentTypes: ["page"] };
    expect(
      codes(await exported(translated, { include }, { "links/published": [{ ...rows[0], uuid: uuid(2) }] })),
    ).toEqual(["LINK_DEAD"]);
  });
});

describe("stories of settings", () => {
  const settings = (component: string, text: string) =>
    page(2, "settings", { content: { _uid: "s", component, footer: text } });
  const all = (component: string, text = "Text") => ({
    "published/default": [page(1, "home"), settings(component, text)],
  });

  test.each(["global", "site_config", "mainNavigation", "footer", "redirects", "Header"])(
    "of the type %s have a line of JSON and no Markdown file",
    async (component) => {
      const { files, markdown } = await exported(all(component));
      expect(markdown).toEqual(["markdown/default/home.md"]);
      expect(Object.values(files).join()).toContain('"footer":"Text"');
    },
  );

  test("have one with prose, where the type says so, and of any other type", async () => {
    const prose = "A sentence of many words. ".repeat(10);
    expect((await exported(all("footer", prose))).markdown).toHaveLength(2);
    expect((await exported(all("footer"), { types: { footer: { page: true } } })).markdown).toHaveLength(2);
    expect((await exported(all("menu"))).markdown).toHaveLength(2);
    expect((await exported(all("header_story"))).markdown).toHaveLength(2);
    expect((await exported(all("menu"), { types: { menu: { page: false } } })).markdown).toHaveLength(1);
  });
});

test("a Markdown link to a story without a file is no page for a generator that ends its build at dead links", async () => {
  const text = (id: number, slug: string, component: string, markdown: string) =>
    page(id, slug, { content: { _uid: "t", component, text: markdown } });
  const withFooter = (footer: string) => ({
    "published/default": [text(1, "home", "page", "See [this](/footer)."), text(2, "footer", "footer", footer)],
  });
  const store = createMemoryStore();
  const before = await exported(withFooter("Text"), { target: "vitepress", store });
  expect(before.files["markdown/default/index.md"]).toContain('<a href="/footer">this</a>');
  const after = await exported(withFooter("A sentence of many words. ".repeat(10)), { target: "vitepress", store });
  expect(after.files["markdown/default/index.md"]).toContain("[this](/footer)");
});

test("dates and weights of posts follow their stated rules", async () => {
  const post = (id: number, more: Partial<StoryRecord>, content: object) =>
    page(id, `blog/${id}`, { ...more, content: { _uid: "p", component: `post${id}`, ...content } });
  const editions = {
    "published/default": [
      post(1, { position: 0, updated_at: "2024-05-01T00:00:00.000Z" }, { date: "2019-05-04 10:00" }),
      post(2, { position: -10 }, { published_on: "2018-01-02" }),
      post(3, { position: 10, sort_by_date: "2020-02-03" }, {}),
    ],
  };
  const { files } = await exported(editions, { target: "hugo" });
  const headOf = (id: number) => files[`markdown/default/blog/${id}.md`];
  expect(headOf(1)).toContain('date: "2019-05-04T10:00:00.000Z"');
  expect(headOf(1)).toMatch(/^weight: 1$/m);
  expect(headOf(2)).toContain('date: "2018-01-02T00:00:00.000Z"');
  expect(headOf(2)).toMatch(/^weight: -10$/m);
  expect(headOf(3)).toContain('date: "2020-02-03T00:00:00.000Z"');
  expect(headOf(3)).toMatch(/^weight: 11$/m);
});

describe("after any of these edits the tree is that of a fresh export", () => {
  test.each(["plain", "vitepress", "hugo"] as const)("in %s", async (target) => {
    const first = [page(1, "start", { to: 2 }), page(2, "content/services", { path: "services" }), page(3, "free")];
    const footer = (text: string) => page(4, "footer", { content: { _uid: "s", component: "footer", text } });
    const states: StoryRecord[][] = [
      [...first, footer("Text")],
      [first[0]!, page(2, "content/services", { path: "offers" }), first[2]!, footer("Text")],
      [first[0]!, page(2, "content/services"), page(3, "free", { path: "services" }), footer("Text")],
      [first[0]!, page(2, "content/services", { path: "../x" }), first[2]!, footer("Words ".repeat(40))],
      [first[0]!, page(2, "content/services", { path: "/" }), first[2]!, footer("Text")],
      [first[0]!, page(2, "content/services", { path: "free" }), first[2]!, footer("Text")],
    ];
    const store = createMemoryStore();
    for (const stories of states) {
      const editions = { "published/default": stories };
      const { files, problems } = await exported(editions, { target, store });
      const fresh = await exported(editions, { target });
      const own = (name: string) => !/^(?:changes\.json|redirects\.json|_redirects|index\.json|\.)/.test(name);
      const shown = (tree: Record<string, string>) =>
        Object.fromEntries(Object.entries(tree).filter(([name]) => own(name)));
      expect(shown(files)).toEqual(shown(fresh.files));
      expect(problems).toEqual(fresh.problems);
    }
  });
});

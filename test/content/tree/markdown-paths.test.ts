import { describe, expect, test } from "vitest";
import type { ContentTarget } from "../../../src/config/config.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

const picture = "https://a.example.com/f/1/x/a/b.png";
const image = { fieldtype: "asset", filename: picture };

function record(id: number, slug: string, component: string, more: Partial<StoryRecord> = {}): StoryRecord {
  return story(id, { slug, full_slug: slug, content: { _uid: "a", component, image }, ...more });
}

const english = [
  record(1, "home", "page"),
  record(2, "blog/", "page", { is_startpage: true }),
  record(3, "blog/first", "article"),
  record(4, "blog/second", "article"),
];
const german = [record(1, "de/home", "page", { lang: "de" }), record(3, "de/blog/first", "article", { lang: "de" })];
const editions = { "published/default": english, "published/de": german };

interface Exported {
  files: string[];
  store: Store;
}

async function exported(
  paths: string | undefined,
  from: Record<string, readonly StoryRecord[]> = editions,
  target: ContentTarget = "plain",
): Promise<Exported> {
  const { reader } = await sampleSnapshot({
    editions: from,
    assets: [
      {
        record: {
          key: "a".repeat(64),
          url: picture,
          hash: "ab".repeat(32),
          name: "b.png",
          type: "",
          bytes: 1,
          uses: 1,
        },
        bytes: Buffer.from("x"),
      },
    ],
  });
  const store = createMemoryStore();
  const content = { ...sampleConfig.content, target, ...(paths === undefined ? {} : { paths }) };
  await exportContent({ reader, config: { ...sampleConfig, content }, store });
  const names = (await store.list("")).map(({ name }) => name);
  return { store, files: names.flatMap((name) => (name.startsWith("markdown/") ? [name.slice(9, -3)] : [])) };
}

async function json(store: Store, name: string) {
  return JSON.parse(Buffer.from((await store.get(name)) ?? "").toString());
}

describe("content.paths", () => {
  test("is by default the folder of the edition, then the slug", async () => {
    const files = [
      "de/blog/first",
      "de/home",
      "default/blog/first",
      "default/blog/index",
      "default/blog/second",
      "default/home",
    ];
    expect((await exported(undefined)).files).toEqual(files);
    expect((await exported("{edition}/{slug}")).files).toEqual(files);
    expect((await exported("{slug}")).files).toEqual(files);
  });

  test.each([
    [
      "{type}/{slug}",
      [
        "de/article/blog/first",
        "de/page/home",
        "default/article/blog/first",
        "default/article/blog/second",
        "default/page/blog/index",
        "default/page/home",
      ],
    ],
    [
      "{type}/{language}/{slug}",
      [
        "article/de/blog/first",
        "article/default/blog/first",
        "article/default/blog/second",
        "page/de/home",
        "page/default/blog/index",
        "page/default/home",
      ],
    ],
    [
      "{language?}/{type}/{slug}",
      [
        "article/blog/first",
        "article/blog/second",
        "de/article/blog/first",
        "de/page/home",
        "page/blog/index",
        "page/home",
      ],
    ],
    [
      "_{type}/{language}-{version}/{slug}",
      [
        "_article/de-published/blog/first",
        "_article/default-published/blog/first",
        "_article/default-published/blog/second",
        "_page/de-published/home",
        "_page/default-published/blog/index",
        "_page/default-published/home",
      ],
    ],
    [
      "{language}/cms/{uuid}",
      [...[1, 3].map((id) => `de/cms/${uuid(id)}`), ...[1, 2, 3, 4].map((id) => `default/cms/${uuid(id)}`)].sort(),
    ],
  ])("%s", async (pattern, files) => {
    expect((await exported(pattern)).files).toEqual(files);
  });

  test("puts drafts and releases that the pattern does not name into their own folders", async () => {
    const story = [record(1, "a", "page")];
    const all = {
      "published/default": story,
      "draft/default": story,
      "draft@7/default": story,
      "published@7/default": story,
    };
    expect((await exported("{language?}/{type}/{slug}", all)).files).toEqual([
      "draft/page/a",
      "draft/release-7/page/a",
      "page/a",
      "release-7/page/a",
    ]);
    expect((await exported("{type}/{version}/{slug}", all)).files).toEqual([
      "default/page/draft/a",
      "default/page/published/a",
      "release-7/default/page/draft/a",
      "release-7/default/page/published/a",
    ]);
  });

  test("links.json and index.json say where the files are, and asset paths start at the file", async () => {
    const { store } = await exported("{language?}/{type}/{slug}");
    const links = (await json(store, "links.json")) as {
      uuid: string;
      editions: Record<string, { markdown: string }>;
    }[];
    const first = links.find((link) => link.uuid === uuid(3))?.editions ?? {};
    expect(first["published/default"]?.markdown).toBe("markdown/article/blog/first.md");
    expect(first["published/de"]?.markdown).toBe("markdown/de/article/blog/first.md");
    const index = (await json(store, "index.json")) as { editions: { markdown: string }[] };
    expect(index.editions.map(({ markdown }) => markdown)).toEqual(["markdown", "markdown/de"]);
    const text = Buffer.from((await store.get("markdown/article/blog/first.md")) ?? "").toString();
    expect(text).toContain(`"../../../../assets/${"ab".repeat(16)}/b.png"`);
  });

  test("no two files clash, for any names of types and languages", async () => {
    const { files } = await exported("{language?}/{type}/{slug}", {
      "published/default": [
        record(3, "article/x", "de"),
        record(4, "X", "../.."),
        record(5, "x", ""),
        record(6, "a", "DE"),
      ],
      "published/de": [record(3, "de/x", "article", { lang: "de" })],
    });
    expect(files).toHaveLength(5);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(5);
    expect(files).toContain("%2E.%2F.%2E/X");
    expect(files).toContain("untyped/x");
    expect(files.filter((file) => file.startsWith("de/article/x~"))).toHaveLength(2);
  });

  test("leaves Hugo's home page at the root, where Hugo looks for it", async () => {
    expect((await exported("{language}/{type}/{slug}", editions, "hugo")).files).toEqual([
      "de/_index",
      "de/article/blog/first",
      "default/_index",
      "default/article/blog/first",
      "default/article/blog/second",
      "default/page/blog/_index",
    ]);
    expect((await exported("{language}/{uuid}", editions, "hugo")).files).toContain("default/_index");
  });

  test("no slug becomes a name that Jekyll does not read, but a pattern may", async () => {
    const stories = [
      record(1, "_drafts/_x", "page"),
      record(2, "#a", "page"),
      record(3, `${"y".repeat(99)}/${"z".repeat(99)}`, "page"),
    ];
    const { files } = await exported("_{type}/{slug}", { "published/default": stories }, "jekyll");
    expect(files.slice(1)).toEqual(["default/_page/%23a", "default/_page/%5Fdrafts/%5Fx"]);
    expect(files[0]).toMatch(/^default\/%long\/[0-9a-f]{32}$/);
  });

  test.each([
    ["{type}/{slug}", "default/%5Fu/a"],
    ["{language?}{type}/_x/{type}-b/{uuid}", `%5Fu/_x/%5Fu-b/${uuid(1)}`],
    ["_{type}/{type}/{slug}", "default/__u/%5Fu/a"],
  ])("no content type becomes a folder that Jekyll does not read: %s", async (paths, expected) => {
    const { files } = await exported(paths, { "published/default": [record(1, "a", "_u")] }, "jekyll");
    expect(files).toEqual([expected]);
  });
});

import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStoryResolver } from "../../src/content/render/resolve-story.js";
import { targets } from "../../src/content/render/targets.js";
import type { StoryRecord } from "../../src/contract/records.js";
import { openSnapshot, watchSnapshot } from "../../src/index.js";
import { contentHash } from "../../src/lib/content-hash.js";
import { assetFile, generationFile, manifestFile, parts, shardFile } from "../../src/snapshot/layout.js";
import type { AssetRecord } from "../../src/snapshot/manifest.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { sampleConfig } from "../support/sample-config.js";
import { commitSample, type SampleContent, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

beforeEach(() => {
  delete process.env.OFFPRINT_PINNED;
});
afterEach(() => {
  delete process.env.OFFPRINT_PINNED;
});

async function folderWith(content: SampleContent): Promise<string> {
  const dir = await temporaryFolder();
  await commitSample(content, openFileStore(dir));
  return dir;
}

const picture = "https://a.storyblok.com/f/7/600x400/abc/a picture.png";
const lost = "https://a.storyblok.com/f/7/9x9/def/lost.png";

function assetOf(url: string, bytes: Uint8Array | undefined): { record: AssetRecord; bytes: Uint8Array } {
  const hash = bytes === undefined ? null : contentHash(bytes);
  const record = { key: contentHash(url), url, hash, name: "a picture.png", type: "image/png", uses: 1 };
  return { record: { ...record, bytes: bytes?.length ?? 0 }, bytes: bytes ?? new Uint8Array() };
}

const pixels = Buffer.from("the bytes of a picture");
const withAssets: SampleContent = {
  editions: {
    "published/default": [
      story(1, {
        content: {
          _uid: "u1",
          component: "page",
          image: { fieldtype: "asset", id: 1, alt: "Alt", focus: "1x2:3x4", filename: picture },
          lost: { fieldtype: "asset", id: 2, filename: lost },
          text: {
            type: "doc",
            content: [{ type: "paragraph", content: [{ type: "image", attrs: { src: picture } }] }],
          },
        },
      }),
    ],
  },
  assets: [assetOf(picture, pixels), assetOf(lost, undefined)],
};

test("an asset that could only be fetched under its other scheme has that file", async () => {
  const other = picture.replace("https:", "http:");
  const assets = [assetOf(picture, undefined), assetOf(other, pixels), assetOf(lost, undefined)];
  await using local = await openSnapshot(await folderWith({ ...withAssets, assets }), { assetBaseUrl: "/cms" });
  const src = `/cms/${contentHash(pixels).slice(0, 32)}/a%20picture.png`;
  expect((await local.story("story-1"))?.content.image).toMatchObject({ src, filename: src });
  expect(Buffer.from((await local.asset(picture)) ?? "")).toEqual(pixels);
});

test("assets have src, width and height: below assets.baseUrl if downloaded, else the upstream's address", async () => {
  const dir = await folderWith(withAssets);
  const src = `/cms/${contentHash(pixels).slice(0, 32)}/a%20picture.png`;
  await using local = await openSnapshot(dir, { assetBaseUrl: "/cms" });
  const content = (await local.story("story-1", { richText: "html" }))?.content;
  expect(content?.image).toMatchObject({ src, filename: src, width: 600, height: 400, alt: "Alt", focus: "1x2:3x4" });
  expect(content?.lost).toMatchObject({ src: lost, width: 9, height: 9 });
  expect(content?.text).toBe(`<p><img src="${src}" alt="" width="600" height="400"></p>`);
  expect(Buffer.from((await local.asset(src)) ?? "")).toEqual(pixels);
  expect(Buffer.from((await local.asset(`${picture}/m/300x0`)) ?? "")).toEqual(pixels);
  for (const absent of [lost, "/cms/../../manifest.json", "/cms/0/x", "elsewhere", ""]) {
    expect(await local.asset(absent)).toBeUndefined();
  }
  await using upstream = await openSnapshot(dir);
  expect((await upstream.story("story-1"))?.content.image).toMatchObject({ src: picture, width: 600, height: 400 });

  await rm(join(dir, assetFile(contentHash(pixels), "a picture.png")));
  await expect(local.asset(picture)).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED" });
});

test("rich text comes as document, HTML, Markdown or text, with its links resolved", async () => {
  const document = {
    type: "doc",
    content: [
      { type: "heading", attrs: { level: 2 }, content: [{ type: "text", text: "A title" }] },
      {
        type: "paragraph",
        content: [
          { type: "text", text: "to " },
          {
            type: "text",
            text: "the other",
            marks: [{ type: "link", attrs: { linktype: "story", uuid: uuid(2), href: "/old" } }],
          },
          { type: "hard_break" },
          { type: "text", text: "& more" },
        ],
      },
    ],
  };
  const content = { _uid: "u", component: "page", text: document };
  const dir = await folderWith({ editions: { "published/default": [story(1, { content }), story(2)] } });
  await using snapshot = await openSnapshot(dir);
  const shown = async (richText: "document" | "html" | "markdown" | "text") =>
    (await snapshot.story("story-1", { richText }))?.content.text;
  const html = '<h2>A title</h2><p>to <a href="/story-2">the other</a><br>&#x26; more</p>';
  expect(await shown("html")).toBe(html);
  expect(await shown("markdown")).toBe("## A title\n\nto [the other](/story-2)\\\n& more\n");
  expect(await shown("text")).toBe("A title\nto the other\n& more");
  const resolved = await shown("document");
  expect(snapshot.html(resolved)).toBe(html);
  expect(snapshot.text("plain")).toBe("plain");
});

test("datasources have the values of their dimensions; translations their URLs; drafts and published stay apart", async () => {
  const dir = await folderWith({
    editions: {
      "published/default": [story(1, { name: "One" })],
      "published/de": [story(1, { name: "Eins", full_slug: "de/story-1" }), story(2, { full_slug: "de/story-2" })],
      "draft/default": [story(1, { name: "One, edited" }), story(2)],
    },
    parts: {
      [parts.datasources]: [
        { id: 5, name: "Colours", slug: "colours", dimensions: [{ id: 8, name: "German", entry_value: "de" }] },
        { id: 6, name: "Empty", slug: "empty" },
      ],
      [parts.entries(5, null)]: [
        { id: 50, name: "Red", value: "red" },
        { id: 51, name: "Blue", value: "blue" },
      ],
      [parts.entries(5, 8)]: [{ id: 50, name: "Red", value: "red", dimension_value: "Rot" }],
    },
  });
  await using snapshot = await openSnapshot(dir);
  expect(await snapshot.datasources()).toEqual(["colours", "empty"]);
  expect(await snapshot.datasource("colours")).toEqual([
    { name: "Red", value: "red", dimensions: { de: "Rot" } },
    { name: "Blue", value: "blue", dimensions: { de: null } },
  ]);
  expect([await snapshot.datasource("empty"), await snapshot.datasource("none")]).toEqual([[], undefined]);
  expect((await snapshot.translations(uuid(1))).map(({ language, url }) => [language, url])).toEqual([
    ["default", "/story-1"],
    ["de", "/de/story-1"],
  ]);
  expect((await snapshot.translations(uuid(2))).map(({ language }) => language)).toEqual(["de"]);
  expect([snapshot.version, snapshot.languages]).toEqual(["published", ["default", "de"]]);
  expect((await snapshot.story(uuid(1), { version: "draft" }))?.name).toBe("One, edited");
  await using drafts = await openSnapshot(dir, { version: "draft" });
  expect([(await drafts.story("story-2"))?.name, drafts.languages]).toEqual(["Story 2", ["default"]]);
});

test("returns this version's redirects of the content tree, if any", async () => {
  const dir = await folderWith({ editions: { "published/default": [story(1)] } });
  await using snapshot = await openSnapshot(dir);
  expect(await snapshot.redirects()).toEqual([]);
  await openFileStore(dir).replace(
    "content/redirects.json",
    Buffer.from(
      JSON.stringify([
        { edition: "published/default", uuid: uuid(1), full_slug: "old", from: "/old", to: "/story-1" },
        { edition: "draft/default", uuid: uuid(1), full_slug: "older", from: "/older", to: "/story-1" },
      ]),
    ),
  );
  expect(await snapshot.redirects()).toEqual([{ from: "/old", to: "/story-1" }]);
});

test("a story without content has an empty block; a relation to it is a reference", async () => {
  const { content: _, ...bare } = story(1);
  const other = story(2, { content: { _uid: "u2", component: "page", to: uuid(1) } });
  await using snapshot = await openSnapshot(await folderWith({ editions: { "published/default": [bare, other] } }));
  expect((await snapshot.story("story-1", { richText: "html", body: true }))?.content).toEqual({
    _uid: "",
    component: "",
  });
  expect((await snapshot.story("story-2", { depth: 2 }))?.content.to).toMatchObject({ uuid: uuid(1), url: "/story-1" });
});

test("distinguishes a newer format, a damaged shard and a removed generation", async () => {
  const dir = await folderWith({ editions: { "published/default": [story(1)] } });
  const store = openFileStore(dir);
  const open = await openSnapshot(dir);
  const part = parts.stories("published/default");
  await writeFile(join(dir, shardFile(part, open.manifest.parts[part]!.shards[0]!)), "[]\n");
  await expect(open.story("story-1")).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED" });
  await commitSample({ editions: { "published/default": [story(1, { name: "New" })] } }, store);
  await store.remove(generationFile(1));
  await expect(open.story("story-1")).rejects.toMatchObject({
    code: "SNAPSHOT_MISSING",
    message: expect.stringContaining("Generation 1"),
    hint: expect.stringContaining("Restart the build"),
  });
  await writeFile(join(dir, manifestFile), '{"format":99}');
  await expect(openSnapshot(dir)).rejects.toMatchObject({ code: "SNAPSHOT_FORMAT" });
});

test("a configuration in the working folder applies only to its output folder; an explicit one always applies", async () => {
  const project = await temporaryFolder();
  const output = join(project, "output");
  await commitSample({ editions: { "published/default": [story(1)] } }, openFileStore(output));
  const elsewhere = await folderWith({ editions: { "published/default": [story(1)] } });
  const config = join(project, "sync.config.yaml");
  const token = "$" + "{NOT_SET_HERE}";
  const source = `source:\n  url: https://example.com\n  token: ${token}\n`;
  await writeFile(config, `${source}resolve: { links: { pattern: "/site/{slug}/" } }\n`);
  const before = process.cwd();
  process.chdir(project);
  try {
    const urls = await Promise.all(
      [openSnapshot(), openSnapshot("output"), openSnapshot(elsewhere), openSnapshot(elsewhere, { config })].map(
        async (opening) => (await (await opening).story("story-1"))?.url,
      ),
    );
    expect(urls).toEqual(["/site/story-1/", "/site/story-1/", "/story-1", "/site/story-1/"]);
    await rm(config);
    await expect(openSnapshot()).rejects.toMatchObject({
      code: "CONFIG_MISSING",
      hint: expect.stringContaining("openSnapshot(dir)"),
    });
  } finally {
    process.chdir(before);
  }
});

test("a watcher hears of every commit, until it is closed", async () => {
  const dir = await folderWith({ editions: { "published/default": [story(1)] } });
  const heard: number[] = [];
  let tell: () => void = () => undefined;
  const next = () =>
    new Promise<void>((done) => {
      tell = done;
    });
  const onGeneration = (generation: number) => {
    heard.push(generation);
    tell();
  };
  const watch = await watchSnapshot(dir, onGeneration, { intervalMs: 10 });
  expect(watch.file).toBe(join(dir, manifestFile));
  for (const name of ["a", "b"]) {
    const told = next();
    await commitSample({ editions: { "published/default": [story(1, { name })] } }, openFileStore(dir));
    await told;
  }
  watch.close();
  expect(heard).toEqual([2, 3]);
});

test("after a commit, reads only changed shards for the index; removes other indexes after an hour", async () => {
  const stories = Array.from({ length: 40 }, (_, id) => story(id));
  const dir = await folderWith({ editions: { "published/default": stories }, shardBytes: 2048 });
  const store = openFileStore(dir);
  const first = await openSnapshot(dir, { generation: "latest" });
  expect(await first.references()).toHaveLength(40);
  const changed = stories.with(7, story(7, { name: "Changed" }));
  await commitSample({ editions: { "published/default": changed }, shardBytes: 2048 }, store);
  const second = await openSnapshot(dir, { generation: "latest" });
  // A shard that both generations have: it is not read for the index.
  const part = parts.stories("published/default");
  const kept = second.manifest.parts[part]!.shards.filter(({ hash }) =>
    first.manifest.parts[part]!.shards.some((shard) => shard.hash === hash),
  );
  expect(kept.length).toBeGreaterThan(2);
  await rm(join(dir, shardFile(part, kept[0]!)));
  const names = (await second.references()).map(({ name }) => name);
  expect([names.length, names.includes("Changed")]).toEqual([40, true]);

  const indexes = () => store.list(".work/story-index");
  expect(await indexes()).toHaveLength(2);
  for (const { name } of await indexes()) await utimes(join(dir, name), 1, 1);
  await commitSample({ editions: { "published/default": stories.slice(5) }, shardBytes: 2048 }, store);
  await (await openSnapshot(dir, { generation: "latest" })).references();
  expect(await indexes()).toHaveLength(1);
});

/** Stories with relations and links to one another, and to none. */
const related = fc
  .array(
    fc.record({
      slug: fc.constantFrom("a", "b", "c/", "c/d", "c/e", "ü", "home"),
      component: fc.constantFrom("page", "post"),
      to: fc.array(fc.nat(9), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ slug, component, to }, id): StoryRecord => {
      const nested = to.map((other) => ({
        _uid: `n${other}`,
        component: "box",
        one: uuid(other),
        many: [uuid(other)],
      }));
      const link = { linktype: "story", fieldtype: "multilink", id: uuid(to[0] ?? 99), cached_url: "old" };
      return story(id, {
        full_slug: `${slug}${slug.endsWith("/") ? "" : id}`,
        content: { _uid: `u${id}`, component, nested, link, self: uuid(id) },
      });
    }),
  );

test("resolves a story like the content tree, with any state of the cache", async () => {
  await fc.assert(
    fc.asyncProperty(related, fc.nat(3), fc.constantFrom(1, 2000, 1e6), async (stories, depth, cacheBytes) => {
      const dir = await temporaryFolderOf(stories);
      const store = openFileStore(dir);
      await using snapshot = await openSnapshot(dir, { generation: "latest", cacheBytes });
      const reader = await openReader(store, snapshot.manifest);
      const read = { ...reader, assetMetadata: () => undefined };
      const config = { ...sampleConfig, resolve: { ...sampleConfig.resolve, depth } };
      const options = { read, config, target: targets.plain, report: () => undefined };
      const edition = { name: "published/default", language: "default" };
      for (const { uuid: id } of stories) {
        const expected = createStoryResolver(options, edition).story(id, () => undefined);
        expect(await snapshot.story(id, { depth })).toEqual({ ...expected, language: "default" });
      }
      for (const startsWith of ["", "c", "c/", "ü", "x"]) {
        const fitting = stories.filter(({ full_slug }) => full_slug.startsWith(startsWith)).map(({ uuid: id }) => id);
        const found = (await snapshot.references({ startsWith })).map(({ uuid: id }) => id);
        const stored: string[] = [];
        for await (const { uuid: id } of snapshot.stories({ startsWith, order: "stored" })) stored.push(id);
        expect([found.sort(), stored.sort()]).toEqual([fitting.sort(), fitting]);
      }
      await rm(dir, { recursive: true });
    }),
    { numRuns: 25 },
  );
});

function temporaryFolderOf(stories: readonly StoryRecord[]): Promise<string> {
  return folderWith({ editions: { "published/default": stories }, shardBytes: 1024 });
}

test("finds stories with a real path there, and links to them and to stories that were left out like the pages", async () => {
  const link = (id: number, address: string) => ({
    linktype: "story",
    fieldtype: "multilink",
    id: uuid(id),
    cached_url: address,
  });
  const content = { _uid: "c", component: "page", to: link(2, "x"), out: link(9, "about") };
  const stories = [
    story(1, { full_slug: "en/start", path: "/", content }),
    story(2, { full_slug: "content/services", path: "services" }),
    story(3, { full_slug: "plain" }),
  ];
  const row = { uuid: uuid(9), id: 9, name: "About", slug: "about-us", is_folder: false, published: true };
  const project = await temporaryFolder();
  const dir = join(project, "output");
  const sample = { editions: { "published/default": stories }, parts: { "links/published": [row] } };
  await commitSample(sample, openFileStore(dir));
  const config = join(project, "sync.config.yaml");
  const include = "{ contentTypes: [page] }";
  await writeFile(config, `source: { url: "https://example.com", token: t0ken, include: ${include} }\n`);
  await using snapshot = await openSnapshot(dir, { config, generation: "latest" });
  const urls = await snapshot.references();
  expect(urls.map(({ full_slug, url }) => [full_slug, url])).toEqual([
    ["content/services", "/services"],
    ["en/start", "/"],
    ["plain", "/plain"],
  ]);
  expect((await snapshot.page("/services/"))?.uuid).toBe(uuid(2));
  expect(await snapshot.page("/content/services")).toBeUndefined();
  expect((await snapshot.story("content/services"))?.url).toBe("/services");
  const home = await snapshot.page("/");
  expect(home?.uuid).toBe(uuid(1));
  expect((await snapshot.story(""))?.uuid).toBe(uuid(1));
  expect(home?.content).toMatchObject({ to: { url: "/services" }, out: { url: "/about-us", cached_url: "about-us" } });
  await using bySlug = await openSnapshot(dir, {
    config,
    generation: "latest",
    links: { use: "slug", home: "en/start" },
  });
  expect((await bySlug.page("/content/services"))?.uuid).toBe(uuid(2));
  expect((await bySlug.page("/"))?.uuid).toBe(uuid(1));
});

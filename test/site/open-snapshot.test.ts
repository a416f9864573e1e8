import { copyFile, mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shownContent } from "../../src/content/tree/content-index.js";
import { expectedContent } from "../../src/content/tree/is-content-current.js";
import {
  buildInfo,
  currentManifest,
  loadConfig,
  type OpenSnapshotOptions,
  openSnapshot,
  pinGeneration,
  type Snapshot,
} from "../../src/index.js";
import { generationFile, storyIndexFolder } from "../../src/snapshot/layout.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const variable = "OFFPRINT_PINNED";

beforeEach(() => {
  delete process.env[variable];
});
afterEach(() => {
  delete process.env[variable];
});

const published: SampleContent = {
  editions: {
    "published/default": [
      story(1, { full_slug: "home", slug: "home", name: "Home" }),
      story(2, { full_slug: "blog/", slug: "blog", name: "Blog", is_startpage: true }),
      story(3, {
        full_slug: "blog/first",
        slug: "first",
        name: "First",
        content: { _uid: "u3", component: "post", author: uuid(5), related: [uuid(4), uuid(99)] },
      }),
      story(4, {
        full_slug: "blog/café",
        slug: "café",
        name: "Café",
        content: { _uid: "u4", component: "post", author: uuid(5), related: [uuid(3)] },
      }),
      story(5, { full_slug: "authors/ada", slug: "ada", name: "Ada", content: { _uid: "u5", component: "author" } }),
    ],
    "published/de": [
      story(1, { full_slug: "de/home", slug: "home", name: "Start" }),
      story(3, { full_slug: "de/blog/first", slug: "first", name: "Erster" }),
    ],
  },
};

/** An output folder with a snapshot of these stories. */
async function folderWith(content: SampleContent): Promise<string> {
  const dir = await temporaryFolder();
  await commitSample(content, openFileStore(dir));
  return dir;
}

test("finds a story by uuid, or by slug with outer slashes, percent-encoded, or with its language", async () => {
  await using snapshot = await openSnapshot(await folderWith(published));
  const names = async (keys: string[], language = "default") =>
    Promise.all(keys.map(async (key) => (await snapshot.story(key, { language }))?.name));
  expect(await names([uuid(3), "blog/first", "/blog/first/"])).toEqual(["First", "First", "First"]);
  expect(await names(["blog", "blog/", "blog/café", "blog/caf%C3%A9"])).toEqual(["Blog", "Blog", "Café", "Café"]);
  expect(await names(["", "/", "home"])).toEqual(["Home", "Home", "Home"]);
  expect(await names(["de/blog/first", "blog/first", "", "de"], "de")).toEqual(["Erster", "Erster", "Start", "Start"]);
  expect(await names(["nothing", uuid(98), "100%", "blog/first/x"])).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect((await snapshot.story({ uuid: uuid(4) }))?.name).toBe("Café");
  expect((await snapshot.story({ slug: "blog/first" }, { language: "de" }))?.url).toBe("/de/blog/first");
});

test("finds a page only at its URL, in its language", async () => {
  await using snapshot = await openSnapshot(await folderWith(published));
  const found = async (path: string) => {
    const page = await snapshot.page(path);
    return page && [page.name, page.language];
  };
  expect(await found("/")).toEqual(["Home", "default"]);
  expect(await found("/de/")).toEqual(["Start", "de"]);
  expect(await found("/blog/caf%C3%A9")).toEqual(["Café", "default"]);
  expect(await found("blog/first/?page=2#top")).toEqual(["First", "default"]);
  expect(await found("/de/blog/first")).toEqual(["Erster", "de"]);
  // The home page is at `/`, and a page without a translation is not in that language.
  expect(await found("/home")).toBeUndefined();
  expect(await found("/de/blog")).toBeUndefined();
  expect(await found("/nothing")).toBeUndefined();
});

test("relations become references with a URL, or stories to the given depth, and cycles end", async () => {
  await using snapshot = await openSnapshot(await folderWith(published));
  const first = await snapshot.story("blog/first");
  expect(first?.content.author).toEqual({
    uuid: uuid(5),
    full_slug: "authors/ada",
    name: "Ada",
    component: "author",
    url: "/authors/ada",
  });
  // An unknown story stays unchanged.
  expect(first?.content.related).toMatchObject([{ url: "/blog/caf%C3%A9" }, uuid(99)]);
  const deep = await snapshot.story("blog/first", { depth: 5 });
  expect(deep?.content).toMatchObject({
    author: { name: "Ada", url: "/authors/ada", content: { component: "author" } },
    related: [{ name: "Café", content: { related: [{ uuid: uuid(3), full_slug: "blog/first" }] } }, uuid(99)],
  });
});

test("returns stories and references in slug order, by type and prefix", async () => {
  await using snapshot = await openSnapshot(await folderWith(published));
  const slugs = async (filter: Parameters<typeof snapshot.stories>[0]) => {
    const found: string[] = [];
    for await (const { full_slug } of snapshot.stories(filter)) found.push(full_slug);
    expect((await snapshot.references(filter)).map(({ full_slug }) => full_slug)).toEqual(found);
    return found;
  };
  expect(await slugs({})).toEqual(["authors/ada", "blog/", "blog/café", "blog/first", "home"]);
  expect(await slugs({ startsWith: "blog/" })).toEqual(["blog/", "blog/café", "blog/first"]);
  expect(await slugs({ component: ["post", "author"] })).toEqual(["authors/ada", "blog/café", "blog/first"]);
  expect(await slugs({ component: "post", startsWith: "/blog/f" })).toEqual(["blog/first"]);
  expect(await slugs({ component: "post", startsWith: "authors" })).toEqual([]);
  expect(await slugs({ language: "de", startsWith: "blog" })).toEqual(["de/blog/first"]);
  expect(await snapshot.components()).toEqual(["author", "page", "post"]);
  const stored: string[] = [];
  for await (const { full_slug } of snapshot.stories({ startsWith: "blog/", order: "stored" })) stored.push(full_slug);
  expect(stored.sort()).toEqual(["blog/", "blog/café", "blog/first"]);
});

test("a build keeps reading the generation that it opened first", async () => {
  const dir = await folderWith(published);
  const store = openFileStore(dir);
  const before = await openSnapshot(dir);
  await commitSample({ editions: { "published/default": [story(1, { name: "New", full_slug: "home" })] } }, store);
  const [after, latest, second] = [
    await openSnapshot(dir),
    await openSnapshot(dir, { generation: "latest" }),
    await openSnapshot(dir, { generation: 2 }),
  ];
  expect([before, after, latest, second].map(({ generation }) => generation)).toEqual([1, 1, 2, 2]);
  expect((await after.story("home"))?.name).toBe("Home");
  expect((await latest.story("home"))?.name).toBe("New");
  expect(JSON.parse(process.env[variable] ?? "")).toEqual({ [await realpath(dir)]: 1 });
  expect(await pinGeneration(dir)).toBe(1);
  await store.remove(generationFile(1));
  await expect(openSnapshot(dir)).rejects.toMatchObject({
    code: "SNAPSHOT_MISSING",
    message: expect.stringContaining("Generation 1"),
  });
});

test("a build names its pinned generation with hashes of content and settings, which the command also computes", async () => {
  const dir = await folderWith(published);
  const file = join(await temporaryFolder(), "sync.config.yaml");
  await writeFile(
    file,
    `source: { url: "https://api.example.com", token: token-of-test, include: { startsWith: ["blog/"] } }
output: { dir: ${JSON.stringify(dir)}, shardBytes: 70000 }
resolve: { links: { pattern: "/x/{slug}/", home: [home, start] } }
assets: { baseUrl: /cms }
`,
  );
  const info = await buildInfo(undefined, { config: file });
  const manifest = await currentManifest(openFileStore(dir));
  const config = await loadConfig({ file, cwd: dir, env: {}, tokenOptional: true });
  expect(info.fileName).toBe("offprint.json");
  expect(shownContent(Buffer.from(info.source))).toEqual(expectedContent(config, manifest!));
  expect(Object.keys(JSON.parse(info.source))).toEqual(["generator", "format", "generation", "snapshot", "settings"]);
  expect(info.source).not.toMatch(/token-of-test|example|blog/);
  // The site's code overrides the configuration; a deployment with other code is not asked for.
  const overridden: OpenSnapshotOptions = { config: file, links: { pattern: "/other/{slug}" }, depth: 3 };
  expect(await buildInfo(undefined, overridden)).toEqual(info);
  await commitSample({ editions: { "published/default": [story(1, { full_slug: "home" })] } }, openFileStore(dir));
  expect(await buildInfo(undefined, { config: file })).toEqual(info);
  expect(JSON.parse((await buildInfo(undefined, { config: file, generation: "latest" })).source).generation).toBe(2);
});

test.for(["7", "{", '{"/a":0}', '{"/a":"1"}', "[]"])("reports a malformed %s in the variable", async (value) => {
  const dir = await folderWith(published);
  process.env[variable] = value;
  await expect(openSnapshot(dir)).rejects.toMatchObject({
    code: "USAGE",
    message: expect.stringContaining(variable),
    hint: expect.stringContaining(`Unset ${variable}`),
  });
});

test("shows the command that creates a missing snapshot, and the existing editions for an unknown one", async () => {
  const empty = await temporaryFolder();
  await expect(openSnapshot(empty)).rejects.toMatchObject({
    code: "SNAPSHOT_MISSING",
    hint: expect.stringContaining("offprint sync"),
  });
  await using snapshot = await openSnapshot(await folderWith(published));
  await expect(snapshot.story("home", { language: "fr" })).rejects.toMatchObject({
    code: "USAGE",
    message: expect.stringContaining("published/fr"),
    hint: expect.stringContaining("published/default, published/de"),
  });
});

test("refuses a version or language that the snapshot lacks, at opening and in every question", async () => {
  const dir = await folderWith(published);
  const refused = { code: "USAGE", hint: expect.stringContaining("published/default") };
  await expect(openSnapshot(dir, { version: "draft" })).rejects.toMatchObject(refused);
  await expect(openSnapshot(dir, { language: "fr" })).rejects.toMatchObject(refused);
  await using snapshot = await openSnapshot(dir);
  await expect(snapshot.page("/", { version: "draft" })).rejects.toMatchObject(refused);
  await expect(snapshot.references({ release: "7" })).rejects.toMatchObject(refused);
  await expect(snapshot.stories({ version: "draft" })[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
});

test("refuses a question after close", async () => {
  const snapshot = await openSnapshot(await folderWith(published));
  await snapshot.close();
  await expect(snapshot.story("home")).rejects.toMatchObject({
    code: "USAGE",
    message: expect.stringContaining("closed"),
  });
});

test("derives an index again if it is damaged or cannot be written", async () => {
  const dir = await folderWith(published);
  await (await openSnapshot(dir)).references();
  const store = openFileStore(dir);
  const [index] = await store.list(".work/story-index");
  const bytes = Buffer.from((await store.get(index!.name)) ?? "");
  for (const at of [0, 30, 60, bytes.length - 10]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = damaged[at]! ^ 1;
    await writeFile(join(dir, index!.name), damaged);
    const snapshot = await openSnapshot(dir);
    expect(await snapshot.references()).toHaveLength(5);
    expect((await snapshot.story("blog/first"))?.name).toBe("First");
  }
  const blocked = await folderWith(published);
  await mkdir(join(blocked, ".work"), { recursive: true });
  await writeFile(join(blocked, ".work/story-index"), "");
  expect(await (await openSnapshot(blocked)).references()).toHaveLength(5);
});

test("finds a page in a folder with the name of its language", async () => {
  const german = [story(1, { full_slug: "de/b", name: "B" }), story(2, { full_slug: "de/de/b", name: "Folder" })];
  const content = {
    editions: { "published/default": [story(1, { full_slug: "b", name: "B" })], "published/de": german },
  };
  await using both = await openSnapshot(await folderWith(content));
  expect([(await both.page("/de/b"))?.name, (await both.page("/de/de/b"))?.name]).toEqual(["B", "Folder"]);
  await using one = await openSnapshot(
    await folderWith({ editions: { ...content.editions, "published/de": german.slice(1) } }),
  );
  expect([(await one.page("/de/b"))?.name, (await one.page("/de/de/b"))?.name]).toEqual([undefined, "Folder"]);
  expect((await one.story("de/b", { language: "de" }))?.name).toBe("Folder");
});

test("ignores an index with the file name of another edition", async () => {
  const dir = await folderWith(published);
  await using first = await openSnapshot(dir);
  expect((await first.story("blog/first"))?.name).toBe("First");
  expect((await first.story("blog/first", { language: "de" }))?.name).toBe("Erster");
  const files = await openFileStore(dir).list(storyIndexFolder);
  const [german, usual] = ["/de/", "/default/"].map((part) => files.find(({ name }) => name.includes(part))?.name);
  await copyFile(join(dir, german ?? ""), join(dir, usual ?? ""));
  await using second = await openSnapshot(dir);
  expect((await second.story("blog/first"))?.name).toBe("First");
});

test("an address without a file has no bytes", async () => {
  await using snapshot = await openSnapshot(await folderWith(published), { assetBaseUrl: "/cms" });
  const hash = "0".repeat(32);
  for (const name of ["%00", "a".repeat(5_000), "..", "a%2fb", "gone.png"]) {
    expect(await snapshot.asset(`/cms/${hash}/${name}`)).toBeUndefined();
  }
});

describe("invalid arguments of a question", () => {
  test.each<[string, (snapshot: Snapshot) => Promise<unknown>, string]>([
    ["an invalid key", (snapshot) => snapshot.story(12 as never), "story() was called with 12."],
    ["no key", (snapshot) => snapshot.story(undefined as never), "story() was called with undefined."],
    [
      "no path",
      (snapshot) => snapshot.page(undefined as never),
      "page() was called with undefined, which is not a text.",
    ],
    [
      "all invalid values and options at once",
      (snapshot) => snapshot.page("/", { richText: "htm", lang: "de" } as never),
      'page(): richText is "htm", but should be document or html or markdown or text; unknown option "lang".',
    ],
    [
      "an invalid filter",
      (snapshot) => snapshot.references({ starts_with: "about/" } as never),
      'references(): unknown option "starts_with".',
    ],
    [
      "an invalid order",
      async (snapshot) => {
        for await (const _ of snapshot.stories({ order: "newest" } as never)) break;
      },
      'stories(): order is "newest", but should be slug or stored.',
    ],
  ])("%s", async (_, ask, message) => {
    const dir = await folderWith(published);
    await using snapshot = await openSnapshot(dir);
    await expect(ask(snapshot)).rejects.toMatchObject({ code: "USAGE", message });
  });

  test("options alone open the snapshot of their configuration; an invalid generation is refused", async () => {
    await expect(openSnapshot({ config: "nope.yaml" })).rejects.toMatchObject({ code: "CONFIG_MISSING" });
    await expect(openSnapshot({ generation: "newest" } as never)).rejects.toMatchObject({
      code: "USAGE",
      message: 'openSnapshot(): generation is "newest", but should be pinned, latest or a number.',
    });
  });
});

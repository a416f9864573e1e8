import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type OffprintLoaderOptions,
  offprintDatasource,
  offprintLiveLoader,
  offprintLoader,
} from "../../../src/site/adapters/astro.js";
import type { DataEntry, LoaderContext } from "../../../src/site/adapters/astro-content.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

beforeEach(() => {
  delete process.env.OFFPRINT_PINNED;
});
afterEach(() => {
  delete process.env.OFFPRINT_PINNED;
});

const article = (id: number, slug: string, more: object = {}) =>
  story(id, { full_slug: slug, slug, name: slug, content: { _uid: `u${id}`, component: "article", ...more } });

const first: SampleContent = {
  editions: {
    "published/default": [
      article(1, "one", { text: doc("One <b>& only</b>"), author: uuid(3) }),
      article(2, "two"),
      story(3, { full_slug: "people/ada", slug: "ada", name: "Ada" }),
    ],
    "published/de": [article(1, "de/eins")],
  },
};

function doc(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
}

/** Astro's context of a collection, with a store that records its changes. */
function collection() {
  const entries = new Map<string, DataEntry>();
  const metadata = new Map<string, string>();
  const log: string[] = [];
  const said: string[] = [];
  const context: LoaderContext = {
    collection: "pages",
    store: {
      get: (id) => entries.get(id),
      keys: () => [...entries.keys()],
      set(entry) {
        log.push(`set ${entry.id}`);
        entries.set(entry.id, entry);
        return true;
      },
      delete(id) {
        log.push(`delete ${id}`);
        entries.delete(id);
      },
    },
    meta: { get: (key) => metadata.get(key), set: (key, value) => void metadata.set(key, value) },
    logger: {
      info: (text) => void said.push(text),
      warn: (text) => void said.push(text),
      error: (text) => void said.push(text),
    },
    parseData: async ({ data }) => data,
    generateDigest: (data) => createHash("sha256").update(JSON.stringify(data)).digest("hex"),
  };
  return { context, entries, said, done: () => log.splice(0).sort() };
}

async function folderWith(content: SampleContent) {
  const dir = await temporaryFolder();
  const commit = (next: SampleContent) => commitSample(next, openFileStore(dir));
  await commit(content);
  return { dir, commit, latest: { dir, snapshot: { generation: "latest" as const } } };
}

test("a collection has every story of every language, with its data, its body as HTML and its translations", async () => {
  const { latest } = await folderWith(first);
  const { context, entries } = collection();
  await offprintLoader(latest).load(context);
  expect([...entries.keys()].sort()).toEqual(["de/eins", "one", "people/ada", "two"]);
  const one = entries.get("one");
  expect(one?.data).toMatchObject({
    url: "/one",
    language: "default",
    content: { author: { name: "Ada", url: "/people/ada" } },
  });
  expect(one?.data.translations).toMatchObject([{ url: "/one" }, { url: "/de/eins", language: "de" }]);
  expect(one?.rendered?.html).toBe("<p>One &#x3C;b>&#x26; only&#x3C;/b></p>");
});

test("sets nothing for the same generation, and only differences after a sync", async () => {
  const { commit, latest } = await folderWith(first);
  const { context, done } = collection();
  const loader = offprintLoader(latest);
  await loader.load(context);
  expect(done()).toEqual(["set de/eins", "set one", "set people/ada", "set two"]);
  await loader.load(context);
  expect(done()).toEqual([]);
  await commit({
    editions: {
      ...first.editions,
      "published/default": [
        article(1, "one", { text: doc("One"), author: uuid(3) }),
        article(4, "four"),
        first.editions["published/default"]![2]!,
      ],
    },
  });
  await loader.load(context);
  // The German page shows the other one's address, which is unchanged.
  expect(done()).toEqual(["delete two", "set four", "set one"]);
});

test("an entry is set again if another story that it shows has changed", async () => {
  const { commit, latest } = await folderWith(first);
  const { context, done } = collection();
  const loader = offprintLoader(latest);
  await loader.load(context);
  done();
  const [one, two] = first.editions["published/default"]!;
  const moved = story(3, { full_slug: "people/ada-lovelace", slug: "ada-lovelace", name: "Ada Lovelace" });
  await commit({ editions: { ...first.editions, "published/default": [one!, two!, moved] } });
  await loader.load(context);
  expect(done()).toEqual(["delete people/ada", "set one", "set people/ada-lovelace"]);
});

test("a changed configuration loads the collection again", async () => {
  const { dir } = await folderWith(first);
  const { context, entries } = collection();
  const config = join(await temporaryFolder(), "sync.config.yaml");
  const write = (pattern: string) =>
    writeFile(config, `source: { url: "demo:", token: demo }\nresolve: { links: { pattern: "${pattern}" } }\n`);
  const load = () => offprintLoader({ dir, snapshot: { config, generation: "latest" } }).load(context);
  await write("/{language?}/{slug}");
  await load();
  await write("/{language}/{slug}/");
  await load();
  expect(entries.get("one")?.data.url).toBe("/default/one/");
});

test("a collection of one language has ids without its prefix; another rule is a function", async () => {
  const { latest } = await folderWith(first);
  const german = collection();
  await offprintLoader({ ...latest, languages: ["de"] }).load(german.context);
  const own = collection();
  await offprintLoader({ ...latest, component: "article", id: ({ uuid: id, language }) => `${id}-${language}` }).load(
    own.context,
  );
  expect([...german.entries.keys()]).toEqual(["eins"]);
  expect([...own.entries.keys()].sort()).toEqual([`${uuid(1)}-de`, `${uuid(1)}-default`, `${uuid(2)}-default`].sort());
});

test("skips and reports the second of two stories with the same id", async () => {
  const { latest } = await folderWith(first);
  const { context, entries, said } = collection();
  await offprintLoader({ ...latest, id: () => "same" }).load(context);
  expect(entries.size).toBe(1);
  expect(said).toHaveLength(3);
  expect(said[0]).toBe("pages: people/ada has the id of one, same: it is left out");
});

test("a build reads the generation that it pinned; a refresh of an integration reads the newest", async () => {
  const { dir, commit } = await folderWith(first);
  const { context, entries, done } = collection();
  const loader = offprintLoader({ dir });
  await loader.load(context);
  done();
  await commit({ editions: { "published/default": [article(9, "nine")] } });
  await loader.load(context);
  expect(done()).toEqual([]);
  await loader.load({ ...context, refreshContextData: { webhook: true } });
  expect([...entries.keys()]).toEqual(["nine"]);
});

test("the dev server loads again only if the pointer is replaced", async () => {
  const { latest, commit, dir } = await folderWith(first);
  const watched: string[] = [];
  const watcher = Object.assign(new EventEmitter(), { add: (path: string) => void watched.push(path) });
  const { context, entries } = collection();
  const loaded = new Promise<void>((resolve) => {
    const { set } = context.meta;
    context.meta.set = (key, value) => {
      set(key, value);
      if (entries.has("nine")) resolve();
    };
  });
  await offprintLoader(latest).load({ ...context, watcher });
  expect(watched).toEqual([join(dir, "manifest.json")]);
  await commit({ editions: { "published/default": [article(9, "nine")] } });
  watcher.emit("change", join(dir, "other.json"));
  watcher.emit("change", watched[0]);
  await loaded;
  expect([...entries.keys()]).toEqual(["nine"]);
});

test("without a snapshot, the error shows the command to run", async () => {
  const { context } = collection();
  await expect(offprintLoader({ dir: await temporaryFolder() }).load(context)).rejects.toThrow(
    expect.objectContaining({ code: "SNAPSHOT_MISSING", hint: expect.stringContaining("offprint sync") }),
  );
});

test("a datasource is a collection of its entries by name; a missing one is an error", async () => {
  const parts = {
    datasources: [{ id: 5, name: "Labels", slug: "labels", dimensions: [] }],
    "entries/5": [
      { id: 1, name: "b", value: "B", dimension_value: null },
      { id: 2, name: "a", value: "A", dimension_value: null },
    ],
  };
  const { latest } = await folderWith({ ...first, parts });
  const { context, entries } = collection();
  await offprintDatasource("labels", latest).load(context);
  expect([...entries].map(([id, { data }]) => [id, data.value])).toEqual([
    ["b", "B"],
    ["a", "A"],
  ]);
  await expect(offprintDatasource("none", latest).load(collection().context)).rejects.toThrow('no datasource "none"');
});

test("a live collection reads the newest generation, by path, uuid or slug, and hints uuid, tags and date to caches", async () => {
  const { dir, commit } = await folderWith(first);
  const { loadEntry, loadCollection } = offprintLiveLoader({ dir });
  const one = await loadEntry({ filter: { id: "/de/eins" } });
  expect(one).toMatchObject({
    id: "/de/eins",
    data: { uuid: uuid(1), language: "de" },
    cacheHint: {
      tags: [uuid(1), "offprint", "at:eins", `link:${uuid(1)}`, `story:${uuid(1)}`],
      lastModified: new Date("2024-02-01T00:00:00.000Z"),
    },
  });
  expect(await loadEntry({ filter: { uuid: uuid(1), language: "de" } })).toEqual({
    ...one,
    cacheHint: {
      tags: [uuid(1), "offprint", `link:${uuid(1)}`, `story:${uuid(1)}`],
      lastModified: new Date("2024-02-01T00:00:00.000Z"),
    },
  });
  expect(await loadEntry({ filter: { slug: "one" } })).toMatchObject({
    rendered: { html: "<p>One &#x3C;b>&#x26; only&#x3C;/b></p>" },
  });
  expect(await loadEntry({ filter: { id: "/nothing" } })).toBeUndefined();
  expect(await loadEntry({ filter: {} })).toBeUndefined();
  await commit({ editions: { "published/default": [article(9, "nine"), article(8, "eight")] } });
  expect(await loadCollection({ filter: { component: "article" } })).toMatchObject({
    entries: [{ id: "/eight" }, { id: "/nine" }],
    cacheHint: {
      tags: [
        ...[uuid(8), uuid(9), "offprint", "languages"],
        ...[`link:${uuid(9)}`, `link:${uuid(8)}`, "list:article:default"],
        ...[`story:${uuid(9)}`, `story:${uuid(8)}`],
      ],
    },
  });
});

test("a live collection returns errors as values, as Astro expects", async () => {
  const { loadEntry } = offprintLiveLoader({ dir: await temporaryFolder() });
  expect(await loadEntry({ filter: { id: "/" } })).toEqual({
    error: expect.objectContaining({ code: "SNAPSHOT_MISSING" }),
  });
});

test("other loader options load the collection again; the same ones set nothing", async () => {
  const { latest } = await folderWith(first);
  const { context, entries, done } = collection();
  const load = (options: OffprintLoaderOptions) => offprintLoader({ ...latest, ...options }).load(context);
  await load({ component: "article", languages: ["default"] });
  await load({ component: "page" });
  expect([...entries.keys()]).toEqual(["people/ada"]);
  await load({ component: "page", html: () => "one" });
  await load({ component: "page", html: () => "two" });
  expect(entries.get("people/ada")?.rendered?.html).toBe("two");
  done();
  await load({ component: "page", html: () => "two" });
  expect(done()).toEqual([]);
  await load({ component: "page", id: () => "ada" });
  expect([...entries.keys()]).toEqual(["ada"]);
});

test("no id is empty: a root becomes index, and a datasource entry without a name is reported", async () => {
  const editions = {
    "published/default": [article(1, "/"), article(2, "default/x")],
    "published/de": [article(1, "de/"), article(2, "de/de")],
  };
  const parts = {
    datasources: [{ id: 5, name: "Labels", slug: "labels", dimensions: [] }],
    "entries/5": [
      { id: 1, name: "", value: "nameless", dimension_value: null },
      { id: 2, name: "a", value: "A", dimension_value: null },
    ],
  };
  const { latest } = await folderWith({ editions, parts });
  const ids = async (options: OffprintLoaderOptions) => {
    const { context, entries } = collection();
    await offprintLoader({ ...latest, ...options }).load(context);
    return [...entries.keys()].sort();
  };
  expect(await ids({ languages: ["default"] })).toEqual(["default/x", "index"]);
  expect(await ids({ languages: ["de"] })).toEqual(["de", "index"]);
  expect(await ids({ languages: ["de"], id: ({ name }) => (name === "de/" ? "" : name) })).toEqual(["de/de", "index"]);
  const labels = collection();
  await offprintDatasource("labels", latest).load(labels.context);
  expect([...labels.entries.keys()]).toEqual(["a"]);
  expect(labels.said).toEqual([
    'pages: the datasource labels has an entry without a name ("nameless"): it is left out',
  ]);
});

test("keys that Astro cannot store are left out, and reported once", async () => {
  const hostile: object = JSON.parse('{"seo":[{"__proto__":{"x":1},"title":"T"}],"__proto__":{"y":1}}');
  const { latest } = await folderWith({
    editions: { "published/default": [article(1, "one", hostile), article(2, "two", hostile), article(3, "three")] },
  });
  const { context, entries, said } = collection();
  await offprintLoader(latest).load(context);
  expect(JSON.stringify([...entries.values()])).not.toContain("__proto__");
  expect(entries.get("two")?.data.content).toMatchObject({ component: "article", seo: [{ title: "T" }] });
  expect(said).toEqual(["pages: one has a field named __proto__, which Astro cannot store: such fields are left out"]);
});

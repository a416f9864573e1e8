import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openSnapshot, type PageSelection, readPages, type Snapshot } from "../../src/index.js";
import { offprintLiveLoader } from "../../src/site/adapters/astro.js";
import { staticParams } from "../../src/site/adapters/next.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const prose =
  "These thirty words and some more are what the settings of this site tell its readers: who writes here, ".repeat(2);
const of = (id: number, slug: string, component: string, fields: object = {}) =>
  story(id, { full_slug: slug, slug, name: slug, content: { _uid: `u${id}`, component, ...fields } });

let snapshot: Snapshot;

beforeEach(async () => {
  const dir = await temporaryFolder();
  const stories = [
    of(1, "home", "site_config"),
    of(2, "about", "page"),
    of(3, "settings", "site_config", { footer: "Copyright" }),
    of(4, "imprint", "site_config", { text: prose }),
    of(5, "menu", "navigation"),
    of(6, "quote", "quote"),
  ];
  await commitSample({ editions: { "published/default": stories } }, openFileStore(join(dir, "output")));
  const config = join(dir, "sync.config.yaml");
  const types = "{ quote: { markdown: false }, navigation: { markdown: true } }";
  await writeFile(config, `source: { url: 'demo:', token: demo }\ncontent: { types: ${types} }\n`);
  snapshot = await openSnapshot(join(dir, "output"), { config, generation: "latest" });
  onTestFinished(() => snapshot.close());
});

const pages = ["about", "home", "imprint", "menu"];
const all = ["about", "home", "imprint", "menu", "quote", "settings"];

/** Slugs of what is read as pages. */
async function read(selection: PageSelection): Promise<string[]> {
  const found: string[] = [];
  for await (const { slug } of readPages(snapshot, selection)) found.push(slug);
  return found;
}

describe("stories of settings", () => {
  test("are no pages, unless they hold prose, are the home page, or the configuration makes them pages", async () => {
    expect((await snapshot.references({ pages: true })).map(({ slug }) => slug)).toEqual(pages);
    const stories = [];
    for await (const { slug } of snapshot.stories({ pages: true, order: "stored" })) stories.push(slug);
    expect(stories.sort()).toEqual(pages);
  });

  test("stay among stories and references", async () => {
    expect((await snapshot.references()).map(({ slug }) => slug)).toEqual(all);
    expect(await snapshot.page("/settings")).toMatchObject({ name: "settings" });
  });

  test("are read as pages where somebody asks for them", async () => {
    expect(await read({})).toEqual(pages);
    expect(await read({ pages: false })).toEqual(all);
    expect(await read({ component: "site_config" })).toEqual(["home", "imprint", "settings"]);
  });

  test("leave a tracked list of pages its own key, also after a question for all stories", async () => {
    const keyOf = async (pages: boolean) => (await snapshot.track((s) => s.references({ pages }))).key;
    const ofAll = await keyOf(false);
    const ofPages = await keyOf(true);
    expect(ofPages).not.toBe(ofAll);
    const config = join(snapshot.address, "..", "sync.config.yaml");
    const again = await openSnapshot(snapshot.address, { config, generation: "latest" });
    onTestFinished(() => again.close());
    expect((await again.track((s) => s.references({ pages: true }))).key).toBe(ofPages);
  });

  test("name a tracked list of pages when their record changes: prose makes one a page", async () => {
    const { tags } = await snapshot.track((s) => s.references({ pages: true }));
    expect(tags).toEqual(["offprint", "list:default", "type:navigation:default", "type:site_config:default"]);
  });

  test("get no static path in Next", async () => {
    const paths = (params: { path: string[] }[]) => params.map(({ path }) => path.join("/"));
    expect(paths(await staticParams(snapshot))).toEqual(["about", "", "imprint", "menu"]);
    expect(paths(await staticParams(snapshot, { component: "quote" }))).toEqual(["quote"]);
  });
});

test("a draft as a page names the translations that are drafts", async () => {
  const dir = await temporaryFolder();
  const renamed = (language: string) => `${language}renamed`;
  const editions = {
    "published/default": [story(1)],
    "published/de": [story(1, { full_slug: "de/story-1" })],
    "draft/default": [story(1, { full_slug: renamed("") }), story(2)],
    "draft/de": [story(1, { full_slug: renamed("de/") }), story(2, { full_slug: "de/story-2" })],
  };
  await commitSample({ editions }, openFileStore(dir));
  await using both = await openSnapshot(dir, { generation: "latest" });
  const found: Record<string, string[]> = {};
  for await (const { url, translations } of readPages(both, { version: "draft" })) {
    found[url] = translations.map((one) => one.url);
  }
  expect(found).toEqual({
    "/renamed": ["/renamed", "/de/renamed"],
    "/story-2": ["/story-2", "/de/story-2"],
    "/de/renamed": ["/renamed", "/de/renamed"],
    "/de/story-2": ["/story-2", "/de/story-2"],
  });
  const live = await offprintLiveLoader({ dir, version: "draft" }).loadEntry({ filter: { id: "/de/story-2" } });
  expect(live).toMatchObject({ data: { translations: [{ url: "/story-2" }, { url: "/de/story-2" }] } });
  const { key } = await both.track((s) => s.translations(uuid(1), { version: "draft" }));
  expect(key).not.toBe((await both.track((s) => s.translations(uuid(1)))).key);
});

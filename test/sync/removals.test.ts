import { describe, expect, onTestFinished, test } from "vitest";
import { type EditableContent, startEditableSpace } from "../support/editable-space.js";
import { startFrontServer } from "../support/front-server.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";

const stories = Array.from({ length: 30 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` }));
const none = {
  status: 200,
  headers: { total: "0", "per-page": "100" },
  body: { stories: [], cv: 1_700_000_000, rels: [], links: [] },
};

async function openSpace(content: Partial<EditableContent> = {}) {
  const space = await startEditableSpace({
    languages: ["de"],
    stories: stories.map((story) => ({ ...story })),
    ...content,
  });
  onTestFinished(() => space.close());
  return space;
}

describe("does not believe at once an answer that would remove stories", () => {
  test("an empty upstream, also when a filter changes in the same moment", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    await folder.configure(crawlYaml(space.url, "  include: { excludeSlugs: ['old/*'] }\n"));
    await space.publish((content) => {
      content.stories = [];
    });
    await expect(folder.sync()).rejects.toMatchObject({
      code: "UPSTREAM_EMPTY",
      message: "This sync would remove every story of published/default, published/de.",
    });
    expect((await folder.manifest()).generation).toBe(1);
    expect(await folder.sync({ forceRemove: true })).toMatchObject({ outcome: "committed", stories: { total: 0 } });
  });

  test("a language that answers with nothing, also when its fallback changes in the same moment", async () => {
    const space = await openSpace();
    let silent = false;
    const front = await startFrontServer(space.url, ({ path, query }) =>
      silent && path === "/v2/cdn/stories" && query.get("language") === "de" ? none : undefined,
    );
    onTestFinished(() => front.close());
    const folder = await syncFolder(crawlYaml(front.url, "  languages: [default, de]\n"));
    await folder.sync();
    await folder.configure(crawlYaml(front.url, "  languages: [default, { code: de, fallback: default }]\n"));
    silent = true;
    await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_EMPTY" });
    expect((await folder.manifest()).parts["stories/published/de"]?.records).toBe(30);
  });

  test("a language that the space no longer lists", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url, "  languages: all\n"));
    await folder.sync();
    await space.publish((content) => {
      content.languages = [];
    });
    await expect(folder.sync()).rejects.toMatchObject({
      code: "REMOVAL_BRAKE",
      message: expect.stringContaining("the space no longer lists this language"),
    });
    expect(await folder.sync({ forceRemove: true })).toMatchObject({ outcome: "committed" });
    expect(Object.keys((await folder.manifest()).parts)).not.toContain("stories/published/de");
  });

  test("the hint of a full sync removes the stories, also while the cv stays the same", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    await space.change((content) => {
      content.stories = content.stories.slice(0, 10);
    });
    await expect(folder.sync({ full: true })).rejects.toMatchObject({
      code: "REMOVAL_BRAKE",
      hint: expect.stringContaining("run `offprint sync --full --force-remove`."),
    });
    expect(await folder.sync({ full: true, forceRemove: true })).toMatchObject({
      outcome: "committed",
      stories: { total: 10, removed: 20 },
    });
  });

  test("the hint of a sync that was not full does not ask for a full one", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    await space.publish((content) => {
      content.stories = content.stories.slice(0, 10);
    });
    await expect(folder.sync()).rejects.toMatchObject({
      code: "REMOVAL_BRAKE",
      hint: expect.stringContaining("run `offprint sync --force-remove`."),
    });
    expect(await folder.sync({ forceRemove: true })).toMatchObject({ outcome: "committed" });
  });
});

describe("removes deleted stories", () => {
  test("a story whose uuid is a folder's now, and comes back as a story", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    await space.publish(({ stories: now }) => Object.assign(now[3] ?? {}, { folder: true }));
    expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { removed: 1 } });
    const { parts } = await folder.manifest();
    expect([parts["stories/published/default"]?.records, parts["stories/published/de"]?.records]).toEqual([29, 29]);
    await space.publish(({ stories: now }) => Object.assign(now[3] ?? {}, { folder: false }));
    expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { added: 1 } });
  });

  test("a story that is moved into a folder which is left out, translations included", async () => {
    const space = await openSpace();
    const folder = await syncFolder(crawlYaml(space.url, "  include: { excludeSlugs: ['secret/*'] }\n"));
    await folder.sync();
    await space.publish(({ stories: now }) => Object.assign(now[3] ?? {}, { slug: "secret/3" }));
    expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { removed: 1 } });
  });

  test("without a links listing, filters hold for translations under their language's prefix", async () => {
    const space = await openSpace();
    const front = await startFrontServer(space.url, ({ path }) =>
      path === "/v2/cdn/links" ? { status: 404, headers: {}, body: [] } : undefined,
    );
    onTestFinished(() => front.close());
    const folder = await syncFolder(
      crawlYaml(front.url, "  include: { startsWith: ['stories/'], excludeSlugs: ['stories/1*'] }\n"),
    );
    await folder.sync();
    const { parts } = await folder.manifest();
    expect(parts["stories/published/default"]?.records).toBe(19);
    expect(parts["stories/published/de"]?.records).toBe(19);
  });
});

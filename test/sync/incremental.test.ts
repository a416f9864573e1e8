import { describe, expect, onTestFinished, test } from "vitest";
import type { Progress } from "../../src/sync/crawl/run/progress.js";
import { type EditableContent, startEditableSpace, uuidOf } from "../support/editable-space.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

/** Probes, one index page, datasources, tags, experiments, space: what a changed cv costs before any story is asked for. */
const base = 7;

async function synced(content: Partial<EditableContent>, more = "") {
  const space = await startEditableSpace({
    stories: Array.from({ length: 30 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
    ...content,
  });
  onTestFinished(() => space.close());
  const folder = await syncFolder(crawlYaml(space.url, more));
  await folder.sync();
  return { space, folder };
}

/** A fresh sync of the same space into another folder. */
async function fresh(url: string, more = ""): Promise<SyncFolder> {
  const folder = await syncFolder(crawlYaml(url, more));
  await folder.sync();
  return folder;
}

describe("a sync after changes requests the stories that its index shows", () => {
  const edits: [string, (content: EditableContent) => void, object][] = [
    [
      "an edited story",
      ({ stories }) => Object.assign(stories[3] ?? {}, { headline: "New", publishedAt: "2025-02-03T00:00:00.000Z" }),
      { changed: 1 },
    ],
    ["a created story", ({ stories }) => stories.push({ name: "Fresh", slug: "fresh" }), { added: 1 }],
    ["a deleted story", ({ stories }) => stories.splice(4, 1), { removed: 1 }],
    [
      "a moved story, whose dates stay",
      ({ stories }) => Object.assign(stories[5] ?? {}, { slug: "elsewhere/5" }),
      { changed: 1, moved: 1 },
    ],
    [
      "a renamed folder",
      ({ stories }) =>
        stories.splice(
          0,
          stories.length,
          ...stories.map((story) => ({ ...story, slug: story.slug.replace("stories/", "tales/") })),
        ),
      { changed: 30, moved: 30 },
    ],
    [
      "a story replaced by another under the same slug",
      ({ stories }) => Object.assign(stories[6] ?? {}, { uuid: uuidOf("another"), name: "Another" }),
      { added: 1, removed: 1 },
    ],
  ];

  test.each(edits)("%s: one request for stories, and the same shards as a fresh sync", async (_, edit, counts) => {
    const { space, folder } = await synced({});
    const before = space.requests();
    await space.publish(edit);
    const report = await folder.sync();
    expect(report.outcome).toBe("committed");
    expect(report.stories).toMatchObject({ added: 0, changed: 0, removed: 0, moved: 0, ...counts });
    expect(space.requests() - before).toBe(base + 1);
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
    expect((await folder.sync()).requests.total).toBe(1);
  });

  test.each<[string, (content: EditableContent) => void, object, number]>([
    [
      "a story that is published again without a change of its content",
      ({ stories }) => Object.assign(stories[3] ?? {}, { publishedAt: "2025-02-03T00:00:00.000Z" }),
      { changed: 1 },
      1,
    ],
    [
      "a story that is published with a date before its last one",
      ({ stories }) => Object.assign(stories[3] ?? {}, { publishedAt: "2020-02-03T00:00:00.000Z", headline: "Old" }),
      { changed: 1 },
      1,
    ],
    [
      "a scheduled story that goes live",
      ({ stories }) => stories.push({ name: "Scheduled", slug: "scheduled", publishedAt: "2023-06-01T00:00:00.000Z" }),
      { added: 1 },
      1,
    ],
    [
      "a release that is merged: several stories at once",
      ({ stories }) => {
        for (const story of stories.slice(0, 5)) Object.assign(story, { publishedAt: "2025-03-01T00:00:00.000Z" });
        stories.splice(5, 1);
        stories.push({ name: "Of the release", slug: "of-the-release" });
      },
      { added: 1, changed: 5, removed: 1 },
      1,
    ],
    [
      "a bulk import of stories with old dates",
      ({ stories }) => {
        for (let at = 0; at < 250; at++) {
          stories.push({ name: `Import ${at}`, slug: `import/${at}`, publishedAt: "2015-01-01T00:00:00.000Z" });
        }
      },
      { added: 250 },
      3,
    ],
  ])("%s", async (_, edit, counts, requests) => {
    const { space, folder } = await synced({});
    await space.publish(edit);
    const report = await folder.sync();
    expect(report.stories).toMatchObject({ added: 0, changed: 0, removed: 0, ...counts });
    expect(report.requests.total).toBe(base + requests);
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
  });

  test("restores a story that is unpublished and republished, or edited and reverted", async () => {
    const { space, folder } = await synced({});
    const { parts } = await folder.manifest();
    const taken = space.content.stories[7] ?? { name: "", slug: "" };
    await space.publish(({ stories }) => {
      stories.splice(7, 1);
      Object.assign(stories[2] ?? {}, { headline: "Edited", publishedAt: "2025-01-01T00:00:00.000Z" });
    });
    const gone = await folder.sync();
    expect(gone).toMatchObject({ stories: { changed: 1, removed: 1 }, requests: { total: base + 1 } });
    await space.publish(({ stories }) => {
      stories.splice(7, 0, taken);
      Object.assign(stories[2] ?? {}, { headline: undefined, publishedAt: undefined });
    });
    const back = await folder.sync();
    expect(back).toMatchObject({ stories: { changed: 1, added: 1 }, requests: { total: base + 1 } });
    expect((await folder.manifest()).parts).toEqual(parts);
  });

  test("finds a translation that is published without a new date by its line", async () => {
    const stories = Array.from({ length: 30 }, (_, at) => ({
      name: `Story ${at}`,
      slug: `stories/${at}`,
      languages: [] as string[],
    }));
    const { space, folder } = await synced({ languages: ["de"], stories });
    expect((await folder.manifest()).parts["stories/published/de"]?.records).toBe(0);
    await space.publish(({ stories: now }) => Object.assign(now[4] ?? {}, { languages: ["de"] }));
    const report = await folder.sync();
    expect(report.requests.total).toBe(base + 2);
    expect((await folder.manifest()).parts["stories/published/de"]?.records).toBe(1);
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
  });

  test("requests no story for a datasource entry that is edited with a new cv", async () => {
    const datasources = [{ slug: "colors", dimensions: [], entries: { red: "Rot" } }];
    const { space, folder } = await synced({ datasources });
    await space.publish(({ datasources: [colors] }) => Object.assign(colors?.entries ?? {}, { red: "Rouge" }));
    const report = await folder.sync();
    // One list of entries more than in the other spaces.
    expect(report).toMatchObject({ outcome: "committed", stories: { changed: 0 }, requests: { total: base + 1 } });
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
  });

  test("finds a datasource entry that is edited without a new cv in the recheck", async () => {
    const datasources = [{ slug: "colors", dimensions: [], entries: { red: "Rot" } }];
    const { space, folder } = await synced({ datasources });
    await space.change(({ datasources: [colors] }) => Object.assign(colors?.entries ?? {}, { red: "Rouge" }));
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
    await folder.configure(crawlYaml(space.url, "  recheck: 0s\n"));
    const report = await folder.sync();
    // Datasources, entries, tags and experiments are asked for past the edge first, which leads back to the pin here.
    expect(report).toMatchObject({ outcome: "committed", generation: 2, requests: { total: base + 1 + 4 } });
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
  });

  test("sweeps the index at a moved cv without differences, commits nothing, and notes the cv", async () => {
    const { space, folder } = await synced({});
    await space.publish();
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "unchanged", generation: 1, requests: { total: base } });
    expect((await folder.sync()).requests.total).toBe(1);
  });

  test("reads a neighbour of a renamed story, whose own line does not change", async () => {
    const { space, folder } = await synced({
      stories: [
        { name: "English", slug: "en/a", group: "a" },
        { name: "Deutsch", slug: "de/a", group: "a" },
        ...Array.from({ length: 200 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
      ],
    });
    await space.publish(({ stories }) => Object.assign(stories[0] ?? {}, { slug: "en/b" }));
    const report = await folder.sync();
    expect(report.stories).toMatchObject({ changed: 2, moved: 1 });
    // The batch of the renamed story, and another one for its neighbour.
    expect(report.requests.total).toBe(base + 2);
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
  });

  test.each([
    ["renamed", ["old"], ["new"]],
    ["merged into another", ["old", "kept"], ["kept", "kept"]],
  ])("stories of a tag that was %s in the space, whose lines do not change", async (_, before, after) => {
    const tagged = (tags: string[]) =>
      Array.from({ length: 150 }, (_, at) => ({
        name: `Story ${at}`,
        slug: `stories/${at}`,
        tags: at < 3 ? tags.slice(at % tags.length).slice(0, 1) : [],
      }));
    const { space, folder } = await synced({ stories: tagged(before) });
    await space.publish((content) => {
      content.stories = tagged(after);
    });
    const report = await folder.sync();
    expect(report.stories).toMatchObject({ changed: before.length === 1 ? 3 : 2 });
    // Two more than without stories: the stories that carry the tag, and their records.
    expect(report.requests.total).toBe(base + 2);
    expect((await folder.manifest()).parts).toEqual((await (await fresh(space.url)).manifest()).parts);
  });

  test("a story with a tag that is edited needs no second look", async () => {
    const { space, folder } = await synced({
      stories: [
        { name: "A", slug: "a", tags: ["x"] },
        { name: "B", slug: "b", tags: ["x"] },
      ],
    });
    await space.publish(({ stories }) =>
      Object.assign(stories[0] ?? {}, { tags: ["x", "y"], publishedAt: "2025-01-01T00:00:00.000Z" }),
    );
    expect((await folder.sync()).requests.total).toBe(base + 1);
  });
});

describe("configuration changes", () => {
  test("reads only an added language", async () => {
    const { space, folder } = await synced({ languages: ["de", "fr"] }, "  languages: [default, de]\n");
    await folder.configure(crawlYaml(space.url, "  languages: [default, de, fr]\n"));
    const report = await folder.sync();
    expect(report.outcome).toBe("committed");
    expect(report.requests.total).toBe(base + 1);
    expect(Object.keys((await folder.manifest()).parts)).toContain("stories/published/fr");
  });

  test("notices a language that is added to the space at the next cv", async () => {
    const { space, folder } = await synced({ languages: ["de"] }, "  languages: all\n");
    await space.publish((content) => {
      content.languages = ["de", "fr"];
    });
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "committed", stories: { changed: 0, removed: 0 } });
    expect((await folder.manifest()).editions.map(({ name, level }) => `${name} ${level}`)).toEqual([
      "published/default exact",
      "published/de exact",
      "published/fr exact",
    ]);
    expect(report.requests.total).toBe(base + 3);
    expect((await folder.manifest()).parts).toEqual(
      (await (await fresh(space.url, "  languages: all\n")).manifest()).parts,
    );
  });

  test("does not count a dropped language as a removal by the upstream", async () => {
    const { space, folder } = await synced({ languages: ["de"] }, "  languages: [default, de]\n");
    await folder.configure(crawlYaml(space.url, "  languages: [default]\n"));
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "committed", requests: { total: base } });
    expect(Object.keys((await folder.manifest()).parts)).not.toContain("stories/published/de");
  });

  test("does not count a dropped folder as a removal by the upstream, and reads the rest", async () => {
    const stories = Array.from({ length: 30 }, (_, at) => ({
      name: `Story ${at}`,
      slug: `${at < 3 ? "kept" : "old"}/${at}`,
    }));
    const { space, folder } = await synced({ stories });
    await folder.configure(crawlYaml(space.url, "  include: { excludeSlugs: ['old/*'] }\n"));
    const report = await folder.sync();
    expect(report).toMatchObject({
      outcome: "committed",
      stories: { total: 3, removed: 27 },
      requests: { total: base + 1 },
    });
    expect((await folder.manifest()).parts).toEqual(
      (await (await fresh(space.url, "  include: { excludeSlugs: ['old/*'] }\n")).manifest()).parts,
    );
  });

  test("keeps the index row of a story outside contentTypes, and requests it once per change", async () => {
    const types = "  include: { contentTypes: [article] }\n";
    const { space, folder } = await synced(
      {
        stories: [
          { name: "A", slug: "a", component: "article" },
          { name: "P", slug: "p" },
        ],
      },
      types,
    );
    const { parts } = await folder.manifest();
    expect([parts["stories/published/default"]?.records, parts["links/published"]?.records]).toEqual([1, 2]);
    await space.publish();
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: base } });
    await space.publish(({ stories }) => Object.assign(stories[1] ?? {}, { publishedAt: "2025-01-01T00:00:00.000Z" }));
    expect((await folder.sync()).requests.total).toBe(base + 1);
  });

  test("startsWith and excludeSlugs limit the index and the stories", async () => {
    const { folder } = await synced(
      { stories: ["a/1", "a/2", "a/secret/3", "b/4"].map((slug) => ({ name: slug, slug })) },
      "  include: { startsWith: [a/], excludeSlugs: ['a/secret/*'] }\n",
    );
    expect(
      (await folder.records())["stories/published/default"]?.map((line) => JSON.parse(line).full_slug).sort(),
    ).toEqual(["a/1", "a/2"]);
  });

  test("neither reads nor stores a part that is switched off", async () => {
    const off = "  include: { experiments: false, tags: false, datasources: none }\n";
    const { folder, space } = await synced({}, off);
    expect(Object.keys((await folder.manifest()).parts).sort()).toEqual([
      "assets",
      "links/published",
      "space",
      "stories/published/default",
    ]);
    // One batch of stories, and the question for taxonomies, but none of the three parts.
    expect(space.requests()).toBe(base + 2 - 3);
  });
});

describe("drafts", () => {
  const drafts = "  versions: [draft]\n";

  test("unchanged: the probe and one sweep of the index, and no write", async () => {
    const { folder } = await synced({}, drafts);
    const before = await folder.files();
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "unchanged", requests: { total: 2 } });
    expect(await folder.files()).toEqual(before);
  });

  test("changed: requests them, and sweeps the index again", async () => {
    const { space, folder } = await synced({}, drafts);
    await space.publish(({ stories }) => Object.assign(stories[0] ?? {}, { slug: "renamed" }));
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "committed", consistency: "stable", stories: { changed: 1, moved: 1 } });
  });
});

describe("safety", () => {
  test("stops before a large removal, unless --force-remove is set", async () => {
    const { space, folder } = await synced({});
    await space.publish(({ stories }) => stories.splice(0, 15));
    await expect(folder.sync()).rejects.toMatchObject({ code: "REMOVAL_BRAKE" });
    expect((await folder.manifest()).generation).toBe(1);
    const notes: string[] = [];
    const onProgress = (event: Progress) => event.kind === "note" && notes.push(event.message);
    expect(await folder.sync({ forceRemove: true, onProgress })).toMatchObject({
      outcome: "committed",
      stories: { removed: 15 },
    });
    expect(notes).toEqual([
      "continuing because of --force-remove: This sync would remove 15 of 30 stories of published/default; safety.maxRemove allows 20 %.",
    ]);
  });

  test("does not believe an empty answer if there were stories", async () => {
    const { space, folder } = await synced({});
    await space.publish((content) => {
      content.stories = [];
    });
    await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_EMPTY" });
    expect((await folder.manifest()).generation).toBe(1);
  });

  test("another space does not replace this one without --replace", async () => {
    const { folder } = await synced({});
    const other = await startEditableSpace({
      spaceId: 78,
      cv: 1_710_000_000,
      stories: [{ name: "Other", slug: "other" }],
    });
    onTestFinished(() => other.close());
    await folder.configure(crawlYaml(other.url));
    await expect(folder.sync()).rejects.toMatchObject({ code: "SPACE_MISMATCH" });
    expect(await folder.sync({ replace: true })).toMatchObject({
      outcome: "committed",
      generation: 2,
      stories: { total: 1 },
    });
  });

  test("the demo space never replaces another one", async () => {
    const { space, folder } = await synced({});
    await folder.configure("source: { url: 'demo:', token: demo }\n");
    const source = { url: space.url, hostMap: {} };
    await space.publish();
    await expect(folder.sync({ source, replace: true })).rejects.toMatchObject({ code: "SPACE_MISMATCH" });
  });
});

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import { type EditableSpace, startEditableSpace } from "../support/editable-space.js";
import { crawlYaml, readOutputFile, sourceYaml, syncFolder } from "../support/sync-folder.js";

async function openSpace(stories: number): Promise<EditableSpace> {
  const space = await startEditableSpace({
    languages: ["de", "fr"],
    stories: Array.from({ length: stories }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
    datasources: [
      { slug: "colors", dimensions: ["de"], entries: { red: "Rot", blue: "Blau" } },
      { slug: "sizes", dimensions: [], entries: { small: "S" } },
    ],
  });
  onTestFinished(() => space.close());
  return space;
}

describe("a first sync", () => {
  test("sends exactly the planned requests, as computed by hand", async () => {
    const space = await openSpace(1_250);
    const folder = await syncFolder(crawlYaml(space.url));
    const dry = await folder.sync({ dryRun: true });
    const asked = space.requests();
    const report = await folder.sync();

    const byHand =
      1 + // opening probe
      2 + // 1,250 links, 1,000 a page
      13 * 3 + // 1,250 stories, 100 a request, in three languages
      1 + // datasources
      3 + // entries: colors plain and in one dimension, sizes plain
      1 + // tags
      1 + // experiments
      1 + // the question for taxonomies
      1 + // space
      1; // closing probe
    expect(report.requests.total).toBe(byHand);
    expect(space.requests() - asked).toBe(byHand);
    expect(dry.plan?.requests).toBe(byHand);
    expect(dry.plan?.fullCrawlWouldCost).toBe(byHand);
    expect(report.outcome).toBe("committed");
    expect(report.stories).toMatchObject({ total: 1_250, added: 1_250, changed: 0, removed: 0 });
  });

  test("of the demo space counts the same as the server, and writes the counts to the manifest", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const folder = await syncFolder(crawlYaml("'demo:'"));
    const report = await folder.sync({ source: { url: demo.url, hostMap: demo.assetHosts } });

    expect(report.requests.total).toBe(demo.requests());
    expect(report.requests.retried).toBe(0);
    const manifest = await folder.manifest();
    expect(manifest).toMatchObject({ generation: 1, level: "exact", previous: null, notIncluded: [] });
    expect(manifest.cv).toBe(report.cv);
    expect(Date.parse(manifest.startedAt)).toBeLessThanOrEqual(Date.parse(manifest.committedAt));
    expect(manifest.editions.map(({ name }) => name)).toHaveLength(3);
    for (const edition of manifest.editions) {
      expect(edition).toMatchObject({ level: "exact", index: "links", cv: manifest.cv, confirmedSince: manifest.cv });
      expect(Date.parse(edition.newestPublishedAt ?? "")).toBeGreaterThan(0);
    }
    expect(manifest.parts["stories/published/default"]?.records).toBeGreaterThanOrEqual(300);
    expect(JSON.parse(await readOutputFile(folder, "manifest.json"))).toEqual(manifest);
    expect((await verifySnapshot(openOutput({ dir: folder.output }).store, { deep: true })).problems).toEqual([]);
  });

  test("of an empty space commits an empty generation", async () => {
    const space = await startEditableSpace();
    onTestFinished(() => space.close());
    const folder = await syncFolder(sourceYaml(space.url));
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "committed", stories: { total: 0 } });
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
  });

  test("plans without writing anything", async () => {
    const space = await openSpace(3);
    const folder = await syncFolder(sourceYaml(space.url));
    const report = await folder.sync({ dryRun: true });
    expect(report.plan?.changes).toEqual([{ version: "published", added: 3, changed: 0, vanished: 0, kept: 0 }]);
    await expect(folder.files()).rejects.toThrow("ENOENT");
  });

  test("stops before it requests stories if it would exceed the allowed requests", async () => {
    const space = await openSpace(150);
    const withLimit = (limit: number) =>
      syncFolder(
        `source: { url: "${space.url}", token: test-token, versions: [published, draft] }\nqueue: { maxRequests: ${limit} }\ncontent: { formats: [] }\n`,
      );
    const plan = await (await withLimit(1_000)).sync({ dryRun: true });
    const needed = plan.plan?.requests ?? 0;
    const spent = space.requests();
    await expect((await withLimit(needed - 1)).sync()).rejects.toMatchObject({
      code: "REQUEST_LIMIT",
      message: `This sync needs ${needed} requests; queue.maxRequests allows ${needed - 1}.`,
    });
    // The request that shows the size of the space was sent; no story was.
    expect(space.requests() - spent).toBe(plan.requests.total);
    expect(await (await withLimit(needed)).sync()).toMatchObject({ outcome: "committed", requests: { total: needed } });
  });
});

describe("a sync of an unchanged space", () => {
  /** A space of 110 stories in three languages, and a folder with its snapshot and its content. */
  async function syncedSpace() {
    const space = await openSpace(110);
    const folder = await syncFolder(sourceYaml(space.url));
    await folder.sync();
    return { space, folder };
  }

  test("is one request, and touches no file", async () => {
    const { space, folder } = await syncedSpace();
    const before = await folder.files();
    const counted = space.requests();

    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "unchanged", requests: { total: 1 }, content: { written: 0, removed: 0 } });
    expect(space.requests() - counted).toBe(1);
    expect(await folder.files()).toEqual(before);
  });

  test("renders missing content again, with one request and the same bytes", async () => {
    const { folder } = await syncedSpace();
    const names = [...(await folder.files()).keys()].filter((name) => !name.includes("changes.json")).sort();
    await rm(join(folder.output, "content"), { recursive: true });

    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
    expect(report.content.written).toBeGreaterThan(300);
    expect([...(await folder.files()).keys()].filter((name) => !name.includes("changes.json")).sort()).toEqual(names);
  });

  test("renders the content again after new settings, with one request", async () => {
    const { space, folder } = await syncedSpace();
    await folder.configure(`${sourceYaml(space.url)}content: { formats: [json] }\n`);
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
    expect(report.content.removed).toBeGreaterThan(300);
    expect([...(await folder.files()).keys()].some((name) => name.endsWith(".md"))).toBe(false);
  });
});

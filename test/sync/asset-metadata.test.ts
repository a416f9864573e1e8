import { describe, expect, onTestFinished, test } from "vitest";
import { startReplica } from "../../src/server/replica/http/server.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import type { SyncReport } from "../../src/sync/report.js";
import { startFrontServer } from "../support/front-server.js";
import { sampleSnapshot, story, uuid } from "../support/sample-snapshot.js";
import { readOutputFile, type SyncFolder, sourceYaml, syncFolder } from "../support/sync-folder.js";

/** Stories by id with the asset that each shows. */
const shown: Record<number, number> = { 1: 11, 2: 11, 3: 12, 4: 12, 5: 0 };

/**
 * A space with five stories and two assets. `alts` is what the space knows of them, by asset id; null: it does not offer
 * `resolve_assets`; a number: it answers that status instead.
 */
async function startSpace(alts: Record<number, string> | null | number = { 11: "A lamp", 12: "A boat" }) {
  const space = { alts, cv: 1_700_000_000, movesTo: undefined as number | undefined };
  const open = async () => {
    const stories = Object.entries(shown).map(([id, asset]) => {
      const image =
        asset === 0 ? null : { id: asset, alt: "", fieldtype: "asset", filename: `https://a.example/${asset}.png` };
      return story(Number(id), { content: { _uid: uuid(Number(id)), component: "page", image } });
    });
    return (await sampleSnapshot({ editions: { "published/default": stories }, cv: space.cv })).reader;
  };
  let reader = await open();
  const replica = await startReplica({ reader: () => reader });
  const asked: (string | null)[] = [];
  const front = await startFrontServer(replica.url, async ({ path, query }) => {
    if (query.get("resolve_assets") !== "1") return undefined;
    asked.push(query.get("by_uuids"));
    if (typeof space.alts === "number") return { status: space.alts, body: {} };
    const { movesTo } = space;
    if (movesTo !== undefined && query.get("cv") !== String(movesTo)) {
      const there = new URLSearchParams(query);
      there.set("cv", String(movesTo));
      return { status: 301, headers: { location: `${path}?${there}` }, body: {} };
    }
    query.delete("resolve_assets");
    if (movesTo !== undefined) query.set("cv", String(space.cv));
    const answer = await fetch(`${replica.url}${path}?${query}`, { redirect: "manual" });
    const body = (await answer.json()) as object;
    const assets = Object.entries(space.alts ?? {}).map(([id, alt]) => ({
      ...{ id: Number(id), content_type: "image/png", content_length: 9, alt, title: null },
      meta_data: { alt, licence: "CC BY" },
    }));
    const served = movesTo === undefined ? body : { ...body, cv: movesTo };
    return { body: space.alts === null ? served : { ...served, assets } };
  });
  onTestFinished(async () => {
    await front.close();
    await replica.close();
  });
  return {
    asked,
    url: front.url,
    requests: front.requests,
    /** From now on metadata is answered at a later cv than everything else: the space moved before it was asked for. */
    moveBeforeMetadata() {
      space.movesTo = space.cv + 10;
    },
    async publish(next: typeof alts) {
      space.movesTo = undefined;
      space.alts = next;
      space.cv += 10;
      reader = await open();
    },
  };
}

const yaml = (url: string, metadata: boolean) => sourceYaml(url, `assets: { metadata: ${metadata} }\n`);

/** Codes of the problems with the metadata. */
function codesOf({ problems }: SyncReport): string[] {
  return problems.flatMap(({ code, message }) => (message.includes("asset-metadata") ? [code] : []));
}

async function images(folder: SyncFolder): Promise<unknown[]> {
  const stories: { content: { image: unknown } }[] = JSON.parse(
    await readOutputFile(folder, "content/stories/default/page.json"),
  );
  return stories.map(({ content }) => content.image);
}

describe("assets.metadata", () => {
  test("requests the fewest stories that name every asset again, and fills empty fields with the metadata", async () => {
    const space = await startSpace();
    const without = await (await syncFolder(yaml(space.url, false))).sync();
    expect(space.asked).toEqual([]);
    const folder = await syncFolder(yaml(space.url, true));
    const report = await folder.sync();
    expect(report.requests.total).toBe(without.requests.total + 1);
    const asked = space.asked[0]!.split(",");
    expect(asked).toHaveLength(2);
    expect(await images(folder)).toContainEqual({
      ...{ id: 12, alt: "A boat", fieldtype: "asset", filename: "https://a.example/12.png" },
      ...{ content_type: "image/png", content_length: 9, meta_data: { alt: "A boat", licence: "CC BY" } },
      src: "https://a.example/12.png",
    });
    expect(await readOutputFile(folder, "content/markdown/default/story-1.md")).toContain("A lamp");
    const stored = (await folder.records())["stories/published/default"]!.join();
    expect([stored.includes("A lamp"), (await folder.records())["asset-metadata"]]).toEqual([
      false,
      [expect.stringContaining('"id":11'), expect.stringContaining('"id":12')],
    ]);
    const again = await folder.sync();
    expect([again.outcome, again.requests.total]).toEqual(["unchanged", 1]);
  });

  test("is in the bill of a dry run, which equals the requests of the sync", async () => {
    const space = await startSpace();
    const folder = await syncFolder(yaml(space.url, true));
    const first = (await folder.sync({ dryRun: true })).plan;
    expect(first?.items).toContainEqual({ what: "stories again, for asset metadata", requests: 1, perPage: 100 });
    expect((await folder.sync()).requests.total).toBe(first?.requests);
    await space.publish({ 11: "A lamp", 12: "A ship" });
    const next = (await folder.sync({ dryRun: true })).plan;
    const report = await folder.sync();
    expect([report.requests.total, report.requests.fullCrawlWouldCost]).toEqual([
      next?.requests,
      next?.fullCrawlWouldCost,
    ]);
    expect(next?.fullCrawlWouldCost).toBe(first?.fullCrawlWouldCost);
  });

  test("that changed is read by the next reading, and renders only files with it, like a fresh sync", async () => {
    const space = await startSpace();
    const folder = await syncFolder(yaml(space.url, true));
    await folder.sync();
    await space.publish({ 11: "A lamp", 12: "A ship" });
    const report = await folder.sync();
    // Of both languages two pages and the file of all; and the files that describe it, with the keys of these pages.
    expect([report.outcome, report.stories.changed, report.content.written]).toEqual(["committed", 0, 2 * 3 + 2]);
    const { affected } = JSON.parse(await readOutputFile(folder, "content/changes.json"));
    expect(affected.map(({ full_slug }: { full_slug: string }) => full_slug).sort()).toEqual([
      "story-3",
      "story-3",
      "story-4",
      "story-4",
    ]);
    const fresh = await syncFolder(yaml(space.url, true));
    await fresh.sync();
    expect(await folder.records()).toEqual(await fresh.records());
    for (const name of ["stories/default/page.json", "markdown/default/story-3.md", "markdown/default/story-1.md"]) {
      expect(await readOutputFile(folder, `content/${name}`)).toBe(await readOutputFile(fresh, `content/${name}`));
    }
    await space.publish({ 11: "A lamp", 12: "A ship" });
    expect((await folder.sync()).outcome).toBe("unchanged");
  });

  test("is served and read again byte for byte", async () => {
    const space = await startSpace();
    const first = await syncFolder(yaml(space.url, true));
    await first.sync();
    const { store } = openOutput({ dir: first.output });
    const reader = await openReader(store, await first.manifest());
    const replica = await startReplica({ reader: () => reader, store });
    onTestFinished(() => replica.close());
    const second = await syncFolder(yaml(replica.url, true));
    await second.sync();
    const [original, copy] = [await first.records(), await second.records()];
    expect(original["asset-metadata"]).toHaveLength(2);
    expect(copy["asset-metadata"]).toEqual(original["asset-metadata"]);
    expect(copy["stories/published/default"]).toEqual(original["stories/published/default"]);
  });

  test("can be switched on and off later", async () => {
    const space = await startSpace();
    const folder = await syncFolder(yaml(space.url, false));
    await folder.sync();
    await folder.configure(yaml(space.url, true));
    await folder.sync();
    expect(JSON.stringify(await images(folder))).toContain("A lamp");
    await folder.configure(yaml(space.url, false));
    await folder.sync();
    expect(JSON.stringify(await images(folder))).not.toContain("A lamp");
    expect(Object.keys((await folder.manifest()).parts)).not.toContain("asset-metadata");
  });

  test.each([null, 403, 422])(
    "that the space does not offer (%s) leaves content unchanged, and is reported",
    async (alts) => {
      const space = await startSpace(alts);
      const folder = await syncFolder(yaml(space.url, true));
      const report = await folder.sync();
      expect([report.outcome, codesOf(report)]).toEqual(["committed", ["PART_NOT_INCLUDED"]]);
      expect(await images(folder)).toContainEqual(expect.objectContaining({ id: 11, alt: "" }));
      expect((await folder.sync()).requests.total).toBe(1);
    },
  );

  test("of another cv than the stories is never committed with them: the old copy is kept, and read again", async () => {
    const space = await startSpace();
    const folder = await syncFolder(yaml(space.url, true));
    await folder.sync();
    await space.publish({ 11: "A lantern", 12: "A boat" });
    space.moveBeforeMetadata();
    const report = await folder.sync();
    expect([report.cv, codesOf(report)]).toEqual([1_700_000_010, ["PART_KEPT"]]);
    expect(JSON.stringify(report.problems)).toContain("the space moved from cv 1700000010 to 1700000020");
    expect(JSON.stringify(await images(folder))).toContain("A lamp");
    await space.publish({ 11: "A lantern", 12: "A boat" });
    expect(codesOf(await folder.sync())).toEqual([]);
    expect(JSON.stringify(await images(folder))).toContain("A lantern");
  });

  test("that cannot be read this time keeps its old copy", async () => {
    const space = await startSpace();
    const folder = await syncFolder(`${yaml(space.url, true)}queue: { retries: 0 }\n`);
    await folder.sync();
    await space.publish(500);
    expect(codesOf(await folder.sync())).toEqual(["PART_KEPT"]);
    expect(JSON.stringify(await images(folder))).toContain("A lamp");
  });
});

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEditableSpace, uuidOf } from "../support/editable-space.js";
import { forward, startFrontServer } from "../support/front-server.js";
import type { PlainAnswer } from "../support/scripted-server.js";
import { crawlYaml, sourceYaml, syncFolder } from "../support/sync-folder.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function openSpace() {
  const space = await startEditableSpace({
    stories: Array.from({ length: 30 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
    datasources: [{ slug: "colors", dimensions: [], entries: { red: "Rot" } }],
  });
  onTestFinished(() => space.close());
  return space;
}

/** An edge that keeps every answer under its address for as long as that carries a cv. */
async function edgeOf(url: string) {
  const kept = new Map<string, PlainAnswer>();
  const front = await startFrontServer(url, async ({ path, query }) => {
    const address = `${path}?${query}`;
    const answer = kept.get(address) ?? (await forward(`${url}${address}`));
    if (query.has("cv") && answer.status === 200) kept.set(address, answer);
    return answer;
  });
  onTestFinished(() => front.close());
  return front;
}

test("--full confirms every record at an unmoved cv although an edge holds old copies of all of them", async () => {
  const space = await openSpace();
  const folder = await syncFolder(crawlYaml((await edgeOf(space.url)).url));
  await folder.sync();
  await space.change(({ stories }) => {
    Object.assign(stories[3] ?? {}, { headline: "Edited without a new cv" });
    Object.assign(stories[4] ?? {}, { name: "Renamed without a new cv" });
  });
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
  expect(await folder.sync({ full: true })).toMatchObject({ outcome: "committed", generation: 2 });
  const records = await folder.records();
  const lines = (part: string, text: string) => records[part]?.filter((line) => line.includes(text)).length;
  expect(lines("stories/published/default", "Edited without a new cv")).toBe(1);
  expect(lines("links/published", "Renamed without a new cv")).toBe(1);
});

test("requests a part that was kept again in every sync until it is there", async () => {
  const space = await openSpace();
  let refuses = false;
  const front = await startFrontServer(space.url, ({ path }) =>
    refuses && path === "/v2/cdn/datasource_entries" ? { status: 403, headers: {}, body: {} } : undefined,
  );
  onTestFinished(() => front.close());
  const folder = await syncFolder(crawlYaml(front.url));
  await folder.sync();
  refuses = true;
  await space.publish(({ datasources }) => Object.assign(datasources[0]?.entries ?? {}, { red: "Rouge" }));
  expect((await folder.sync()).problems).toMatchObject([{ code: "PART_KEPT" }]);
  expect((await folder.sync()).problems).toMatchObject([{ code: "PART_KEPT" }]);
  refuses = false;
  expect(await folder.sync()).toMatchObject({ outcome: "committed", problems: [] });
  expect(JSON.stringify(await folder.records())).toContain("Rouge");
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
});

test("a part that is switched off or on is read, although the cv does not move", async () => {
  const space = await openSpace();
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  await folder.configure(crawlYaml(space.url, "  include: { datasources: none }\n"));
  expect(await folder.sync()).toMatchObject({ outcome: "committed" });
  expect(Object.keys((await folder.manifest()).parts)).not.toContain("datasources");
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
  await folder.configure(crawlYaml(space.url));
  expect(await folder.sync()).toMatchObject({ outcome: "committed" });
  expect(Object.keys((await folder.manifest()).parts)).toContain("datasources");
});

test("continues after a refused management read, keeps the old copy, and reports that", async () => {
  const space = await openSpace();
  let refuses = false;
  const front = await startFrontServer(space.url, ({ path }) => {
    if (!path.startsWith("/v1/")) return undefined;
    if (refuses) return { status: 404, headers: {}, body: {} };
    return {
      status: 200,
      body: path.includes("webhook")
        ? { webhook_endpoint: { id: 5, name: "Hook" } }
        : { space: { id: 77, name: "Test" } },
    };
  });
  onTestFinished(() => front.close());
  const management = `  management: { url: "${front.url}", token: personal-token, spaceId: 77, webhookEndpoints: [5] }\n`;
  const folder = await syncFolder(crawlYaml(front.url, management));
  await folder.sync();
  const before = (await folder.records()).space;
  expect(before?.[0]).toContain('"webhookEndpoints":[{');
  refuses = true;
  await space.publish(({ stories }) => Object.assign(stories[3] ?? {}, { slug: "moved" }));
  expect(await folder.sync()).toMatchObject({
    outcome: "committed",
    stories: { changed: 1 },
    problems: [{ code: "PART_KEPT", message: expect.stringContaining("answered 404 to") }],
  });
  expect((await folder.records()).space).toEqual(before);
});

test("does not take an old content tree for that of a new snapshot", async () => {
  const space = await openSpace();
  const tree = await temporaryFolder();
  const folder = await syncFolder(`${sourceYaml(space.url)}content: { dir: ${join(tree, "cms")} }\n`);
  const page = () => readFile(join(tree, "cms", "markdown", "default", "stories", "3.md"), "utf8");
  await folder.sync();
  await rm(folder.output, { recursive: true });
  await space.publish(({ stories }) =>
    Object.assign(stories[3] ?? {}, { headline: "New", name: "New", uuid: uuidOf("Story 3") }),
  );
  // Committed under the number that the tree names, and ended before it was rendered.
  const killed = folder.sync({
    onProgress(progress) {
      if (progress.kind === "stage" && progress.stage === "export") throw new Error("killed");
    },
  });
  await expect(killed).rejects.toThrow("killed");
  expect((await folder.manifest()).generation).toBe(1);
  expect(await page()).not.toContain("New");
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged", content: { written: expect.any(Number) } });
  expect(await page()).toContain("New");
  const changes = JSON.parse(await readFile(join(tree, "cms", "changes.json"), "utf8"));
  // The source of the tree is unknown: everything counts as new.
  expect(changes).toMatchObject({ from: null, to: 1, full: true, added: [] });
});

test("removes nothing in a dry run, not even the rest of an interrupted sync", async () => {
  const space = await openSpace();
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  const left = join(folder.output, ".work", "tmp");
  await mkdir(left, { recursive: true });
  await writeFile(join(left, ".0123456789abcdef.offprint-tmp"), "half");
  const before = await folder.files();
  await folder.sync({ dryRun: true });
  expect(await folder.files()).toEqual(before);
});

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { OffprintError } from "../../src/lib/errors.js";
import { readManifest } from "../../src/snapshot/current-manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { commit } from "../../src/snapshot/write/commit.js";
import { startEditableSpace } from "../support/editable-space.js";
import { startFrontServer } from "../support/front-server.js";
import { crawlYaml, sourceYaml, syncFolder } from "../support/sync-folder.js";

async function openSpace(stories: number) {
  const space = await startEditableSpace({
    languages: ["de"],
    stories: Array.from({ length: stories }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
    datasources: [{ slug: "colors", dimensions: ["de"], entries: { red: "Rot" } }],
  });
  onTestFinished(() => space.close());
  return space;
}

test("--full after an interrupted sync confirms every record of every language", async () => {
  const space = await openSpace(600);
  const yaml = (languages: string) =>
    `${crawlYaml(space.url, `  languages: [${languages}]\n`)}queue: { concurrency: 1 }\n`;
  const folder = await syncFolder(yaml("default"));
  await folder.sync();
  await folder.configure(yaml("default, de"));
  const controller = new AbortController();
  const interrupted = folder.sync({
    signal: controller.signal,
    onProgress: (progress) => {
      if (progress.kind === "request" && progress.total === 11) {
        controller.abort(new OffprintError("INTERRUPTED", "Interrupted."));
      }
    },
  });
  await expect(interrupted).rejects.toMatchObject({ code: "INTERRUPTED" });

  const report = await folder.sync({ full: true });
  expect(report).toMatchObject({ outcome: "committed", consistency: "exact" });
  expect((await folder.manifest()).parts["stories/published/de"]?.records).toBe(600);
  // Probe, space, links, datasources, two lists of entries, tags, experiments (the last five past the edge first), six
  // batches in two languages, probe.
  // And the question for taxonomies.
  expect(report.requests.total).toBe(8 + 5 + 12 + 1 + 1);
});

test("keeps the entries of datasources that are refused once, and reports that", async () => {
  const space = await openSpace(3);
  let refuses = false;
  const front = await startFrontServer(space.url, ({ path }) =>
    refuses && path === "/v2/cdn/datasources" ? { status: 403, headers: {}, body: { error: "Forbidden" } } : undefined,
  );
  onTestFinished(() => front.close());
  const folder = await syncFolder(crawlYaml(front.url, "  versions: [published, draft]\n"));
  await folder.sync();
  const before = await folder.records();
  refuses = true;
  await space.publish(({ stories }) => Object.assign(stories[0] ?? {}, { slug: "moved" }));
  const report = await folder.sync();
  expect(report.outcome).toBe("committed");
  expect(report.problems).toMatchObject([{ code: "PART_KEPT" }]);
  const after = await folder.records();
  const entries = (records: object) =>
    Object.entries(records).filter(([part]) => /^(?:datasources|entries)/.test(part));
  expect(entries(after)).toEqual(entries(before));
  expect(entries(after)).toHaveLength(3);
  // A sync that has nothing but drafts to look at does not forget it.
  expect((await folder.sync()).problems).toMatchObject([{ code: "PART_KEPT" }]);
  await space.change(({ stories }) => Object.assign(stories[0] ?? {}, { slug: "moved-again" }));
  expect(await folder.sync()).toMatchObject({ outcome: "committed", problems: [{ code: "PART_KEPT" }] });
  refuses = false;
  await space.publish();
  expect((await folder.sync()).problems).toEqual([]);
});

test("tags that are read for the first time may have been renamed since: all stories are requested with them", async () => {
  const space = await openSpace(3);
  const tagged =
    (tag: string) =>
    ({ stories }: { stories: { tags?: string[] }[] }) => {
      for (const story of stories) story.tags = [tag];
    };
  await space.publish(tagged("old"));
  let refuses = true;
  const front = await startFrontServer(space.url, ({ path }) =>
    refuses && path === "/v2/cdn/tags" ? { status: 404, headers: {}, body: ["not found"] } : undefined,
  );
  onTestFinished(() => front.close());
  const folder = await syncFolder(crawlYaml(front.url));
  const first = await folder.sync();
  expect((await folder.manifest()).notIncluded).toMatchObject([{ part: "tags/published" }]);
  refuses = false;
  await space.publish(tagged("new"));
  const second = await folder.sync();
  // As many as the first, but for the question for taxonomies: both languages of every story.
  expect(second).toMatchObject({ stories: { changed: 3 }, requests: { total: first.requests.total - 1 } });
  const fresh = await syncFolder(crawlYaml(space.url));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
  await space.publish();
  // From then on they are known, and nothing is asked for.
  expect((await folder.sync()).requests.total).toBe(first.requests.total - 1 - 2);
});

test("tags that are read for the first time by a sync that does not come further lead to the same, once one does", async () => {
  const space = await openSpace(3);
  const retag = async (tag: string) =>
    space.publish(({ stories }) => {
      for (const story of stories) story.tags = [tag];
    });
  await retag("old");
  let hasTags = false;
  let hasLinks = true;
  const front = await startFrontServer(space.url, ({ path }) =>
    (!hasTags && path === "/v2/cdn/tags") || (!hasLinks && path === "/v2/cdn/links")
      ? { status: hasTags ? 503 : 404, headers: {}, body: ["not now"] }
      : undefined,
  );
  onTestFinished(() => front.close());
  const folder = await syncFolder(`${crawlYaml(front.url)}queue: { retries: 0 }\n`);
  await folder.sync();
  [hasTags, hasLinks] = [true, false];
  await retag("new");
  await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE" });
  hasLinks = true;
  expect(await folder.sync()).toMatchObject({ stories: { changed: 3 } });
  const fresh = await syncFolder(crawlYaml(space.url));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
});

test("trusts what another process confirms during the wait for the lock over its own probe", async () => {
  const space = await openSpace(3);
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  await space.publish();
  const output = openOutput({ dir: folder.output });
  const lock = async () => {
    await space.publish();
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", cv: space.content.cv });
    return output.lock();
  };
  expect(await folder.sync({ output: { ...output, lock } })).toMatchObject({ outcome: "unchanged", problems: [] });
});

test("renders the content of a held generation in the next sync, with its problems", async () => {
  const space = await openSpace(3);
  const folder = await syncFolder(sourceYaml(space.url));
  await folder.sync();
  const { store } = openOutput({ dir: folder.output });
  const { generation: _, previous: __, committedAt: ___, checksum: ____, ...state } = await readManifest(store, 1);
  await commit(store, { ...state, held: true }, { base: 1 });
  const inTheWay = join(folder.output, "content", "markdown", "default", "stories", "1.md");
  await rm(join(folder.output, "content"), { recursive: true });
  await mkdir(dirname(inTheWay), { recursive: true });
  await writeFile(inTheWay, "not ours");
  const blocked = await folder.sync();
  expect(blocked.problems.map(({ code }) => code)).toEqual(["HELD", "CONTENT_BLOCKED"]);
  await rm(inTheWay);
  expect((await folder.sync()).problems.map(({ code }) => code)).toEqual(["HELD"]);
  const before = await folder.files();
  expect((await folder.sync()).problems.map(({ code }) => code)).toEqual(["HELD"]);
  expect(await folder.files()).toEqual(before);
});

test("does not overwrite a rollback that happens while a sync waits for its probe", async () => {
  const space = await openSpace(3);
  let rollBack = async (): Promise<void> => {};
  const front = await startFrontServer(space.url, async ({ query }) => {
    if (!query.has("cv") && query.get("per_page") === "1") await rollBack();
    return undefined;
  });
  onTestFinished(() => front.close());
  const folder = await syncFolder(crawlYaml(front.url));
  await folder.sync();
  await space.publish(({ stories }) => Object.assign(stories[0] ?? {}, { slug: "moved" }));
  await folder.sync();
  await space.publish(({ stories }) => Object.assign(stories[1] ?? {}, { slug: "moved too" }));
  const { store } = openOutput({ dir: folder.output });
  rollBack = async () => {
    rollBack = async () => {};
    const { generation: _, previous: __, committedAt: ___, checksum: ____, ...state } = await readManifest(store, 1);
    await commit(store, { ...state, held: true }, { base: 2 });
  };
  const report = await folder.sync();
  expect(report).toMatchObject({ outcome: "kept", generation: 3, problems: [{ code: "HELD" }] });
  expect(await folder.manifest()).toMatchObject({ generation: 3, held: true });
});

test("refuses a cv that went back, except in a full sync", async () => {
  const space = await openSpace(3);
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  const before = await folder.files();
  await space.change((content) => {
    content.cv -= 100;
    Object.assign(content.stories[0] ?? {}, { slug: "older" });
  });
  await expect(folder.sync()).rejects.toMatchObject({ code: "UPSTREAM_INCONSISTENT", message: /was at/ });
  expect((await folder.manifest()).generation).toBe(1);
  before.delete(".state.json");
  const after = await folder.files();
  after.delete(".state.json");
  expect(after).toEqual(before);
  expect(await folder.sync({ full: true })).toMatchObject({ outcome: "committed", stories: { changed: 1 } });
});

test("recognizes the same space at another address by its id, also if nothing published is due", async () => {
  const space = await openSpace(3);
  const versions = "  versions: [published, draft]\n";
  const folder = await syncFolder(crawlYaml(space.url, versions));
  await folder.sync();
  await folder.configure(crawlYaml(space.url.replace("127.0.0.1", "localhost"), versions));
  expect((await folder.sync()).problems).toEqual([]);
});

test("stages the reading if the assets are interrupted, and does not repeat it", async () => {
  const space = await openSpace(300);
  const folder = await syncFolder(crawlYaml(space.url));
  const controller = new AbortController();
  const interrupted = folder.sync({
    signal: controller.signal,
    onProgress: (progress) => {
      if (progress.kind === "stage" && progress.stage === "assets") {
        controller.abort(new OffprintError("INTERRUPTED", "Interrupted."));
      }
    },
  });
  await expect(interrupted).rejects.toMatchObject({ code: "INTERRUPTED" });
  const report = await folder.sync();
  expect(report).toMatchObject({ outcome: "committed", stories: { total: 300 } });
  // Probe, space, the question for taxonomies, links, datasources, two lists of entries, tags, experiments and the
  // closing probe: no story.
  expect(report.requests.total).toBe(10);
});

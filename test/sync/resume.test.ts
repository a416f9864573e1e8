// @module-tag long
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { OffprintError } from "../../src/lib/errors.js";
import { startEditableSpace } from "../support/editable-space.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

async function largeSpace() {
  const space = await startEditableSpace({
    languages: ["de"],
    stories: Array.from({ length: 1_000 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
  });
  onTestFinished(() => space.close());
  return space;
}

/** Ends the sync after some requests, as Ctrl-C would. */
async function interrupted(folder: SyncFolder, afterRequests: number): Promise<number> {
  const controller = new AbortController();
  let seen = 0;
  const running = folder.sync({
    signal: controller.signal,
    onProgress: (progress) => {
      if (progress.kind !== "request") return;
      seen = progress.total;
      if (seen === afterRequests) controller.abort(new OffprintError("INTERRUPTED", "Interrupted."));
    },
  });
  await expect(running).rejects.toMatchObject({ code: "INTERRUPTED" });
  return seen;
}

test("continues an interrupted first sync from its stage, without repeating answered requests", async () => {
  const space = await largeSpace();
  const folder = await syncFolder(`${crawlYaml(space.url)}queue: { concurrency: 1 }\n`);
  // Probe, space, the question for taxonomies, links (a full page, and the empty one behind it), datasources, tags,
  // experiments, four batches in two languages, and one request of the fifth.
  await interrupted(folder, 17);
  await expect(folder.manifest()).resolves.toBeUndefined();

  const before = space.requests();
  const report = await folder.sync();
  expect(report).toMatchObject({ outcome: "committed", stories: { total: 1_000, added: 1_000 } });
  // Eight before the stories, ten batches in two languages of which four are staged, and the closing probe.
  expect(space.requests() - before).toBe(8 + (10 - 4) * 2 + 1);

  const fresh = await syncFolder(crawlYaml(space.url));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
  expect([...(await folder.files()).keys()].some((name) => name.startsWith(".work"))).toBe(false);
});

test("continues an added language where it was interrupted", async () => {
  const space = await largeSpace();
  const yaml = (languages: string) =>
    `${crawlYaml(space.url, `  languages: [${languages}]\n`)}queue: { concurrency: 1 }\n`;
  const folder = await syncFolder(yaml("default"));
  await folder.sync();
  await folder.configure(yaml("default, de"));
  // Seven before the stories, four batches, and one request that is cut off.
  await interrupted(folder, 12);
  const report = await folder.sync();
  expect(report.outcome).toBe("committed");
  expect(report.requests.total).toBe(8 + 6);
  const fresh = await syncFolder(yaml("default, de"));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
});

test("remembers a neighbour of a changed story if the sync is interrupted before its request", async () => {
  const space = await startEditableSpace({
    stories: [
      { name: "English", slug: "en/a", group: "a" },
      { name: "Deutsch", slug: "de/a", group: "a" },
      ...Array.from({ length: 150 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
    ],
  });
  onTestFinished(() => space.close());
  const folder = await syncFolder(`${crawlYaml(space.url)}queue: { concurrency: 1 }\n`);
  await folder.sync();
  await space.publish(({ stories }) => Object.assign(stories[0] ?? {}, { slug: "en/b" }));
  // Six before the stories, the batch with the renamed story, and the cut-off request for its neighbour.
  await interrupted(folder, 8);
  expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { changed: 2, moved: 1 } });
  const fresh = await syncFolder(crawlYaml(space.url));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
});

test("never continues a half read sync of published stories in a sync of drafts", async () => {
  const space = await largeSpace();
  const versions = "  versions: [published, draft]\n  recheck: 24h\n";
  const folder = await syncFolder(`${crawlYaml(space.url, versions)}queue: { concurrency: 1 }\n`);
  await folder.sync();
  const before = await folder.records();
  await space.publish(({ stories }) => {
    for (const story of stories) Object.assign(story, { publishedAt: "2025-01-01T00:00:00.000Z", headline: "New" });
  });
  await interrupted(folder, 14);
  // The space is back at its old state, as an old edge would answer: nothing published is due.
  await space.publish(({ stories }) => {
    for (const story of stories) Object.assign(story, { publishedAt: undefined, headline: undefined });
  });
  space.content.cv -= 30;
  await space.publish();
  await folder.sync();
  const after = await folder.records();
  expect(after["stories/published/default"]).toEqual(before["stories/published/default"]);
});

test("ignores a stage of other settings", async () => {
  const space = await largeSpace();
  const folder = await syncFolder(`${crawlYaml(space.url)}queue: { concurrency: 1 }\n`);
  await interrupted(folder, 14);
  await folder.configure(crawlYaml(space.url, "  include: { startsWith: [stories/1] }\n"));
  await folder.sync();
  const fresh = await syncFolder(crawlYaml(space.url, "  include: { startsWith: [stories/1] }\n"));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
});

test("continues from the stage if the cv moves during a round, and the next round is clean", async () => {
  const space = await largeSpace();
  let asked = 0;
  // Publishes one story after the third batch of stories: everything after it is redirected to the new cv.
  const front = createServer((request, response) => {
    void (async () => {
      if (request.url?.includes("by_uuids") && ++asked === 3) {
        await space.publish(({ stories }) => Object.assign(stories[7] ?? {}, { slug: "moved/7" }));
      }
      const answer = await fetch(`${space.url}${request.url}`, { redirect: "manual" });
      const headers = Object.fromEntries(
        [...answer.headers].filter(
          ([name]) => !["content-encoding", "transfer-encoding", "content-length"].includes(name),
        ),
      );
      response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void front.close());
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const folder = await syncFolder(`${crawlYaml(url)}queue: { concurrency: 1 }\n`);
  const notes: string[] = [];
  const report = await folder.sync({
    onProgress: (progress) => progress.kind === "note" && notes.push(progress.message),
  });
  expect(report).toMatchObject({ outcome: "committed", consistency: "exact", cv: space.content.cv });
  expect(notes).toEqual([expect.stringMatching(/round 1 was not clean: the space moved from cv/)]);
  // All stories, a batch in two languages that was redirected, and the moved story in two languages.
  expect(asked).toBe(20 + 2 + 2);
  const fresh = await syncFolder(crawlYaml(space.url));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
});

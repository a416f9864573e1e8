// @module-tag long
import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { openSnapshot, pinGeneration } from "../../src/index.js";
import { type SyncFolder, sourceYaml, syncFolder } from "../support/sync-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

/** How many builds are tried: `OFFPRINT_BUILDS=100 npx vitest run test/site/build-workers.test.ts` */
const builds = Number(process.env.OFFPRINT_BUILDS ?? 1);
const script = resolve(import.meta.dirname, "../support/build-worker.mjs");

interface Page {
  url: string;
  headline: string;
  generation: number;
}

afterEach(() => {
  delete process.env.OFFPRINT_PINNED;
});

test(`a sync commits in the middle of a build with 4 workers: all pages are of one generation, ${builds} of ${builds} times`, {
  timeout: 30_000 + builds * 10_000,
}, async () => {
  const slugs = Array.from({ length: 24 }, (_, at) => `section/page-${at}`);
  const space = await startTinySpace();
  const folder = await syncFolder(sourceYaml(space.url, "content: { formats: [] }\n"));
  await syncWith("0", slugs, space, folder);
  for (let build = 1; build <= builds; build++) {
    const before = (await folder.manifest()).generation;
    const pages = await buildDuring(() => syncWith(String(build), slugs, space, folder), folder.output);
    expect(pages).toHaveLength(4 * slugs.length);
    const shown = new Set(pages.map(({ headline, generation }) => `${headline} of ${generation}`));
    expect([...shown], `build ${build}`).toEqual([`${build - 1} of ${before}`]);
    // The next build shows what was committed.
    delete process.env.OFFPRINT_PINNED;
    await using next = await openSnapshot(folder.output, { generation: "latest" });
    expect((await next.page(pages[0]!.url))?.content.headline).toBe(String(build));
  }
});

/** Syncs the space with this headline in every story. */
async function syncWith(headline: string, slugs: readonly string[], space: TinySpace, folder: SyncFolder) {
  space.stories = slugs.map((slug) => ({ slug, headline }));
  space.cv += 10;
  const { outcome } = await folder.sync();
  expect(outcome).toBe("committed");
}

/**
 * A build: it pins its generation, and starts two threads and two processes. The second of each
 * starts after the commit, while the first ones are reading.
 */
async function buildDuring(commit: () => Promise<void>, dir: string): Promise<Page[]> {
  await pinGeneration(dir);
  const pages: Page[] = [];
  let begin: () => void = () => undefined;
  const reading = new Promise<void>((done) => {
    begin = done;
  });
  const tell = (page: Page) => {
    pages.push(page);
    begin();
  };
  const first = [thread(dir, tell), child(dir, tell)];
  await reading;
  await commit();
  await Promise.all([...first, thread(dir, tell), child(dir, tell)]);
  return pages;
}

function thread(dir: string, tell: (page: Page) => void): Promise<void> {
  return ended(new Worker(script, { workerData: { dir } }), tell);
}

function child(dir: string, tell: (page: Page) => void): Promise<void> {
  return ended(fork(script, [dir]), tell);
}

function ended(worker: Worker | ChildProcess, tell: (page: Page) => void): Promise<void> {
  return new Promise((done, fail) => {
    const onEnd = (code: number | null) => (code === 0 ? done() : fail(new Error(`a worker ended with ${code}`)));
    worker.on("error", fail);
    if (worker instanceof Worker) {
      worker.on("message", tell).on("exit", onEnd);
      return;
    }
    // The last messages may arrive after the end of the process.
    const ended = new Promise<number | null>((exited) => worker.on("exit", exited));
    worker.on("message", (page) => tell(page as Page));
    worker.on("disconnect", () => void ended.then(onEnd));
  });
}

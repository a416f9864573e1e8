import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { floor as floorOf, inFolder, interleaved, run, script } from "./measure.js";
import { type Bench, type BenchRow, ratioRow } from "./row.js";
import { type Space, withSpace } from "./space/start-space.js";
import { firstSyncIn } from "./sync-command.js";

/** First syncs without a rate limit: the snapshot alone at two sizes, with JSON and Markdown, and the vendor's client. */
export const firstSyncBench: Bench = async ({ short }) => {
  const [small, large] = short ? [2_000, 10_000] : [10_000, 100_000];
  const repetitions = short ? 3 : 5;
  const rows = await withSpace({ stories: small, languages: [] }, async (space) => [
    // Half a second each: the middle of five still varies by a tenth.
    ...(await snapshotOnly(space, short ? 3 : 11, 1.7)),
    ...(await withContent(space, repetitions)),
    await vendorClient(space, repetitions),
  ]);
  const largeRows = await withSpace({ stories: large, languages: [] }, (space) =>
    snapshotOnly(space, repetitions, 1.6),
  );
  return [...rows, ...largeRows];
};

async function snapshotOnly(space: Space, repetitions: number, atMost: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir);
    const [value = 0, floor = 0] = await interleaved(
      repetitions,
      [async () => (await firstSyncIn(dir)).ms, () => readPages(space, dir)],
      { warmUp: true },
    );
    return [ratioRow(`first sync, ${space.shape.stories} stories, snapshot only`, "ms", { value, floor }, atMost)];
  });
}

async function withContent(space: Space, repetitions: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir, { formats: "[json, markdown]" });
    const [value = 0, floor = 0] = await interleaved(repetitions, [
      async () => (await firstSyncIn(dir)).ms,
      async () =>
        (await readPages(space, dir)) +
        (await run(floorOf("files", "render", pagesOf(dir), join(pagesOf(dir), "out")))).ms,
    ]);
    return [ratioRow(`first sync, ${space.shape.stories} stories, JSON and Markdown`, "ms", { value, floor }, 1.2)];
  });
}

/** Told beside the floor: what a user would pick instead. */
async function vendorClient(space: Space, repetitions: number): Promise<BenchRow> {
  return inFolder(async (dir) => {
    const [value = 0, floor = 0] = await interleaved(repetitions, [
      async () => {
        const out = await freshFolder(dir);
        return (await run([script("floors/js-client.js"), space.url, out])).ms;
      },
      () => readPages(space, dir),
    ]);
    const name = `storyblok-js-client getAll and a file a story, ${space.shape.stories} stories`;
    return ratioRow(name, "ms", { value, floor }, undefined, "for comparison");
  });
}

async function readPages(space: Space, dir: string): Promise<number> {
  const out = await freshFolder(dir);
  return (await run(floorOf("requests", "pages", space.url, out, String(space.shape.stories)))).ms;
}

async function freshFolder(dir: string): Promise<string> {
  await rm(pagesOf(dir), { recursive: true, force: true });
  await mkdir(pagesOf(dir), { recursive: true });
  return pagesOf(dir);
}

function pagesOf(dir: string): string {
  return join(dir, "pages");
}

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { inFolder, interleaved, run, script } from "./measure.js";
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
    const [value = 0, floor = 0, kept = 0] = await interleaved(
      repetitions,
      [async () => (await firstSyncIn(dir)).ms, () => readPages(space, dir), () => keepPages(dir)],
      { warmUp: true },
    );
    const name = `first sync, ${space.shape.stories} stories, snapshot only`;
    return [
      ratioRow(name, "ms", { value, floor }, atMost),
      ratioRow(name, "ms", { value, floor: kept }, undefined, "floor: a script with every promise"),
    ];
  });
}

async function withContent(space: Space, repetitions: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir, { formats: "[json, markdown]" });
    const [value = 0, floor = 0, kept = 0, rendered = 0] = await interleaved(repetitions, [
      async () => (await firstSyncIn(dir)).ms,
      async () =>
        (await readPages(space, dir)) +
        (await run([script("floors/render-lines.js"), pagesOf(dir), join(pagesOf(dir), "out")])).ms,
      async () => (await keepPages(dir)) + (await keepTree(dir)),
      async () => (await keepPages(dir)) + (await renderTree(dir)),
    ]);
    const name = `first sync, ${space.shape.stories} stories, JSON and Markdown`;
    const note = "floor: the snapshot with every promise, then the files of the tree, ready, made durable one by one";
    const renderedNote = "floor: the same, but a thread renders the files";
    const floorsNote = "what the aim asks for, of a script with every promise";
    return [
      ratioRow(name, "ms", { value, floor }, 1.2),
      ratioRow(`${name}, with every promise`, "ms", { value, floor: kept }, undefined, note),
      ratioRow(`${name}, rendered with every promise`, "ms", { value, floor: rendered }, undefined, renderedNote),
      ratioRow(`${name}, that floor beside the first`, "ms", { value: rendered, floor }, undefined, floorsNote),
    ];
  });
}

/** The content tree of the sync before, written once more. */
async function keepTree(dir: string): Promise<number> {
  const { stdout } = await run([
    script("floors/keep-tree.js"),
    join(dir, "output", "content"),
    join(pagesOf(dir), "tree"),
  ]);
  return (JSON.parse(stdout) as { ms: number }).ms;
}

/** A content tree of the snapshot that keep-pages left, without what is ours. */
async function renderTree(dir: string): Promise<number> {
  const { stdout } = await run([
    script("floors/render-tree.js"),
    join(pagesOf(dir), "shards"),
    join(pagesOf(dir), "tree"),
  ]);
  return (JSON.parse(stdout) as { ms: number }).ms;
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
  return (await run([script("floors/read-pages.js"), space.url, out, String(space.shape.stories)])).ms;
}

async function keepPages(dir: string): Promise<number> {
  const out = await freshFolder(dir);
  return (await run([script("floors/keep-pages.js"), join(dir, "sync.config.yaml"), out])).ms;
}

async function freshFolder(dir: string): Promise<string> {
  await rm(pagesOf(dir), { recursive: true, force: true });
  await mkdir(pagesOf(dir), { recursive: true });
  return pagesOf(dir);
}

function pagesOf(dir: string): string {
  return join(dir, "pages");
}

import { openSnapshot } from "../src/index.js";
import { storyAt } from "./space/records.js";

/**
 * What site code asks of a large snapshot, as a process of its own; prints one line of JSON. `slugs <dir> <stories>`
 * opens it and asks for stories by slug, `iterate <dir>` goes through all.
 */
const [mode = "", dir = "", count = "0"] = process.argv.slice(2);
const stories = Number(count);
/** Far apart, so that no two are in one shard. */
const slugAt = (place: number): string => storyAt((place * 7_919) % stories).fullSlug;

const tell = (told: Record<string, number>): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

async function slugs(): Promise<void> {
  const startRss = process.memoryUsage().rss;
  const startedMs = performance.now();
  await using snapshot = await openSnapshot(dir);
  const openMs = performance.now() - startedMs;
  await snapshot.story(slugAt(1));
  const firstMs = performance.now() - startedMs - openMs;
  const slugMs: number[] = [];
  for (let place = 2; place < 1_002; place++) {
    const askedMs = performance.now();
    if ((await snapshot.story(slugAt(place))) === undefined) throw new Error(`no ${slugAt(place)}`);
    slugMs.push(performance.now() - askedMs);
  }
  tell({
    openMs,
    firstMs,
    slugMs: slugMs.sort((a, b) => a - b)[500]!,
    addedBytes: process.memoryUsage().rss - startRss,
  });
}

async function iterate(): Promise<void> {
  const startedMs = performance.now();
  await using snapshot = await openSnapshot(dir);
  let found = 0;
  for await (const { content } of snapshot.stories({ order: "stored" }, { resolve: count !== "raw" }))
    found += content.component === "" ? 0 : 1;
  tell({ ms: performance.now() - startedMs, cpuMs: process.cpuUsage().user / 1000, found });
}

const modes: Record<string, () => Promise<void>> = { slugs, iterate };
await modes[mode]?.();

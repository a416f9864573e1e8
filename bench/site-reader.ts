import { rm } from "node:fs/promises";
import { join } from "node:path";
import { workFolder } from "../src/snapshot/layout.js";
import { buildSnapshot } from "./build-snapshot.js";
import { floorMs, inFolder, interleaved, median, run, script } from "./measure.js";
import { type Bench, type BenchRow, ratioRow } from "./row.js";
import type { SlugsTold } from "./site-reader-process.js";

const MB = 1024 * 1024;
const program = script("./site-reader-process.js");

/** Site code that reads a large snapshot: opening it, one story, all stories, and the memory of a worker. */
export const siteReaderBench: Bench = async ({ short }) => {
  const stories = short ? 5_000 : 100_000;
  const repetitions = short ? 3 : 5;
  return inFolder(async (dir) => {
    await buildSnapshot(dir, stories);
    const slugs = async (): Promise<SlugsTold> => told<SlugsTold>([program, "slugs", dir, String(stories)]);
    const derived = async () => {
      await rm(join(dir, workFolder), { recursive: true, force: true });
      return (await slugs()).firstMs;
    };
    const msOf =
      (...args: string[]) =>
      async () =>
        (await told<{ ms: number }>(args)).ms;
    const [stored = 0, resolved = 0, loop = 0, first = 0] = await interleaved(repetitions, [
      msOf(program, "iterate", dir, "stored"),
      msOf(program, "iterate", dir),
      () => floorMs("files", "parse", dir),
      derived,
    ]);
    const asked: SlugsTold[] = [];
    for (let repetition = 0; repetition < repetitions; repetition++) asked.push(await slugs());
    const pages = await told<{ plainMs: number; trackedMs: number }>([program, "pages", dir]);
    const mid = (value: (told: SlugsTold) => number) => median(asked.map(value));
    return [
      aimRow(
        `open a snapshot of ${stories} stories`,
        "ms",
        mid(({ openMs }) => openMs),
        60,
      ),
      aimRow(
        "first story by slug, nothing in memory",
        "ms",
        mid(({ firstMs }) => firstMs),
        10,
      ),
      aimRow(
        "a story by slug, far from the last one",
        "ms",
        mid(({ slugMs }) => slugMs),
        10,
      ),
      aimRow("memory of a worker that read 1,000 stories", "MB", mid(({ addedBytes }) => addedBytes) / MB, 40),
      ratioRow(`all ${stories} stories as they are stored`, "ms", { value: stored, floor: loop }, 1.3),
      ratioRow(`all ${stories} stories, resolved`, "ms", { value: resolved, floor: loop }, 1.3),
      ratioRow(
        "1,000 pages with their folder's rows, key and tags",
        "ms",
        { value: pages.trackedMs, floor: pages.plainMs },
        1.05,
      ),
      ratioRow("first story by slug, with no index yet", "ms", { value: first, floor: loop }),
    ];
  });
};

async function told<T>(args: readonly string[]): Promise<T> {
  return JSON.parse((await run(args)).stdout) as T;
}

function aimRow(name: string, unit: BenchRow["unit"], value: number, atMost: number): BenchRow {
  return { name, unit, value, floor: null, ratio: null, aim: { text: `≤ ${atMost} ${unit}`, met: value <= atMost } };
}

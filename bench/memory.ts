import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { commandLine, inFolder, median, run } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";
import { withSpace } from "./space/start-space.js";
import { firstSyncIn, syncIn } from "./sync-command.js";

const MB = 1024 * 1024;

/** Largest resident size of a first sync and of exports, how it grows with the space, and what a change writes. */
export const memoryBench: Bench = async ({ short }) => {
  const [small, large] = short ? [5_000, 10_000] : [50_000, 100_000];
  const repetitions = short ? 1 : 5;
  const at = async (stories: number): Promise<number> =>
    withSpace({ stories, languages: [] }, (space) =>
      inFolder(async (dir) => {
        await space.configure(dir);
        const peaks: number[] = [];
        for (let repetition = 0; repetition < repetitions; repetition++) {
          peaks.push((await firstSyncIn(dir, true)).peakBytes ?? 0);
        }
        return median(peaks);
      }),
    );
  const [less, more] = [await at(small), await at(large)];
  const [some, many] = [await contentAt(short ? 5_000 : 30_000), await contentAt(short ? 10_000 : 100_000)];
  const growth = (more - less) / (large - small) / 1024;
  const row = (name: string, unit: BenchRow["unit"], value: number, atMost: number): BenchRow => ({
    name,
    unit,
    value,
    floor: null,
    ratio: null,
    aim: { text: `≤ ${atMost} ${unit}`, met: value <= atMost },
  });
  return [
    row(`memory of a first sync, ${large} stories`, "MB", more / MB, 230),
    row(`memory for each story from ${small} to ${large}`, "KB/story", growth, 0.6),
    row(`memory of an export of ${many.stories} pages`, "MB", many.allBytes / MB, 500),
    row(`memory for each page from ${some.stories} to ${many.stories}`, "KB/story", perPage(some, many), 2.5),
    row(`memory of a sync of one author of ${many.stories} pages, content included`, "MB", many.oneBytes / MB, 300),
    row(`written beside the pages after it, ${many.stories} pages`, "MB", many.besideBytes / MB, 15),
  ];
};

/** Of one space with Markdown, in bytes. */
interface ContentMemory {
  stories: number;
  /** Largest resident size of an export of every file. */
  allBytes: number;
  /** The same of a sync with content after one author was renamed. */
  oneBytes: number;
  /** What that sync wrote into the content folder, pages aside. */
  besideBytes: number;
}

const contentAt = async (stories: number): Promise<ContentMemory> =>
  withSpace({ stories, languages: [] }, (space) =>
    inFolder(async (dir) => {
      await space.configure(dir);
      await firstSyncIn(dir);
      await space.configure(dir, { formats: "[markdown]" });
      const all = await run([commandLine, "export", "--quiet"], { cwd: dir, peak: true });
      await space.edit({ author: 0 });
      const startedMs = Date.now();
      const one = await syncIn(dir, [], true);
      const besideBytes = await bytesSince(join(dir, "output", "content"), startedMs);
      return { stories, allBytes: all.peakBytes ?? 0, oneBytes: one.peakBytes ?? 0, besideBytes };
    }),
  );

function perPage(some: ContentMemory, many: ContentMemory): number {
  return (many.allBytes - some.allBytes) / (many.stories - some.stories) / 1024;
}

async function bytesSince(content: string, sinceMs: number): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(content, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes(`${sep}markdown${sep}`)) continue;
    const { size, mtimeMs } = await stat(path);
    if (mtimeMs >= sinceMs) bytes += size;
  }
  return bytes;
}

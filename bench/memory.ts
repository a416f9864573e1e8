import { inFolder, median } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";
import { withSpace } from "./space/start-space.js";
import { firstSyncIn } from "./sync-command.js";

const MB = 1024 * 1024;

/** Largest resident size of a first sync, and how it grows with the space. */
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
  ];
};

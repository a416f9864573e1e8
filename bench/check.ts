import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkFactsFile, recentCheckFactsFile } from "../src/snapshot/layout.js";
import { commandLine, floorMs, inFolder, interleaved, median, run } from "./measure.js";
import type { Bench, BenchRow } from "./row.js";
import { commitStories } from "./space/commit-stories.js";
import { storyAt } from "./space/records.js";

/** A check of a whole space, its memory, and a check after ten stories changed. */
export const checkBench: Bench = async ({ short }) =>
  inFolder(async (dir) => {
    const count = short ? 5_000 : 100_000;
    const repetitions = short ? 3 : 5;
    const stories = Array.from({ length: count }, (_, n) => storyAt(n));
    // No request is sent: the snapshot alone is read.
    await writeFile(join(dir, "sync.config.yaml"), "source: { url: http://127.0.0.1:9, token: bench }\n");
    await commitStories(dir, stories);
    const peaks: number[] = [];
    let processorMs: number[] = [];
    const checkMs = async () => {
      const { ms, peakBytes, cpuMs } = await run([commandLine, "check", "--fail-on", "never"], {
        cwd: dir,
        peak: true,
      });
      peaks.push((peakBytes ?? 0) / 1024 ** 2);
      processorMs.push(cpuMs ?? 0);
      return ms;
    };
    const startMs = async () => (await run([commandLine, "--version"], { cwd: dir })).ms;
    const [whole = 0, start = 0, bare = 0] = await interleaved(repetitions, [
      async () => {
        for (const file of [checkFactsFile, recentCheckFactsFile]) {
          await rm(join(dir, "output", ...file.split("/")), { force: true });
        }
        return checkMs();
      },
      startMs,
      () => floorMs("files", "parse", join(dir, "output")),
    ]);
    const peak = Math.max(...peaks);
    const wholeProcessor = median(processorMs);
    processorMs = [];
    let edit = 0;
    const [changed = 0] = await interleaved(repetitions, [
      async () => {
        edit += 1;
        await commitStories(
          dir,
          stories.map((story, n) => (n % (count / 10) === 1 ? { ...story, revision: edit } : story)),
        );
        return checkMs();
      },
    ]);
    const name = `check of ${count} stories`;
    const row = (more: string, value: number, floor: number | null, aim: BenchRow["aim"], note: string): BenchRow => {
      return { name: `${name}${more}`, unit: "ms", value, floor, ratio: floor && value / floor, aim, note };
    };
    return [
      row("", whole, bare, { text: "≤ 4 s", met: whole <= 4_000 }, "the whole command; the floor parses the shards"),
      row(", processor time", wholeProcessor, null, null, "of all threads"),
      {
        ...row(", memory", peak, null, { text: "≤ 350 MB", met: peak <= 350 }, "the largest of all runs"),
        unit: "MB",
      },
      row(", after 10 changes", changed, start, { text: "≤ 400 ms", met: changed <= 400 }, "the floor is --version"),
      row(", after 10 changes, processor time", median(processorMs), null, null, "of all threads"),
    ];
  });

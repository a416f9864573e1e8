import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { floor as floorOf, inFolder, interleaved, run } from "./measure.js";
import { type Bench, exactRow, ratioRow } from "./row.js";
import { withSpace } from "./space/start-space.js";
import { firstSyncIn, syncIn } from "./sync-command.js";

/** A sync that finds nothing new: one request, no write. */
export const unchangedBench: Bench = async ({ short }) =>
  withSpace({ stories: short ? 10_000 : 100_000, languages: [] }, (space) =>
    inFolder(async (dir) => {
      await space.configure(dir);
      await firstSyncIn(dir);
      const before = await newestWrite(dir);
      await space.reset();
      const repetitions = short ? 7 : 15;
      const [value = 0, floor = 0] = await interleaved(repetitions, [
        async () => {
          const { ms, report } = await syncIn(dir);
          if (report.outcome !== "unchanged") throw new Error(`an unchanged space was ${report.outcome}`);
          return ms;
        },
        async () => (await run(floorOf("requests", "probe", space.url))).ms,
      ]);
      const { requests } = await space.counts();
      const name = `nothing changed, ${space.shape.stories} stories`;
      return [
        ratioRow(name, "ms", { value, floor }, 1.15),
        exactRow(`${name}: requests a sync`, "requests", requests / repetitions - 1, 1),
        exactRow(`${name}: files written`, "files", (await newestWrite(dir)) === before ? 0 : 1, 0),
      ];
    }),
  );

/** When anything below the output folder was last written: of files their content, of folders their names. */
async function newestWrite(dir: string): Promise<number> {
  const output = join(dir, "output");
  const times = [(await stat(output)).mtimeMs];
  for (const entry of await readdir(output, { recursive: true, withFileTypes: true })) {
    times.push((await stat(join(entry.parentPath, entry.name))).mtimeMs);
  }
  return Math.max(...times);
}

import { inFolder, interleaved, run, script } from "./measure.js";
import { type Bench, type BenchRow, exactRow, ratioRow } from "./row.js";
import { folderCount, storyAt } from "./space/records.js";
import { type Space, withSpace } from "./space/start-space.js";
import { firstSyncIn, syncIn } from "./sync-command.js";

/** Ten changed stories, in a small and in a large space. */
export const changesBench: Bench = async ({ short }) => {
  const rows: BenchRow[] = [];
  for (const stories of short ? [2_000, 10_000] : [10_000, 100_000]) {
    rows.push(...(await withSpace({ stories, languages: [] }, (space) => tenChanges(space, short ? 3 : 7))));
  }
  return rows;
};

/** Start-up is aside: from each whole process the time of one is taken that makes a single request, measured in turn. */
async function tenChanges(space: Space, repetitions: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir);
    await firstSyncIn(dir);
    const links = String(space.shape.stories + folderCount(space.shape.stories));
    const uuids = Array.from({ length: 10 }, (_, n) => storyAt(n).uuid);
    let planned = 0;
    let sent = 0;
    const changed = async (): Promise<number> => {
      await space.edit({ articles: 10 });
      planned = (await syncIn(dir, ["--dry-run"])).report.plan?.requests ?? 0;
      await space.reset();
      const { ms, report } = await syncIn(dir);
      sent = (await space.counts()).requests;
      if (report.stories.changed !== 10) throw new Error(`${report.stories.changed} of 10 changes were found`);
      return ms;
    };
    const [sync = 0, startUp = 0, loop = 0, bareStartUp = 0] = await interleaved(repetitions, [
      changed,
      async () => (await syncIn(dir)).ms,
      async () => (await run([script("floors/sweep-and-batch.js"), space.url, links, ...uuids])).ms,
      async () => (await run([script("floors/one-request.js"), space.url])).ms,
    ]);
    const name = `10 changes in ${space.shape.stories}`;
    const note = `whole processes ${sync.toFixed(0)} and ${loop.toFixed(0)} ms`;
    return [
      ratioRow(`${name}, start-up aside`, "ms", { value: sync - startUp, floor: loop - bareStartUp }, 1.5, note),
      exactRow(`${name}: requests as --dry-run itemised`, "requests", sent, planned),
    ];
  });
}

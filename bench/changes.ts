import { floorMs, inFolder, interleaved } from "./measure.js";
import { type Bench, type BenchRow, exactRow, ratioRow } from "./row.js";
import { folderCount, storyAt } from "./space/records.js";
import { type Space, withSpace } from "./space/start-space.js";
import { firstSyncIn, syncIn } from "./sync-command.js";

/** Ten changed stories, in a small and in a large space. */
export const changesBench: Bench = async ({ short }) => {
  const rows: BenchRow[] = [];
  for (const stories of short ? [2_000, 10_000] : [10_000, 100_000]) {
    const atMost = stories > 10_000 ? 1.6 : 2.0;
    rows.push(...(await withSpace({ stories, languages: [] }, (space) => tenChanges(space, short ? 3 : 7, atMost))));
  }
  return rows;
};

/**
 * Start-up is aside: of the time that a sync tells, that of one is taken off which ends after its probe, measured in turn;
 * the loops count from the answer of their probe.
 */
async function tenChanges(space: Space, repetitions: number, atMost: number): Promise<BenchRow[]> {
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
      const { report } = await syncIn(dir);
      sent = (await space.counts()).requests;
      if (report.stories.changed !== 10) throw new Error(`${report.stories.changed} of 10 changes were found`);
      return report.durationMs;
    };
    const [sync = 0, probe = 0, floor = 0] = await interleaved(repetitions, [
      changed,
      async () => (await syncIn(dir)).report.durationMs,
      () => floorMs("requests", "sweep", space.url, links, ...uuids),
    ]);
    const name = `10 changes in ${space.shape.stories}`;
    return [
      ratioRow(`${name}, start-up aside`, "ms", { value: sync - probe, floor }, atMost),
      exactRow(`${name}: requests as --dry-run itemised`, "requests", sent, planned),
    ];
  });
}

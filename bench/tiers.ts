import { inFolder, median } from "./measure.js";
import { type Bench, type BenchRow, exactRow, ratioRow } from "./row.js";
import { folderCount } from "./space/records.js";
import { type Space, withSpace } from "./space/start-space.js";
import { firstSyncIn } from "./sync-command.js";

/** First syncs against a server that enforces the published tiers, in both ways to spend. */
export const tiersBench: Bench = async ({ short }) => {
  const stories = short ? 2_000 : 10_000;
  const languages = short ? [] : ["de"];
  return withSpace({ stories, languages }, async (space) => [
    ...(await underTiers(space, "speed", short ? 1 : 5)),
    ...(await underTiers(space, "requests", short ? 1 : 5)),
  ]);
};

async function underTiers(space: Space, prefer: "speed" | "requests", repetitions: number): Promise<BenchRow[]> {
  return inFolder(async (dir) => {
    await space.configure(dir, { rateLimit: "published", prefer });
    const times: number[] = [];
    const allowed: number[] = [];
    let requests = 0;
    let rateLimited = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      await space.reset({ tiers: true });
      times.push((await firstSyncIn(dir)).ms);
      const counts = await space.counts();
      // The server's own sum: every request that it saw, at what the tiers charge for it.
      allowed.push(counts.costMs);
      requests = Math.max(requests, counts.requests);
      rateLimited += counts.rateLimited;
    }
    await space.reset();
    const { stories, languages } = space.shape;
    const name = `first sync under the tiers, ${stories} stories, ${languages.length + 1} languages, ${prefer}`;
    const rows = [
      ratioRow(name, "s", { value: median(times) / 1_000, floor: median(allowed) / 1_000 }, 1.15),
      exactRow(`${name}: answers with 429`, "requests", rateLimited, 0),
    ];
    if (prefer === "requests") rows.push(exactRow(`${name}: requests`, "requests", requests, fewestRequests(space)));
    return rows;
  });
}

/** Stories by hundreds in each language, links by thousands, datasources, their entries, tags, experiments, space, two probes. */
function fewestRequests({ shape: { stories, languages } }: Space): number {
  const links = stories + folderCount(stories);
  return Math.ceil(stories / 100) * (languages.length + 1) + Math.ceil(links / 1_000) + 1 + 1 + 1 + 1 + 1 + 2;
}

// @module-tag long
import { describe, expect, test } from "vitest";
import { bucketCrash, bucketHistories, disturbances } from "../support/bucket-crash.js";

/** Every request with `npm run crash`; in the suite one of each disturbance, in the midst of one of the histories. */
const all = process.env.OFFPRINT_CRASH === "all";

describe.each(bucketHistories)("three writers into a bucket: %s", (name, history) => {
  test("after any fault of a request of one, the others go on: no mixture, no generation lost or twice", async () => {
    const crash = await bucketCrash(history);
    const nth = bucketHistories.findIndex(([other]) => other === name);
    for (const [row, disturbance] of disturbances.entries()) {
      if (!all && row % bucketHistories.length !== nth) continue;
      const seen = { old: 0, new: 0 };
      const { requests } = await crash.live(disturbance, undefined);
      const middle = Math.ceil((requests * (row + 1)) / (disturbances.length + 1));
      for (let at = all ? 1 : middle; ; at++) {
        const life = await crash.live(disturbance, at).catch((cause: unknown) => {
          throw new Error(`Request ${at} of ${requests}: ${disturbance}`, { cause });
        });
        if (!all) expect(life.isHit).toBe(true);
        if (!all || !life.isHit) break;
        seen[life.hasCommitted ? "new" : "old"]++;
      }
      if (!all) continue;
      console.info(`${disturbance} at each of ${seen.old + seen.new} requests: committed ${seen.new}`);
      expect(seen.old).toBeGreaterThan(5);
    }
  }, 1_200_000);
});

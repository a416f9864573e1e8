// @module-tag long
import { describe, expect, test } from "vitest";
import { bucketCrash, bucketHistories, disturbances } from "../support/bucket-crash.js";
import { isLongForm, isTriedAtLength } from "../support/crash-steps.js";

describe.each(bucketHistories)("three writers into a bucket: %s", (name, history) => {
  test("after any fault of a request of one, the others go on: no mixture, no generation lost or twice", async () => {
    const crash = await bucketCrash(history);
    const nth = bucketHistories.findIndex(([other]) => other === name);
    for (const [row, disturbance] of disturbances.entries()) {
      // In the suite one request of each disturbance, in the midst of one of the histories.
      if (!isLongForm && row % bucketHistories.length !== nth) continue;
      const seen = { old: 0, new: 0 };
      const { requests } = await crash.live(disturbance, undefined);
      const middle = Math.ceil((requests * (row + 1)) / (disturbances.length + 1));
      for (let at = isLongForm ? 1 : middle; ; at++) {
        if (isLongForm && !isTriedAtLength(at)) continue;
        const life = await crash.live(disturbance, at).catch((cause: unknown) => {
          throw new Error(`Request ${at} of ${requests}: ${disturbance}`, { cause });
        });
        if (!isLongForm) expect(life.isHit).toBe(true);
        if (!isLongForm || !life.isHit) break;
        seen[life.hasCommitted ? "new" : "old"]++;
      }
      if (!isLongForm) continue;
      console.info(`${disturbance} at each of ${seen.old + seen.new} requests: committed ${seen.new}`);
      expect(seen.old).toBeGreaterThan(1);
    }
  }, 1_200_000);
});

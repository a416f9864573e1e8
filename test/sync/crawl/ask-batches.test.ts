import { expect, test } from "vitest";
import { crawlRules } from "../../../src/sync/crawl/rules.js";

const { askBatches } = crawlRules;

test("requests all batches, and never exceeds the concurrency limit", async () => {
  const asked: number[] = [];
  let running = 0;
  let most = 0;
  await askBatches([1, 2, 3, 4, 5], 2, async (batch) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    asked.push(batch);
    running--;
  });
  expect([asked, most]).toEqual([[1, 2, 3, 4, 5], 2]);
});

test("ends with the first failure after the batches in flight, and begins no other", async () => {
  const events: string[] = [];
  const asking = askBatches(["bad", "slow", "never"], 2, async (batch) => {
    events.push(`begin ${batch}`);
    if (batch === "bad") throw new Error("refused");
    await Promise.resolve();
    events.push(`end ${batch}`);
  });
  await expect(asking).rejects.toThrow("refused");
  expect(events).toEqual(["begin bad", "begin slow", "end slow"]);
});

import { expect, test } from "vitest";
import { crawlRules } from "../../../src/sync/crawl/rules.js";

const { askBatches } = crawlRules;

test("so many batches are under way at once, and all are asked", async () => {
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

test("the first failure ends it once what is under way has ended, and no other batch is begun", async () => {
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

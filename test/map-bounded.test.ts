import { expect, test } from "vitest";
import { mapBounded } from "../src/lib/concurrency/map-bounded.js";

test("keeps the order of the items and never runs more than the limit", async () => {
  let running = 0;
  let most = 0;
  const results = await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, async (item, index) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    return item * 10 + index;
  });
  expect(results).toEqual([10, 21, 32, 43, 54, 65, 76]);
  expect(most).toBe(3);
});

test("starts nothing after a failure, and rejects once the running calls have ended", async () => {
  const started: number[] = [];
  let ended = 0;
  const run = mapBounded([0, 1, 2, 3, 4], 2, async (item) => {
    started.push(item);
    await new Promise((resolve) => setImmediate(resolve));
    ended++;
    if (item === 0) throw new Error("first");
  });
  await expect(run).rejects.toThrow("first");
  expect(started).toEqual([0, 1]);
  expect(ended).toBe(2);
});

test("does nothing for no items", async () => {
  expect(await mapBounded([], 4, async () => 1)).toEqual([]);
});

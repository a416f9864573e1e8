import { expect, test } from "vitest";
import { fullPace, reserve, slowDown } from "../../../src/sync/upstream/pace.js";
import type { PaceHolder } from "../../../src/sync/upstream/shared-pace.js";
import { sharedRate } from "../../../src/watch/fleet/shared-rate.js";
import { memoryValues } from "./memory-values.js";

const url = "https://api.example.com";
const startMs = 1_800_000_000_000;

const take = (holder: PaceHolder, nowMs: number, intervalMs = 100): Promise<number> =>
  holder.update((pace) => {
    const { startMs: result, pace: next } = reserve(pace, intervalMs, 1, nowMs);
    return { pace: next, result };
  });

test("workers with different clocks share one pace: a hundred requests each, one after the other", async () => {
  const skews = [0, 40_000, -90_000];
  const { values } = memoryValues({ now: () => startMs });
  const holders = skews.map((skew) => sharedRate({ values, now: () => startMs + skew })("token", url));
  const taken = await Promise.all(
    skews.flatMap((skew, index) =>
      Array.from({ length: 100 }, async () => (await take(holders[index]!, startMs + skew)) - skew),
    ),
  );
  expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, number) => startMs + number * 100));
});

test("a refusal slows all workers, whichever clock they have", async () => {
  const { values } = memoryValues({ now: () => startMs });
  const [one, other] = [0, 40_000].map((skew) => sharedRate({ values, now: () => startMs + skew })("token", url));
  const refusal = { sentMs: startMs - 10, pauseEndMs: startMs + 2000, largestShare: 1, nowMs: startMs };
  await one!.update((pace) => ({ pace: slowDown(pace, refusal), result: undefined }));
  const first = await take(other!, startMs + 40_000);
  expect(first - 40_000).toBe(startMs + 2000);
  expect((await take(other!, startMs + 40_000)) - first).toBe(200);
});

test("each token and host has its own pace, and no key reveals the token", async () => {
  const { values, kept } = memoryValues({ now: () => startMs });
  const rate = sharedRate({ values, now: () => startMs });
  const holders = [rate("token-a", url), rate("token-b", url), rate("token-a", "https://other.example.com")];
  for (const holder of holders) expect(await take(holder, startMs)).toBe(startMs);
  expect(rate("token-a", url)).toBe(holders[0]);
  expect(kept.size).toBe(3);
  expect(JSON.stringify([...kept])).not.toContain("token-");
});

test("while the values are gone, a worker continues from the last shared pace, then rejoins", async () => {
  let [nowMs, isGone, asked] = [startMs, false, 0];
  const { values } = memoryValues({
    now: () => nowMs,
    isGone: () => {
      asked++;
      return isGone;
    },
  });
  const [one, other] = [0, 0].map(() => sharedRate({ values, now: () => nowMs })("token", url));
  expect(await take(one!, nowMs)).toBe(startMs);
  isGone = true;
  expect(await take(one!, nowMs)).toBe(startMs + 100);
  const before = asked;
  expect(await take(one!, nowMs)).toBe(startMs + 200);
  // No request waits for a server that was gone a moment ago.
  expect(asked).toBe(before);
  nowMs += 3000;
  isGone = false;
  expect(await take(other!, nowMs)).toBe(nowMs);
  expect(await take(one!, nowMs)).toBe(nowMs + 100);
});

test.each(["no JSON", "{}", JSON.stringify({ ...fullPace, share: 7 }), JSON.stringify({ ...fullPace, nextMs: 9e15 })])(
  "a pace stored as %s starts afresh",
  async (text) => {
    const { values, kept } = memoryValues({ now: () => startMs });
    const holder = sharedRate({ values, now: () => startMs })("token", url);
    await take(holder, startMs);
    const [place] = [...kept.keys()];
    kept.set(place!, text);
    expect(await take(holder, startMs)).toBe(startMs);
  },
);

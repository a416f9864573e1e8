import { afterEach, describe, expect, test, vi } from "vitest";
import { costOf, createRateBudget, loadRateTiers, type RequestKind } from "../../src/upstream/rate-budget.js";

const delivery = (perPage?: number): RequestKind => ({
  group: "delivery",
  ...(perPage === undefined ? {} : { perPage }),
});

describe("the published tiers", () => {
  const tiers = loadRateTiers();
  const perSecond = (kind: RequestKind) => tiers.unitsPerSecond / costOf(kind, tiers);

  test.each([
    [1, 50],
    [25, 50],
    [26, 15],
    [50, 15],
    [51, 10],
    [75, 10],
    [76, 6],
    [100, 6],
    [1_000, 6],
  ])("allow for %i a page %i requests a second", (perPage, requests) => {
    expect(perSecond(delivery(perPage))).toBe(requests);
  });

  test("allow 50 single reads a second, and 3 of the management interface", () => {
    expect(perSecond(delivery())).toBe(50);
    expect(perSecond({ group: "management" })).toBe(3);
    expect(perSecond({ group: "oauth" })).toBe(3);
  });
});

describe("a budget", () => {
  afterEach(() => void vi.useRealTimers());

  /** When each of the requests may be sent, in milliseconds from the start. */
  async function starts(budget: ReturnType<typeof createRateBudget>, kinds: RequestKind[]): Promise<number[]> {
    const startMs = performance.now();
    const times = kinds.map(async (kind) => {
      await budget.take(kind);
      return performance.now() - startMs;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    return Promise.all(times);
  }

  const mostInAnySecond = (times: number[]): number =>
    Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length));

  test.each([
    ["6 pages of 100", delivery(100), 6],
    ["10 pages of 75", delivery(75), 10],
    ["15 pages of 50", delivery(50), 15],
    ["3 management reads", { group: "management" } as const, 3],
  ])("lets no more than %s pass in any second, evenly spread", async (_what, kind, limit) => {
    vi.useFakeTimers();
    const times = await starts(createRateBudget("published", false), Array(4 * limit).fill(kind));
    expect(mostInAnySecond(times)).toBeLessThanOrEqual(limit);
    expect(times.at(-1)).toBeGreaterThan(((4 * limit - 1) / limit) * 1_000);
    expect(times.at(-1)).toBeLessThan(4_200);
    expect(times[0]).toBe(0);
  });

  test("is shared by requests of all sizes", async () => {
    vi.useFakeTimers();
    const mixed = Array.from({ length: 40 }, (_, i) => delivery(i % 2 === 0 ? 100 : undefined));
    const times = await starts(createRateBudget("published", false), mixed);
    // 20 × 50 + 20 × 6 = 1120 units at 300 a second.
    expect(times.at(-1)).toBeGreaterThan(3_400);
    expect(times.at(-1)).toBeLessThan(4_000);
  });

  test("saves nothing up while nothing is sent", async () => {
    vi.useFakeTimers();
    const budget = createRateBudget("published", false);
    await starts(budget, [delivery()]);
    const times = await starts(budget, Array(60).fill(delivery()));
    expect(mostInAnySecond(times)).toBeLessThanOrEqual(50);
  });

  test("can be a number of requests a second, whatever their size, for a loopback upstream too", async () => {
    vi.useFakeTimers();
    const times = await starts(createRateBudget(20, true), Array(41).fill(delivery(100)));
    expect(times.at(-1)).toBeGreaterThanOrEqual(2_000);
    expect(mostInAnySecond(times)).toBeLessThanOrEqual(20);
  });

  test("is unlimited when switched off, and for a loopback upstream that has no published tiers", async () => {
    vi.useFakeTimers();
    for (const budget of [createRateBudget(false, false), createRateBudget("published", true)]) {
      expect(new Set(await starts(budget, Array(100).fill(delivery(100))))).toEqual(new Set([0]));
    }
  });
});

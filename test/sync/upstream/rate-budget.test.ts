import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { fullPace, type Pace, reserve } from "../../../src/sync/upstream/pace.js";
import { createRateBudget, type RateBudget } from "../../../src/sync/upstream/rate-budget.js";
import type { RequestKind } from "../../../src/sync/upstream/rate-tiers.js";
import { effectiveRateLimit } from "../../../src/sync/upstream/rate-tiers.js";

const delivery = (perPage?: number): RequestKind => ({
  group: "delivery",
  ...(perPage === undefined ? {} : { perPage }),
});

afterEach(() => void vi.useRealTimers());

function open(setting: Config["queue"]["rateLimit"], loopback = false): RateBudget {
  vi.useFakeTimers();
  const rateLimit = effectiveRateLimit(setting, loopback ? "http://127.0.0.1:4400" : "https://api.example.com");
  const sleep = (ms: number) => new Promise<void>((done) => void setTimeout(done, ms));
  return createRateBudget({ rateLimit, now: Date.now, sleep });
}

/** When each of the requests may be sent, in milliseconds from now. */
async function starts(budget: RateBudget, kinds: RequestKind[], withinMs = 60_000): Promise<number[]> {
  const startMs = Date.now();
  const times = kinds.map(async (kind) => {
    await budget.take(kind);
    return Date.now() - startMs;
  });
  await vi.advanceTimersByTimeAsync(withinMs);
  return Promise.all(times);
}

const mostInAnySecond = (times: number[]): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1_000).length));

/** The rate of the next requests, in requests a second. */
async function rate(budget: RateBudget, kind: RequestKind, count = 5): Promise<number> {
  const times = await starts(budget, Array(count + 1).fill(kind));
  return (count * 1_000) / (times.at(-1)! - times[0]!);
}

describe("a budget", () => {
  test.each([
    ["6 pages of 100", delivery(100), 6],
    ["10 pages of 75", delivery(75), 10],
    ["15 pages of 50", delivery(50), 15],
    ["50 single reads", delivery(), 50],
    ["3 management reads", { group: "management" } as const, 3],
  ])("lets no more than %s pass in any second, evenly spread", async (_what, kind, limit) => {
    const times = await starts(open("published"), Array(4 * limit).fill(kind));
    expect(mostInAnySecond(times)).toBeLessThanOrEqual(limit);
    expect(times.at(-1)).toBeGreaterThan(((4 * limit - 1) / limit) * 1_000);
    expect(times.at(-1)).toBeLessThan(4_200);
    expect(times[0]).toBe(0);
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(2);
  });

  test("is shared by requests of all sizes", async () => {
    const mixed = Array.from({ length: 40 }, (_, i) => delivery(i % 2 === 0 ? 100 : undefined));
    const times = await starts(open("published"), mixed);
    // 20 × 50 + 20 × 6 = 1120 units at 300 a second, and every page of 100 keeps its distance to the request before it.
    expect(times.at(-1)).toBeGreaterThan(3_400);
    const units = (from: number) =>
      times.reduce((sum, ms, i) => sum + (ms >= from && ms < from + 1_000 ? (i % 2 === 0 ? 50 : 6) : 0), 0);
    expect(Math.max(...times.map(units))).toBeLessThanOrEqual(300);
  });

  const intervals = fc.constantFrom(20, 1_000 / 15, 100, 1_000 / 6);
  const idleMs = fc.constantFrom(0, 0, 0, 0, 0, 400, 1_500);

  /** Returns when each request was sent, and its cost: its share of a second, in milliseconds. */
  function sentBy(requests: readonly { intervalMs: number; idleMs: number }[]): { ms: number; costs: number }[] {
    let pace: Pace = fullPace;
    let nowMs = 1_000_000;
    return requests.map(({ intervalMs, idleMs }) => {
      const reserved = reserve(pace, intervalMs, 1, nowMs + idleMs);
      nowMs = reserved.startMs;
      pace = reserved.pace;
      return { ms: nowMs, costs: intervalMs };
    });
  }

  const inSecondFrom = (sent: readonly { ms: number; costs: number }[], from: number) =>
    sent.filter(({ ms }) => ms >= from && ms < from + 999);

  test("is never exceeded in any second by requests of one size", () => {
    const idle = fc.array(idleMs, { maxLength: 150 });
    fc.assert(
      fc.property(intervals, idle, (intervalMs, idles) => {
        const sent = sentBy(idles.map((idleMs) => ({ intervalMs, idleMs })));
        for (const { ms } of sent) expect(inSecondFrom(sent, ms).length * intervalMs).toBeLessThanOrEqual(1_000.001);
      }),
    );
  });

  test("is exceeded by requests of several sizes by less than the cheaper one at an end of the second", () => {
    const request = fc.record({ intervalMs: intervals, idleMs });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 150 }), (requests) => {
        const sent = sentBy(requests);
        for (const first of sent) {
          const within = inSecondFrom(sent, first.ms);
          const last = within.at(-1)!;
          const most = last.ms - first.ms + Math.min(first.costs, last.costs);
          expect(within.reduce((sum, { costs }) => sum + costs, 0)).toBeLessThanOrEqual(most + 0.001);
        }
      }),
    );
  });

  test("lets two cheaper and five expensive requests into one second: 3 % more than it allows", () => {
    const sent = sentBy([100, 100, ...Array(5).fill(1_000 / 6)].map((intervalMs) => ({ intervalMs, idleMs: 0 })));
    const within = inSecondFrom(sent, sent[0]!.ms);
    expect(within.reduce((sum, { costs }) => sum + costs, 0)).toBeCloseTo(1_033.3, 0);
  });

  test("does not wait for a clock that was set back, in this process or in the file", async () => {
    const budget = open("published");
    await starts(budget, [delivery(100)]);
    await budget.refused(Date.now(), 60_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    const [first = Number.NaN, second = Number.NaN] = await starts(budget, [delivery(100), delivery(100)]);
    expect(first).toBeLessThan(1_000);
    // The refusal is not forgotten with the time.
    expect(second - first).toBeGreaterThan(300);
  });

  test("saves up no credit while nothing is sent", async () => {
    const budget = open("published");
    await starts(budget, [delivery()]);
    expect(mostInAnySecond(await starts(budget, Array(60).fill(delivery())))).toBeLessThanOrEqual(51);
  });

  test("can be a number of requests per second of any size", async () => {
    const times = await starts(open(20, true), Array(41).fill(delivery(100)));
    expect(times.at(-1)).toBeGreaterThanOrEqual(2_000);
    expect(mostInAnySecond(times)).toBeLessThanOrEqual(20);
  });

  test("applies to a loopback upstream if configured, which by default has none", async () => {
    expect(new Set(await starts(open(undefined, true), Array(100).fill(delivery(100))))).toEqual(new Set([0]));
    expect(new Set(await starts(open(false), Array(100).fill(delivery(100))))).toEqual(new Set([0]));
    for (const budget of [open("published", true), open(undefined, false)]) {
      expect((await starts(budget, Array(7).fill(delivery(100)))).at(-1)).toBeGreaterThanOrEqual(1_000);
    }
  });
});

describe("after a 429", () => {
  test("sends nothing before the pause ends, and then at half the rate", async () => {
    const budget = open("published");
    await starts(budget, [delivery()]);
    await budget.refused(Date.now(), 1_500);
    const times = await starts(budget, Array(11).fill(delivery()));
    expect(times[0]).toBeGreaterThanOrEqual(1_500);
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(10 * 38);
  });

  test("raises the rate by a twenty-fifth of the limit each second, up to the limit", async () => {
    const budget = open("published");
    await budget.refused(Date.now() + 1, 0);
    expect(await rate(budget, delivery())).toBeCloseTo(25, -0.5);
    await budget.refused(Date.now() + 1, 0);
    await vi.advanceTimersByTimeAsync(5_000);
    const later = await rate(budget, delivery());
    expect(later).toBeGreaterThan(30);
    await vi.advanceTimersByTimeAsync(60_000);
    const full = await rate(budget, delivery());
    expect(full).toBeGreaterThan(48);
    expect(full).toBeLessThanOrEqual(50);
  });

  test("halves the rate once for concurrent requests", async () => {
    const budget = open("published");
    const sentMs = Date.now();
    await vi.advanceTimersByTimeAsync(10);
    for (let refusal = 0; refusal < 8; refusal++) await budget.refused(sentMs, 0);
    expect(await rate(budget, delivery())).toBeGreaterThan(24);
  });

  test("still sends some requests, however often it comes", async () => {
    const budget = open("published");
    for (let refusal = 0; refusal < 100; refusal++) {
      await vi.advanceTimersByTimeAsync(1);
      await budget.refused(Date.now(), 0);
    }
    const times = await starts(budget, Array(3).fill(delivery()));
    expect(times.at(-1)).toBeLessThan(5_000);
  });

  test("without a limit, takes half the refused rate, and grows until the next refusal", async () => {
    const budget = open(false);
    for (let sent = 0; sent < 40; sent++) {
      await budget.take(delivery());
      await vi.advanceTimersByTimeAsync(25);
    }
    await budget.refused(Date.now(), 1_000);
    const times = await starts(budget, Array(10).fill(delivery()));
    expect(times[0]).toBeGreaterThanOrEqual(1_000);
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(9 * 45);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(await rate(budget, delivery())).toBeGreaterThan(100);
  });
});

describe("an answer of the edge", () => {
  test("costs nothing: the next request of its kind goes at once", async () => {
    const budget = open("published");
    const kind = delivery(100);
    const startMs = Date.now();
    for (let request = 0; request < 20; request++) {
      await budget.take(kind);
      budget.servedByEdge(kind);
    }
    expect(Date.now() - startMs).toBe(0);
    expect(await rate(budget, kind)).toBeLessThan(7.3);
  });

  test("wakes a waiting request, whose place the next one takes", async () => {
    const budget = open("published");
    const kind = delivery(100);
    await budget.take(kind);
    const waiting = budget.take(kind);
    await vi.advanceTimersByTimeAsync(10);
    budget.servedByEdge(kind);
    await waiting;
    const times = await starts(budget, [kind, kind]);
    expect(times[0]).toBeLessThanOrEqual(164);
    expect(times[1]).toBeLessThanOrEqual(164 + 174);
  });
});

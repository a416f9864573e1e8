import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ProgressView, progressLine } from "../../src/cli/progress-line.js";
import { size } from "../../src/lib/quantity-text.js";

const reading = (done: number, more: Partial<ProgressView> = {}): ProgressView => ({
  text: "Reading stories",
  amount: { done, total: 10_000 },
  elapsedMs: 4_000,
  requests: 50,
  requestsLeft: 67,
  ...more,
});

describe("the progress line", () => {
  test("has a bar, done and total, rate, time left and requests left", () => {
    expect(progressLine(reading(3_300), 120)).toBe(
      "Reading stories ━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  33 % 3,300 of 10,000 · 825/s · 8.1 s left · 67 requests left",
    );
  });

  test("omits parts that do not fit: the end first, the bar last", () => {
    expect([100, 80, 60, 40, 30, 18].map((width) => progressLine(reading(3_300), width))).toEqual([
      "Reading stories ━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  33 % 3,300 of 10,000 · 825/s · 8.1 s left · 67 requests left",
      "Reading stories ━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  33 % 3,300 of 10,000 · 825/s · 8.1 s left",
      "Reading stories ━━━━╌╌╌╌╌╌╌╌╌╌  33 % 3,300 of 10,000 · 825/s",
      "Reading stories 3,300 of 10,000",
      "Reading stories",
      "Reading stories",
    ]);
  });

  test("shows no rate at the beginning, and no time left before the rate is steady", () => {
    const at = (elapsedMs: number) => progressLine(reading(100, { elapsedMs, requestsLeft: undefined }), 90);
    expect(at(400)).toMatch(/100 of 10,000 · 50 requests$/);
    expect(at(1_000)).toMatch(/100 of 10,000 · 100\/s · 50 requests$/);
    expect(at(2_000)).toMatch(/100 of 10,000 · 50\/s · 3 min 18 s left · 50 requests$/);
  });

  test("shows bytes as bytes, and no bar without a known total", () => {
    const bytes = { done: 3 * 1024 ** 2, total: 12 * 1024 ** 2, shown: size };
    expect(progressLine({ text: "Fetching", amount: bytes, elapsedMs: 2_000 }, 70)).toMatch(
      /^Fetching ━{3}╌{10} {2}25 % 3\.0 MB of 12\.0 MB · 1\.5 MB\/s · 6\.0 s left$/,
    );
    expect(progressLine({ text: "Reading", amount: { done: 7, total: null }, elapsedMs: 100 }, 70)).toBe("Reading 7");
  });

  test("is never wider than the terminal, and never shows an invalid number", () => {
    const count = fc.oneof(fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
    fc.assert(
      fc.property(
        fc.record({
          text: fc.constantFrom("Reading stories", "Waiting for the space to settle", "x"),
          amount: fc.option(fc.record({ done: count, total: fc.option(count) }), { nil: undefined }),
          elapsedMs: fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true })),
          requests: fc.option(count, { nil: undefined }),
          requestsLeft: fc.option(fc.integer({ min: -1_000, max: 1_000_000 }), { nil: undefined }),
        }),
        fc.integer({ min: 1, max: 200 }),
        (view, width) => {
          const line = progressLine(view, width);
          expect(line.length).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/NaN|Infinity|undefined|-\d/);
          const [, percent] = /(\d+) %/.exec(line) ?? [];
          expect(Number(percent ?? 0)).toBeLessThanOrEqual(100);
        },
      ),
    );
  });

  test("never moves back as work progresses", () => {
    const percents = Array.from({ length: 101 }, (_, step) => progressLine(reading(step * 100), 120)).map((line) =>
      Number(/(\d+) %/.exec(line)?.[1]),
    );
    expect(percents).toEqual(Array.from({ length: 101 }, (_, step) => step));
  });
});

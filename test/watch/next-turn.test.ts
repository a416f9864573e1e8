import fc from "fast-check";
import { expect, test } from "vitest";
import { missedTurnMs, turnsOf } from "../../src/watch/next-turn.js";

const hour = 3_600_000;
const day = 24 * hour;
const schedule = { maxAgeMs: 0 };
const at = (text: string) => Date.parse(text);

test("the turns of an interval are one interval apart and always the same", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5000, max: 31 * day }),
      fc.integer({ min: 0, max: 4e12 }),
      fc.string(),
      (everyMs, ms, key) => {
        const turns = turnsOf({ ...schedule, everyMs }, key);
        const next = turns.after(ms)!;
        expect(next).toBeGreaterThan(ms);
        expect(next - ms).toBeLessThanOrEqual(everyMs);
        expect(turns.after(next - 1)).toBe(next);
        expect(turns.after(next)).toBe(next + everyMs);
      },
    ),
  );
});

test("a thousand spaces with one interval are spread over all of it, each always at the same moment", () => {
  const offsets = Array.from({ length: 1000 }, (_, index) => turnsOf(schedule, `space-${index}`).after(0)! % 300_000);
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => offsets.filter((ms) => Math.floor(ms / 30_000) === tenth).length,
  );
  for (const count of tenths) expect(count).toBeGreaterThan(60);
  expect(turnsOf(schedule, "space-7").after(0)! % 300_000).toBe(offsets[7]);
});

test("a jitter limits the delay of a turn; one longer than the interval counts as the interval", () => {
  for (let index = 0; index < 50; index++) {
    expect(turnsOf({ ...schedule, everyMs: hour, jitterMs: 60_000 }, `${index}`).after(0)! % hour).toBeLessThan(60_000);
    expect(turnsOf({ ...schedule, everyMs: 60_000, jitterMs: hour }, `${index}`).after(0)).toBeLessThanOrEqual(120_000);
    const cron = turnsOf({ ...schedule, cron: "0 * * * *" }, `${index}`);
    expect(cron.after(at("2026-01-01T10:30:00Z"))! - at("2026-01-01T11:00:00Z")).toBeLessThan(30_000);
  }
});

test("cron follows its zone: a skipped turn comes at the end of the gap, a repeated one comes once", () => {
  const turns = turnsOf({ ...schedule, cron: "30 2 * * *", timeZone: "Europe/Vienna", jitterMs: 0 }, "blog");
  const from = (text: string, count: number) => {
    const found: string[] = [];
    for (let ms = at(text); found.length < count; ) {
      ms = turns.after(ms)!;
      found.push(new Date(ms).toISOString());
    }
    return found;
  };
  // From two to three there is no such hour on 28 March.
  expect(from("2027-03-27T12:00:00Z", 2)).toEqual(["2027-03-28T01:00:00.000Z", "2027-03-29T00:30:00.000Z"]);
  // The hour from two to three comes twice on 25 October.
  expect(from("2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
});

test("a jitter shifts all cron turns by the same time", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("*/7 * * * *", "13 4 * * 1-5", "*/20 * * * * *", "@hourly"),
      fc.integer({ min: at("2026-01-01"), max: at("2036-01-01") }),
      fc.string(),
      (cron, ms, key) => {
        const plain = turnsOf({ ...schedule, cron, jitterMs: 0 }, key);
        const late = turnsOf({ ...schedule, cron, jitterMs: 15_000 }, key);
        const next = late.after(ms)!;
        expect(next).toBeGreaterThan(ms);
        expect(late.after(next - 1)).toBe(next);
        const lateMs = next - plain.after(next - 15_001)!;
        expect(lateMs).toBeLessThan(15_001);
        expect(late.after(next)! - plain.after(plain.after(next - lateMs)! - 1)!).toBe(lateMs);
      },
    ),
    { numRuns: 50 },
  );
});

test("a turn was missed if one is between the last confirmation and now", () => {
  const turns = turnsOf({ ...schedule, everyMs: hour, jitterMs: 0 }, "blog");
  expect(missedTurnMs(turns, at("2026-01-01T10:10Z"), at("2026-01-01T10:50Z"))).toBeNull();
  expect(missedTurnMs(turns, at("2026-01-01T10:10Z"), at("2026-01-01T11:00Z"))).toBe(at("2026-01-01T11:00Z"));
  expect(missedTurnMs(turns, null, at("2026-01-01T11:00Z"))).toBe(0);
  // A confirmation in the future comes from a wrong clock.
  expect(missedTurnMs(turns, at("2027-01-01T10:10Z"), at("2026-01-01T10:50Z"))).toBe(0);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DatedGeneration, type KeepRule, keepRule, planRetention } from "../../src/snapshot/retention.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A Monday. */
const start = Date.parse("2026-11-02T00:00:00Z");
const none: KeepRule = { last: 0, hours: 0, days: 0, weeks: 0, graceMs: 0 };

describe("what is kept", () => {
  test("is the newest of each day of the last days that have one", () => {
    const times = [0, 5 * hour, day, day + hour, 5 * day, 5 * day + hour, 6 * day].map((ms) => start + ms);
    expect(keptOf(dated(times), { ...none, days: 3 }, start + 30 * day)).toEqual([7, 6, 4]);
  });

  test("is the newest of each week from Monday, and of each hour", () => {
    const times = [6 * day, 7 * day - 1, 7 * day, 9 * day, 9 * day + 10 * minute].map((ms) => start + ms);
    expect(keptOf(dated(times), { ...none, weeks: 2 }, start + 30 * day)).toEqual([5, 2]);
    expect(keptOf(dated(times), { ...none, hours: 3 }, start + 30 * day)).toEqual([5, 3, 2]);
  });

  test("is the newest, whatever the rule, and what a consumer needs", () => {
    const [newest, ...earlier] = dated([start, start + hour, start + day]);
    const waiting = earlier.map((one) => ({ ...one, isWaiting: one.generation === 1 }));
    expect(keptOf([newest!, ...waiting], none, start + 30 * day)).toEqual([3, 1]);
  });

  test("is everything superseded within the grace time: an hour by default", () => {
    const generations = dated([start, start + 10 * minute, start + 20 * minute]);
    expect(keptOf(generations, keepRule({ keepGenerations: 1 }), start + 75 * minute)).toEqual([3, 2]);
    expect(keptOf(generations, { ...none, graceMs: 5 * minute }, start + 22 * minute)).toEqual([3, 2]);
  });

  test("has a date if one decides: when enough later days can have a generation", () => {
    const generations = dated([start + hour, start + day, start + 3 * day]);
    const plan = planRetention(generations, { ...none, days: 4, last: 1, graceMs: hour }, start + 3 * day + minute);
    expect(plan.get(3)).toEqual([
      { rule: "newest", untilMs: null },
      { rule: "last", untilMs: null },
      { rule: "days", untilMs: null },
    ]);
    expect(plan.get(2)).toEqual([
      { rule: "grace", untilMs: start + 3 * day + hour },
      { rule: "days", untilMs: start + 6 * day },
    ]);
    expect(plan.get(1)).toEqual([{ rule: "days", untilMs: start + 5 * day }]);
  });
});

const upTo = (max: number) => fc.nat({ max });
const rules = fc.record({
  last: upTo(4),
  hours: upTo(5),
  days: upTo(5),
  weeks: upTo(3),
  graceMs: fc.constantFrom(0, hour, 5 * hour),
});
/** Commits, each so many minutes after the previous one, and whether a prune follows. */
const histories = fc.array(fc.record({ afterMs: fc.oneof(upTo(90 * minute), upTo(3 * day)), isPruned: fc.boolean() }), {
  minLength: 1,
  maxLength: 60,
});

describe("for random histories and rules", () => {
  test("earlier prunes never decide what is kept, and a second prune removes nothing", () => {
    fc.assert(
      fc.property(histories, rules, upTo(9 * day), (history, rule, idleMs) => {
        const { all, left, nowMs } = lived(history, rule);
        const end = nowMs + idleMs;
        const kept = keptOf(dated(all), rule, end);
        const pruned = keptOf(only(left, all), rule, end);
        expect(pruned).toEqual(kept);
        expect(keptOf(only(pruned, all), rule, end)).toEqual(kept);
      }),
    );
  });

  test("the newest of each of the last periods stays, and so do the last ones", () => {
    fc.assert(
      fc.property(histories, rules, (history, rule) => {
        const { all, left, nowMs } = lived(history, rule);
        const kept = new Set(keptOf(only(left, all), rule, nowMs));
        const times = all.map((ms, index) => ({ generation: index + 1, ms })).toReversed();
        const expected = new Set(times.slice(0, Math.max(1, rule.last)).map(({ generation }) => generation));
        const names = {
          hours: (iso: string) => iso.slice(0, 13),
          days: (iso: string) => iso.slice(0, 10),
          weeks: (iso: string) => String(Math.floor((Date.parse(iso) - start) / (7 * day))),
        };
        for (const name of ["hours", "days", "weeks"] as const) {
          const newest = new Map<string, number>();
          for (const { generation, ms } of times) {
            const period = names[name](new Date(ms).toISOString());
            if (!newest.has(period)) newest.set(period, generation);
          }
          for (const generation of [...newest.values()].slice(0, rule[name])) expected.add(generation);
        }
        expect([...expected].filter((generation) => !kept.has(generation))).toEqual([]);
        if (rule.graceMs === 0) expect(kept).toEqual(expected);
      }),
    );
  });

  test("none goes before the date that was given", () => {
    fc.assert(
      fc.property(histories, rules, upTo(60), (history, rule, until) => {
        const earlier = lived(history.slice(0, until + 1), rule);
        const generations = only(earlier.left, earlier.all);
        const dates = [...planRetention(generations, rule, earlier.nowMs)].map(([generation, reasons]) => ({
          generation,
          untilMs: Math.max(0, ...reasons.map(({ untilMs }) => untilMs ?? 0)),
        }));
        const { left, nowMs } = lived(history, rule);
        const gone = dates.filter(({ generation, untilMs }) => untilMs > nowMs && !left.includes(generation));
        expect(gone).toEqual([]);
      }),
    );
  });
});

/** The times of all commits, and the numbers that the prunes left. */
function lived(history: readonly { afterMs: number; isPruned: boolean }[], rule: KeepRule) {
  const all: number[] = [];
  let left: number[] = [];
  let nowMs = start;
  for (const { afterMs, isPruned } of history) {
    nowMs += afterMs;
    left = [all.push(nowMs), ...left];
    if (isPruned) left = keptOf(only(left, all), rule, nowMs);
  }
  return { all, left, nowMs };
}

function only(numbers: readonly number[], times: readonly number[]): DatedGeneration[] {
  return numbers.map((generation, index) => ({
    generation,
    committedMs: times[generation - 1]!,
    supersededMs: index === 0 ? null : times[numbers[index - 1]! - 1]!,
    isWaiting: false,
  }));
}

/** All generations of these times, newest first. */
function dated(times: readonly number[]): DatedGeneration[] {
  return only(times.map((_, index) => index + 1).toReversed(), times);
}

function keptOf(generations: readonly DatedGeneration[], rule: KeepRule, nowMs: number): number[] {
  return [...planRetention(generations, rule, nowMs)].flatMap(([generation, { length }]) =>
    length > 0 ? [generation] : [],
  );
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSliceRunner, runAtOnce, type Sliced, sortSliced } from "../../../../src/server/replica/query/slices.js";

const slices = createSliceRunner();

/** Work of many short steps. */
function* steps(count: number, step: () => void): Sliced<number> {
  for (let done = 0; done < count; done += 1) {
    step();
    yield;
  }
  return count;
}

const busy = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe("work in slices", () => {
  test("lets timers and other work run repeatedly", async () => {
    let turns = 0;
    let working = true;
    const watch = () => {
      turns += 1;
      if (working) setImmediate(watch);
    };
    setImmediate(watch);
    expect(await slices.run(steps(60, () => busy(1)))).toBe(60);
    working = false;
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test("several works take turns: none waits for another to end", async () => {
    const order: string[] = [];
    const work = (name: string) => slices.run(steps(30, () => busy(1))).then(() => order.push(name));
    const long = slices.run(steps(200, () => busy(1))).then(() => order.push("long"));
    await Promise.all([long, work("a"), work("b")]);
    expect(order.at(-1)).toBe("long");
  });

  test("short works share one slice per turn, even if they begin later in it", async () => {
    let nowMs = 0;
    let stepsInTurn = 0;
    let most = 0;
    let working = true;
    const runner = createSliceRunner(() => nowMs);
    const watch = () => {
      stepsInTurn = 0;
      if (working) setImmediate(watch);
    };
    setImmediate(watch);
    const step = () => {
      nowMs += 1;
      stepsInTurn += 1;
      most = Math.max(most, stepsInTurn);
    };
    const works = Array.from({ length: 100 }, () => runner.run(steps(3, step)));
    await Promise.all(works);
    await Promise.all(Array.from({ length: 100 }, () => runner.run(steps(3, step))));
    working = false;
    expect(nowMs).toBe(600);
    expect(most).toBeLessThanOrEqual(10);
  });

  test("is done once for all who wait, and synchronously for who cannot", async () => {
    let runs = 0;
    const made = slices.lazy(function* (): Sliced<number> {
      runs += 1;
      yield* steps(20, () => busy(1));
      return 7;
    });
    expect(await Promise.all([made.ready(), made.ready()])).toEqual([7, 7]);
    expect([made.get(), await made.ready(), runs]).toEqual([7, 7, 1]);
    const other = slices.lazy(() => steps(3, () => undefined));
    expect(other.get()).toBe(3);
  });

  test("a failure reaches all who wait, and the next call retries", async () => {
    let fails = true;
    const made = slices.lazy(function* (): Sliced<number> {
      yield;
      if (fails) throw new Error("no");
      return 1;
    });
    await expect(made.ready()).rejects.toThrow("no");
    fails = false;
    expect(await made.ready()).toBe(1);
  });
});

describe("sorting in slices", () => {
  test("equals a stable sort, for any length", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 5000 }), (keys) => {
        const rows = Uint32Array.from(keys, (_, index) => index);
        const sorted = runAtOnce(sortSliced(rows.slice(), (a, b) => keys[a]! - keys[b]!));
        const expected = [...rows].sort((a, b) => keys[a]! - keys[b]!);
        expect([...sorted]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  test("yields while it sorts a long list", () => {
    const rows = Uint32Array.from({ length: 20_000 }, (_, index) => 20_000 - index);
    let yields = 0;
    const work = sortSliced(rows, (a, b) => a - b);
    for (let step = work.next(); step.done !== true; step = work.next()) yields += 1;
    expect(yields).toBeGreaterThan(50);
  });
});

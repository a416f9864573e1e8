import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SortKey } from "../../../../src/contract/sort.js";
import type { FieldSource } from "../../../../src/server/replica/query/shard-rows.js";
import { runAtOnce } from "../../../../src/server/replica/query/slices.js";
import { createRankCache, sortByPlace, sortRows } from "../../../../src/server/replica/query/sort.js";

/** Records as rows; counts how often a field is asked for. */
function sourceOf(records: readonly Record<string, unknown>[]): FieldSource & { asked: number } {
  return {
    asked: 0,
    count: records.length,
    field(path) {
      this.asked += 1;
      return (row) => records[row]![path.at(-1)!];
    },
  };
}

const rowsOf = (count: number) => Uint32Array.from({ length: count }, (_, row) => row);
const key = (name: string, more: Partial<SortKey> = {}): SortKey => ({
  property: ["content", name],
  direction: "asc",
  cast: "string",
  nulls: "last",
  ...more,
});

/** The order of one key, said plainly. */
function compare(a: unknown, b: unknown, { direction, nulls }: SortKey): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0;
    return (a === undefined) === (nulls === "first") ? -1 : 1;
  }
  if (a === b) return 0;
  return ((a as string) < (b as string) ? -1 : 1) * (direction === "desc" ? -1 : 1);
}

describe("sorting by ranks", () => {
  const record = fc.record({
    a: fc.constantFrom("x", "y", "ä", "Z", "", undefined),
    b: fc.constantFrom("1", "10", "2"),
  });
  const sortKey = fc.record({
    name: fc.constantFrom("a", "b"),
    direction: fc.constantFrom("asc" as const, "desc" as const),
    nulls: fc.constantFrom("first" as const, "last" as const),
  });

  test("equals a sort by values, for every chain of keys and every subset of rows", () => {
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 60 }),
        fc.array(sortKey, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 12 }),
        (records, keys, every) => {
          const chain = keys.map(({ name, ...more }) => key(name, more));
          const rows = rowsOf(records.length).filter((row) => row % every === 0);
          const source = sourceOf(records);
          const rank = createRankCache(() => rowsOf(records.length));
          const expected = [...rows].sort((left, right) => {
            for (const each of chain) {
              const name = each.property[1] as "a" | "b";
              const difference = compare(records[left]![name] || undefined, records[right]![name] || undefined, each);
              if (difference !== 0) return difference;
            }
            return left - right;
          });
          for (let again = 0; again < 2; again += 1) {
            expect([...runAtOnce(sortRows(chain, source, rows, rank))]).toEqual(expected);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("values are compared once: another direction, selection or second key reuses the ranks", () => {
    const source = sourceOf(Array.from({ length: 40 }, (_, row) => ({ a: String(row % 7), b: String(row % 3) })));
    const rank = createRankCache(() => rowsOf(40));
    const sort = (keys: SortKey[], rows = rowsOf(40)) => [...runAtOnce(sortRows(keys, source, rows, rank))];
    sort([key("a")]);
    sort([key("a", { direction: "desc", nulls: "first" })]);
    expect(sort([key("a")], Uint32Array.of(13, 14, 1))).toEqual([14, 1, 13]);
    expect(source.asked).toBe(1);
    sort([key("b"), key("a")]);
    expect(source.asked).toBe(2);
  });

  test("keeps the ranks of the most recent fields", () => {
    const source = sourceOf([{ a: "1" }]);
    const rank = createRankCache(() => rowsOf(1));
    const sort = (name: string) => runAtOnce(sortRows([key(name)], source, rowsOf(1), rank));
    for (let field = 0; field < 9; field += 1) sort(`f${field}`);
    sort("f8");
    expect(source.asked).toBe(9);
    sort("f0");
    expect(source.asked).toBe(10);
  });

  test("ranks a few of many rows separately", () => {
    const source = sourceOf(Array.from({ length: 100 }, (_, row) => ({ a: String(row) })));
    const rank = createRankCache(() => {
      throw new Error("all rows were asked for");
    });
    expect([...runAtOnce(sortRows([key("a")], source, Uint32Array.of(9, 10, 8), rank))]).toEqual([10, 8, 9]);
  });

  test("yields while it moves many rows", () => {
    const work = sortByPlace(rowsOf(100_000), (row) => row % 5, 5);
    let yields = 0;
    for (let step = work.next(); step.done !== true; step = work.next()) yields += 1;
    expect(yields).toBeGreaterThan(10);
  });
});

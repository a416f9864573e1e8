import { describe, expect, test } from "vitest";
import type { Page } from "../../../src/sync/upstream/answer.js";
import { readVariedPages, sizeBelowCap } from "../../../src/sync/upstream/pages.js";

interface Habits {
  rows: number;
  /** Largest page that the server gives. */
  cap: number;
  tellsPerPage: boolean;
  tellsTotal?: boolean;
}

/** Reads the list of a server with these habits in one variation; returns what came and which pages were asked for. */
async function readList({ rows, cap, tellsPerPage, tellsTotal = true }: Habits, variation: number) {
  const asked: string[] = [];
  const fetchPage = async (page: number, perPage: number): Promise<Page<number>> => {
    asked.push(`${page}/${perPage}`);
    const size = Math.min(perPage, cap);
    const first = (page - 1) * size;
    const values = Array.from({ length: Math.max(0, Math.min(size, rows - first)) }, (_, at) => first + at);
    return {
      records: values.map((value) => ({ text: String(value), value })),
      total: tellsTotal ? rows : null,
      perPage: tellsPerPage ? size : null,
    };
  };
  const lists = await readVariedPages({ perPage: 1_000 - variation, variation }, fetchPage, {
    textOf: ({ text }) => text,
  });
  return { values: lists.flat().map(({ value }) => value), asked };
}

describe("two readings of a list whose pages are capped", () => {
  test.each([
    { rows: 1_200, cap: 100, tellsPerPage: true },
    { rows: 1_200, cap: 100, tellsPerPage: false },
    { rows: 150, cap: 100, tellsPerPage: false },
    { rows: 60, cap: 25, tellsPerPage: false, tellsTotal: false },
    { rows: 7, cap: 3, tellsPerPage: false },
  ])("have no address in common in any variation ($rows rows, cap $cap, tells: $tellsPerPage)", async (habits) => {
    const rows = Array.from({ length: habits.rows }, (_, at) => at);
    const usual = await readList(habits, 0);
    expect(usual.values).toEqual(rows);
    let before = usual.asked;
    for (let variation = 1; variation < 230; variation++) {
      const { values, asked } = await readList(habits, variation);
      expect(values).toEqual(rows);
      expect(asked.filter((address) => usual.asked.includes(address) || before.includes(address))).toEqual([]);
      before = asked;
    }
  });

  test("ask for at most twice as many pages, and one more to see the cap", async () => {
    for (let variation = 1; variation < 230; variation++) {
      const { asked } = await readList({ rows: 1_200, cap: 100, tellsPerPage: false }, variation);
      expect(asked.length).toBeLessThanOrEqual(2 * 12 + 2);
    }
  });

  test("take one request if the list fits the capped page", async () => {
    expect((await readList({ rows: 80, cap: 100, tellsPerPage: true }, 3)).asked).toEqual(["1/997"]);
    expect((await readList({ rows: 80, cap: 100, tellsPerPage: false }, 3)).asked).toEqual(["1/997"]);
  });
});

test("use a page size of at least half the cap, unless that is small", () => {
  const sizes = (cap: number) => Array.from({ length: 300 }, (_, at) => sizeBelowCap(cap, at + 1));
  expect([Math.min(...sizes(100)), Math.max(...sizes(100)), new Set(sizes(100)).size]).toEqual([50, 99, 50]);
  expect([Math.min(...sizes(25)), Math.max(...sizes(25))]).toEqual([5, 24]);
  expect([Math.min(...sizes(3)), Math.max(...sizes(3))]).toEqual([1, 2]);
  expect([...new Set(sizes(2)), ...new Set(sizes(1))]).toEqual([1, 1]);
});

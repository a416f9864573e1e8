import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Page } from "../../../src/sync/upstream/answer.js";
import { readPages } from "../../../src/sync/upstream/pages.js";

interface Habits {
  /** Rows there are. */
  rows: number;
  tellsTotal?: boolean;
  tellsPerPage?: boolean;
  /** Largest page that the server gives. */
  cap?: number;
  /** Answers every page number with the first page. */
  ignoresPage?: boolean;
}

/** A list endpoint with these habits, and the requests that it got. */
function endpoint(habits: Habits): {
  fetchPage: (page: number, perPage: number) => Promise<Page<number>>;
  asked: string[];
} {
  const { rows, tellsTotal = true, tellsPerPage = true, cap = 1_000, ignoresPage = false } = habits;
  const asked: string[] = [];
  const fetchPage = async (page: number, perPage: number): Promise<Page<number>> => {
    asked.push(`${page}/${perPage}`);
    const size = Math.min(perPage, cap);
    const first = ignoresPage ? 0 : (page - 1) * size;
    const values = Array.from({ length: Math.max(0, Math.min(size, rows - first)) }, (_, i) => first + i);
    return {
      records: values.map((value) => ({ text: String(value), value })),
      total: tellsTotal ? rows : null,
      perPage: tellsPerPage ? size : null,
    };
  };
  return { fetchPage, asked };
}

const values = (records: { value: number }[]): number[] => records.map(({ value }) => value);
const upTo = (rows: number): number[] => Array.from({ length: rows }, (_, i) => i);

describe("with Total", () => {
  test.each([
    [0, 1],
    [1, 1],
    [100, 2],
    [101, 2],
    [250, 3],
    [5_000, 51],
  ])("%i rows take %i requests", async (rows, requests) => {
    const { fetchPage, asked } = endpoint({ rows });
    expect(values(await readPages(100, fetchPage))).toEqual(upTo(rows));
    expect(asked).toHaveLength(requests);
  });

  test("requests pages 2 to n concurrently, within the limit, and returns them in order", async () => {
    const { fetchPage } = endpoint({ rows: 1_000 });
    let open = 0;
    let most = 0;
    const slow = async (page: number, perPage: number): Promise<Page<number>> => {
      most = Math.max(most, ++open);
      const answer = await fetchPage(page, perPage);
      // Later pages come back first.
      for (let turn = page; turn < 12; turn++) await Promise.resolve();
      open--;
      return answer;
    };
    expect(values(await readPages(100, slow, { concurrency: 4 }))).toEqual(upTo(1_000));
    expect(most).toBe(4);
  });

  test("requests a server's own size if its pages are smaller", async () => {
    const { fetchPage, asked } = endpoint({ rows: 250, cap: 100 });
    expect(values(await readPages(1_000, fetchPage))).toEqual(upTo(250));
    expect(asked).toEqual(["1/1000", "2/100", "3/100"]);
    const silent = endpoint({ rows: 250, cap: 100, tellsPerPage: false });
    expect(values(await readPages(1_000, silent.fetchPage))).toEqual(upTo(250));
  });

  test.each<[string, (page: number, answer: Page<number>) => Page<number>]>([
    ["a page lacks a row", (page, answer) => (page === 2 ? { ...answer, records: answer.records.slice(1) } : answer)],
    ["Total changes between pages", (page, answer) => ({ ...answer, total: page === 1 ? 300 : 299 })],
    ["a later page has no Total", (page, answer) => ({ ...answer, total: page === 3 ? null : 300 })],
    ["a page is empty", (page, answer) => (page === 3 ? { ...answer, records: [] } : answer)],
    ["the first page is empty", (_page, answer) => ({ ...answer, records: [] })],
    ["more rows come than Total says", (_page, answer) => ({ ...answer, total: 10 })],
    ["Total is absurd", (_page, answer) => ({ ...answer, total: 9e14 })],
  ])("it is inconsistent when %s", async (_what, distort) => {
    const { fetchPage } = endpoint({ rows: 300 });
    const running = readPages(100, async (page, perPage) => distort(page, await fetchPage(page, perPage)), {
      what: "the links",
    });
    await expect(running).rejects.toMatchObject({
      code: "UPSTREAM_INCONSISTENT",
      message: expect.stringContaining("the links"),
    });
  });

  test("if Total changes, calls back and reads the pages with another one again", async () => {
    const before = endpoint({ rows: 250 });
    const after = endpoint({ rows: 251 });
    let reads = 0;
    const growing = (page: number, perPage: number) => (++reads < 3 ? before : after).fetchPage(page, perPage);
    const reasons: string[] = [];
    const options = { concurrency: 1, onTotalChanged: (reason: string) => void reasons.push(reason) };
    expect(values(await readPages(100, growing, options))).toEqual(upTo(251));
    expect([...before.asked, ...after.asked]).toEqual(["1/100", "2/100", "3/100", "1/100", "2/100"]);
    expect(reasons).toEqual(["Total of the list changed from 250 to 251 while they were read"]);
  });

  test("fails if Total keeps changing", async () => {
    const { fetchPage } = endpoint({ rows: 250 });
    let total = 250;
    const restless = async (page: number, perPage: number) => ({ ...(await fetchPage(page, perPage)), total: total++ });
    await expect(readPages(100, restless, { onTotalChanged() {} })).rejects.toMatchObject({
      code: "UPSTREAM_INCONSISTENT",
    });
  });

  test.each([
    ["behind a last page that is full", { rows: 300 }, 200, "rejected"],
    ["and not found behind one that is not", { rows: 250 }, 250, "fulfilled"],
    ["and not found where there is none", { rows: 200 }, 200, "fulfilled"],
  ])("finds a Total that is too small %s", async (_, habits, total, status) => {
    const { fetchPage } = endpoint(habits);
    const wrong = async (page: number, perPage: number) => ({ ...(await fetchPage(page, perPage)), total });
    const [reading] = await Promise.allSettled([readPages(100, wrong)]);
    expect(reading.status).toBe(status);
  });

  test("fails with the error of one page, and requests no further page", async () => {
    const { fetchPage, asked } = endpoint({ rows: 10_000 });
    const broken = async (page: number, perPage: number): Promise<Page<number>> => {
      if (page === 2) throw new Error("page 2 is broken");
      return fetchPage(page, perPage);
    };
    await expect(readPages(100, broken, { concurrency: 4 })).rejects.toThrow("page 2 is broken");
    expect(asked.length).toBeLessThan(20);
  });
});

describe("without Total", () => {
  test.each([
    [0, ["1/100"]],
    [99, ["1/100"]],
    [100, ["1/100", "2/100", "3/100"]],
    [250, ["1/100", "2/100", "3/100"]],
  ])("%i rows are read up to the first short page", async (rows, requests) => {
    const { fetchPage, asked } = endpoint({ rows, tellsTotal: false });
    expect(values(await readPages(100, fetchPage))).toEqual(upTo(rows));
    expect(asked).toEqual(requests);
  });

  test("distinguishes an empty page in the middle from the end", async () => {
    const { fetchPage } = endpoint({ rows: 250, tellsTotal: false });
    const gap = async (page: number, perPage: number) =>
      page === 2 ? { records: [], total: null, perPage } : fetchPage(page, perPage);
    await expect(readPages(100, gap)).rejects.toMatchObject({ code: "UPSTREAM_INCONSISTENT" });
  });

  test("reads a server that silently caps its pages to the end", async () => {
    const { fetchPage } = endpoint({ rows: 260, tellsTotal: false, tellsPerPage: false, cap: 25 });
    expect(values(await readPages(1_000, fetchPage))).toEqual(upTo(260));
  });

  test("does not ask a server again that returns everything at once", async () => {
    const { fetchPage, asked } = endpoint({ rows: 700, tellsTotal: false, tellsPerPage: false, ignoresPage: true });
    const everything = (page: number) => fetchPage(page, 1_000);
    expect(values(await readPages(100, everything))).toEqual(upTo(700));
    expect(asked).toHaveLength(1);
  });

  test("accepts a partial page from a server that ignores the page number, and refuses a full one", async () => {
    const notFull = endpoint({ rows: 75, tellsTotal: false, tellsPerPage: false, ignoresPage: true });
    expect(values(await readPages(100, notFull.fetchPage))).toEqual(upTo(75));
    const full = endpoint({ rows: 500, tellsTotal: false, tellsPerPage: false, ignoresPage: true });
    await expect(readPages(100, full.fetchPage)).rejects.toMatchObject({ code: "UPSTREAM_INCONSISTENT" });
  });
});

test("returns all rows once and in order for every server, with any headers and any cap", async () => {
  const habits = fc.record({
    rows: fc.integer({ min: 0, max: 400 }),
    tellsTotal: fc.boolean(),
    tellsPerPage: fc.boolean(),
    cap: fc.constantFrom(25, 50, 100, 1_000),
  });
  await fc.assert(
    fc.asyncProperty(habits, fc.constantFrom(25, 100, 1_000), async (server, perPage) => {
      expect(values(await readPages(perPage, endpoint(server).fetchPage))).toEqual(upTo(server.rows));
    }),
  );
});

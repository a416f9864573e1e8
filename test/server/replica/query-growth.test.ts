// @module-tag long
import { describe, expect, test } from "vitest";
import { matchRequest } from "../../../src/contract/request.js";
import { withLocalAssets } from "../../../src/server/replica/answers/local-assets.js";
import { fillUntranslated } from "../../../src/server/replica/answers/story-view.js";
import { createColumnStore } from "../../../src/server/replica/query/columns.js";
import { valueTest } from "../../../src/server/replica/query/filter.js";
import { neededFields } from "../../../src/server/replica/query/query-cost.js";
import { searchRows, selectRows } from "../../../src/server/replica/query/select.js";
import { createSliceRunner, runAtOnce } from "../../../src/server/replica/query/slices.js";
import { createRankCache, sortRows } from "../../../src/server/replica/query/sort.js";
import { createStoryRows, type StoryRows } from "../../../src/server/replica/query/story-rows.js";
import { parts } from "../../../src/snapshot/layout.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";
import { expectLinear, workMs } from "../../support/work-time.js";

const storiesQuery = (search: string) => {
  const match = matchRequest("/v2/cdn/stories", search);
  if (match?.name !== "stories") throw new Error("no list");
  return match;
};

/** The stories with these contents, as rows. */
async function rowsOf(contents: readonly Record<string, unknown>[]): Promise<StoryRows> {
  const stories = contents.map((content, index) =>
    story(index + 1, { content: { _uid: "u", component: "page", ...content } }),
  );
  const { reader } = await sampleSnapshot({ editions: { "published/default": stories }, shardBytes: 1 << 20 });
  return createStoryRows(reader.shards(parts.stories("published/default")), createColumnStore(), createSliceRunner());
}

/** Number of steps that a selection is made in: other requests have their turn between two of them. */
function selectIn(rows: StoryRows, search: string): { ids: unknown[]; steps: number } {
  const { query, problems } = storiesQuery(search);
  expect(problems).toEqual([]);
  const ready = runAtOnce(rows.prepare(neededFields(query)));
  const work = selectRows({ ...rows, field: ready.field }, query);
  for (let steps = 0; ; steps += 1) {
    const step = work.next();
    if (step.done === true) return { ids: [...step.value].map((row) => rows.value(row, ["id"])), steps };
  }
}

const digits = (count: number) => "1".repeat(count);
/** Texts that a careless reading takes long for, each of about so many characters. */
const hostileTexts: [title: string, text: (size: number) => string][] = [
  ["digits and a letter", (size) => `${digits(size)}x`],
  ["digits, a point, digits and a letter", (size) => `${digits(size)}.${digits(size)}x`],
  ["digits and an exponent that is none", (size) => `${digits(size)}e${digits(size)}x`],
  ["blanks", (size) => " ".repeat(size)],
  ["blanks and a letter", (size) => `${" ".repeat(size)}x`],
  ["a digit, blanks and a letter", (size) => `1${" ".repeat(size)}x`],
  ["dashes", (size) => "2024-01-01".repeat(size / 10)],
  ["one letter", (size) => "a".repeat(size)],
];
const operations = ["gt_int", "lt_int", "gt_float", "lt_float", "gt_date", "lt_date", "in", "not_in", "like"] as const;

describe.each(hostileTexts)("%s", (_, text) => {
  test.each(operations)("as a value of %s takes proportional time", (operation) => {
    const condition = { path: ["a"], operation, values: ["a*a*b"], text: operation === "like" ? "*a*a*b" : "1" };
    const matches = valueTest(condition);
    expectLinear((size) => {
      const value = text(size);
      for (let time = 0; time < 10; time += 1) matches(value);
    }, 30_000);
  });

  test.each([...operations, "page", "level", "cv", "sort_by", "by_ids", "published_at_gt", "search_term", "by_slugs"])(
    "in a request, as %s, takes time in proportion",
    (name) => {
      const isOperation = operations.some((operation) => operation === name);
      expectLinear((size) => {
        const value = encodeURIComponent(text(size));
        const search = isOperation ? `filter_query[a][${name}]=${value}` : `${name}=${value}`;
        const { query } = storiesQuery(search);
        for (const condition of query.filter_query?.all ?? []) valueTest(condition)(text(size));
      }, 30_000);
    },
  );
});

describe("numbers", () => {
  test.each<[text: string, isNumber: boolean]>([
    ["10", true],
    [" +10.5e-1 ", true],
    [`${digits(300)}.${digits(99)}`, true],
    [`${digits(400)}`, true],
    [`${digits(401)}`, false],
    [`${" ".repeat(400)}1`, false],
  ])("a text of more than 400 characters is not a number: %s", (text, isNumber) => {
    expect(valueTest({ path: ["a"], operation: "gt_float", values: [text], text: "0" })(text)).toBe(isNumber);
    expect(valueTest({ path: ["a"], operation: "lt_float", values: [text], text })(1)).toBe(isNumber);
  });
});

describe("many parameters", () => {
  const many = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join("&");
  test.each<[title: string, part: (index: number) => string]>([
    ["conditions", (index) => `filter_query[a][in]=${index}`],
    ["arrays", (index) => `filter_query[f${index}][in][]=x`],
    ["groups", (index) => `filter_query[__or][][f${index}][in][]=x`],
    ["arrays and groups", (index) => `filter_query[${index % 2 ? "__or][][" : ""}f${index}][in][]=x`],
    ["deep paths", (index) => `filter_query[${"a.".repeat(50)}${index}][in]=x`],
  ])("%s are read in time in proportion", (_, part) => {
    expectLinear((size) => void storiesQuery(many(size, part)), 2000);
  });
});

describe("a large value", () => {
  const large = "ab".repeat(1 << 20);

  test("is tested in steps, with any number of conditions", async () => {
    const rows = await rowsOf([{ text: large }, { text: "small" }]);
    const all = Array.from({ length: 200 }, (_, index) => `filter_query[text][not_like]=*x${index}*`).join("&");
    const any = Array.from({ length: 200 }, (_, index) => `filter_query[__or][][text][like]=*x${index}*`).join("&");
    expect(selectIn(rows, all)).toEqual({ ids: [1, 2], steps: expect.toSatisfy((steps) => steps >= 100) });
    expect(selectIn(rows, any)).toEqual({ ids: [], steps: expect.toSatisfy((steps) => steps >= 100) });
  });

  test("of each of many stories is tested in steps", async () => {
    const rows = await rowsOf(Array.from({ length: 32 }, () => ({ text: "ab".repeat(1 << 17) })));
    expect(selectIn(rows, "filter_query[text][like]=*x").steps).toBeGreaterThanOrEqual(8);
  });

  test("is read once for all conditions on it", async () => {
    const rows = await rowsOf([{ text: large }]);
    const conditions = (count: number) =>
      Array.from({ length: count }, (_, index) => `filter_query[text][not_in]=${index}`).join("&");
    const one = workMs(() => selectIn(rows, conditions(1)));
    expect(workMs(() => selectIn(rows, conditions(400)))).toBeLessThan(20 * one + 100);
  });

  test("sorts by its first 1,024 characters", async () => {
    const rows = await rowsOf([
      { text: `${"a".repeat(1023)}c` },
      { text: `${"a".repeat(1023)}b${"z".repeat(3000)}` },
      { text: `${"a".repeat(1023)}b${"y".repeat(3000)}` },
    ]);
    expect(selectIn(rows, "sort_by=content.text:asc").ids).toEqual([2, 3, 1]);
  });

  test("does not stay in memory while other stories are sorted", () => {
    const source = { count: 40, field: () => (row: number) => `${row}${"x".repeat(1 << 21)}` };
    const key = { property: ["content", "a"], direction: "asc", cast: "string", nulls: "last" } as const;
    const rows = Uint32Array.from({ length: 40 }, (_, row) => row);
    const heldBytes: number[] = [];
    const work = sortRows(
      [{ ...key, property: [...key.property] }],
      source,
      rows,
      createRankCache(() => rows),
    );
    for (let step = work.next(); step.done !== true; step = work.next()) heldBytes.push(process.memoryUsage().rss);
    expect(Math.max(...heldBytes) - heldBytes[0]!).toBeLessThan(70 * (1 << 20));
  });
});

describe("hostile content", () => {
  test("a search passes a long text of one letter in proportional time", async () => {
    const rows = new Map<number, StoryRows>();
    for (const size of [1 << 18, 1 << 20]) rows.set(size, await rowsOf([{ text: "a".repeat(size) }]));
    expectLinear((size) => void runAtOnce(searchRows(rows.get(size)!, `b${"a".repeat(400)}`)), 1 << 18);
  });

  test("adjacent hosts of assets are replaced in proportional time", () => {
    const find = () => undefined;
    expectLinear((size) => {
      const text = JSON.stringify({ text: "https://a.example/".repeat(size) });
      expect(withLocalAssets([text], ["//a.example/"], find, "http://localhost")).toEqual([text]);
    }, 4000);
  });

  test("nested and repeated blocks are filled from another language in proportional time", () => {
    const nested = (depth: number, text: string): unknown =>
      depth === 0
        ? { _uid: "t", component: "text", text }
        : { _uid: "n", component: "n", body: [nested(depth - 1, text)] };
    expectLinear((size) => {
      const filled = fillUntranslated(nested(size, "de"), nested(size, "en"), nested(size, "fr"));
      expect(filled).toEqual(nested(size, "de"));
    }, 300);
    const list = (count: number, text: string) =>
      Array.from({ length: count }, (_, index) => ({ _uid: `u${index}`, component: "text", text, n: index }));
    expectLinear((size) => {
      expect(fillUntranslated(list(size, "en"), list(size, "en").concat(list(1, "x")), list(size, "fr"))).toHaveLength(
        size,
      );
    }, 3000);
  });
});

import { describe, expect, test } from "vitest";
import { matchRequest } from "../../../src/contract/request.js";
import { listsTag, namesTag, pageOf } from "../../../src/server/replica/answers/answer.js";
import { parseByteRange } from "../../../src/server/replica/answers/answer-asset.js";
import { neededFields } from "../../../src/server/replica/query/query-cost.js";
import { integerOf, numberOf } from "../../../src/server/replica/query/read-number.js";
import type { FieldSource } from "../../../src/server/replica/query/shard-rows.js";
import { slugReader } from "../../../src/server/replica/query/story-rows.js";
import { storyTests } from "../../../src/server/replica/query/story-tests.js";

/** Records as rows. */
function sourceOf(records: readonly object[]): FieldSource {
  const valueAt = (value: unknown, name: string) => (value as Record<string, unknown> | undefined)?.[name];
  return { count: records.length, field: (path) => (row) => path.reduce(valueAt, records[row] as unknown) };
}

function queryOf(text: string) {
  const match = matchRequest("/v2/cdn/stories", text);
  if (match?.name !== "stories") throw new Error(`no list: ${text}`);
  return match.query;
}

describe("storyTests", () => {
  const stories = [
    { id: 1, full_slug: "blog/one", tag_list: ["Big News"], content: { component: "post" } },
    { id: 2, full_slug: "blog/", is_startpage: true, content: { component: "page" } },
    { id: 3, full_slug: "de/blog/eins", lang: "de", default_full_slug: "blog/uno", content: { component: "post" } },
    { id: 4, full_slug: "about", updated_at: "2026-01-02T00:00:00.000Z", content: { component: "page" } },
  ];

  test.each([
    ["starts_with=blog/", [1, 2, 3]],
    ["starts_with=de/blog", [3]],
    ["starts_with=[default]/de", []],
    ["by_slugs=blog/o*,about", [1, 4]],
    ["excluding_slugs=blog/*", [4]],
    ["level=2", [1, 3]],
    ["with_tag=big-news", [1]],
    ["with_tag=Big News", [1]],
    ["content_type=post&excluding_ids=1", [3]],
    ["is_startpage=false", [1, 3, 4]],
    ["updated_at_gt=2026-01-01T00:00:00.000Z", [4]],
    ["updated_at_lt=2026-01-01T00:00:00.000Z", []],
  ])("%s selects %j", (text, ids) => {
    const tests = storyTests(queryOf(text), sourceOf(stories));
    const found = stories.filter((_, row) => tests.every((holds) => holds(row)));
    expect(found.map(({ id }) => id)).toEqual(ids);
  });
});

test("neededFields lists the fields of the parameters, the filter and the order", () => {
  const query = queryOf("content_type=post&filter_query[price][gt_int]=1&sort_by=content.date:desc");
  expect(neededFields(query)).toEqual([
    ["content", "component"],
    ["content", "price"],
    ["content", "date"],
  ]);
});

test.each([
  [{ full_slug: "about" }, ["about"]],
  [{ full_slug: "de/about", lang: "de" }, ["de/about", "about"]],
  [{ full_slug: "de/ueber", lang: "de", default_full_slug: "about" }, ["de/ueber", "ueber", "about"]],
  [{ full_slug: "de/about", lang: "de", default_full_slug: "about" }, ["de/about", "about"]],
  [{}, [""]],
])("slugReader finds %j as %j", (story, slugs) => {
  expect(slugReader(sourceOf([story]))(0)).toEqual(slugs);
});

test.each([
  ["12", 12, 12],
  [" -3 ", -3, -3],
  ["1.5", 1.5, undefined],
  ["1e3", 1000, undefined],
  [".", undefined, undefined],
  ["1,000", undefined, undefined],
  ["", undefined, undefined],
  [7.5, 7.5, 7.5],
  ["1".repeat(401), undefined, undefined],
])("%j is the number %s and the integer %s", (value, number, integer) => {
  expect([numberOf(value), integerOf(value)]).toEqual([number, integer]);
});

test.each([
  [{}, [1, 2], "2"],
  [{ page: 2 }, [3, 4], "2"],
  [{ page: 9 }, [], "2"],
  [{ per_page: 100 }, [1, 2, 3], "3"],
])("of 5 records, the page %j has %j", (query, records, perPage) => {
  const page = pageOf([1, 2, 3, 4, 5], query, { default: 2, max: 3 });
  expect(page).toEqual({ records, headers: { Total: "5", "Per-Page": perPage } });
});

test.each([
  [undefined, undefined],
  ["bytes=0-9", { start: 0, end: 10 }],
  ["bytes=90-", { start: 90, end: 100 }],
  ["bytes=-5", { start: 95, end: 100 }],
  ["bytes=50-500", { start: 50, end: 100 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=9-3", undefined],
  ["bytes=0-1,4-5", undefined],
  ["lines=0-1", undefined],
])("of 100 bytes, the range %j is %j", (header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range);
});

test("If-None-Match treats weak and strong tags alike and ignores *; If-Match is exact, and * matches any", () => {
  expect([namesTag('"a", W/"b"', '"b"'), namesTag("*", '"b"'), namesTag(undefined, '"b"')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([listsTag('"a", "b"', '"b"'), listsTag('W/"b"', '"b"'), listsTag("*", '"b"')]).toEqual([true, false, true]);
});

import { describe, expect, test } from "vitest";
import { matchRequest } from "../../../../src/contract/request.js";
import { costProblem } from "../../../../src/server/replica/query/query-cost.js";

/** Why a list of so many stories is refused. */
function cost(query: string, stories: number): string | undefined {
  const match = matchRequest("/v2/cdn/stories", query);
  if (match?.name !== "stories") throw new Error("no list");
  return costProblem(match.query, stories);
}
const repeated = (part: string, count: number) => Array.from({ length: count }, () => part).join("&");

describe("the cost of a list", () => {
  test("never refuses real queries", () => {
    const query =
      "starts_with=blog/&excluding_slugs=blog/*,news/*,*/draft*&with_tag=a,b&sort_by=content.date:desc,name:asc&" +
      "filter_query[component][in]=post,news&filter_query[title][like]=*a*&filter_query[price][gt_float]=10&search_term=word";
    for (const stories of [1, 1000, 100_000, 1_000_000]) expect(cost(query, stories)).toBeUndefined();
  });

  test("grows with conditions and patterns times stories", () => {
    const conditions = repeated("filter_query[a][in]=x", 600);
    expect(cost(conditions, 10_000)).toBeUndefined();
    expect(cost(conditions, 100_000)).toMatch(/600 for each of 100000 stories; the limit is 500/);
    const patterns = `by_slugs=${Array.from({ length: 60 }, (_, index) => `*${index}${"x".repeat(400)}`).join(",")}`;
    expect(cost(patterns, 10_000)).toBeUndefined();
    expect(cost(patterns, 1_000_000)).toMatch(/the limit is 50/);
  });

  test("long lists of exact values are looked up, and cost nothing extra", () => {
    const values = Array.from({ length: 2000 }, (_, index) => `value-${index}`).join(",");
    expect(
      cost(`by_slugs=${values}&filter_query[a][in]=${values}&excluding_slugs=${values}`, 1_000_000),
    ).toBeUndefined();
  });

  test("a repeated sort key cannot decide, and costs nothing", () => {
    const keys = Array.from({ length: 3000 }, () => "name:asc").join(",");
    expect(cost(`sort_by=${keys}`, 1_000_000)).toBeUndefined();
    const many = Array.from({ length: 41 }, (_, index) => `content.f${index}:asc`).join(",");
    expect(cost(`sort_by=${many}`, 10)).toMatch(/41 fields; the limit is 40/);
  });
});

import { expect, test } from "vitest";
import { buildSnapshot } from "../../../demo/build-snapshot.js";
import { createReplica } from "../../../src/server/replica/http/handler.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { story } from "../../support/sample-snapshot.js";

// Rows: [4.1 search_term, sort cast] [4.2 in, not_in, any_in_array, gt_float]

/** By id: the JSON of the field `n`. */
const literals = ["12345678901234567890", "12345678901234567891", "1.50", "[1,12345678901234567892]", "1e400", "2"];

async function ids(query: string): Promise<number[]> {
  const lines = literals.map((literal, index) => {
    const content = { _uid: "u", component: "page", n: null };
    return JSON.stringify(story(index + 1, { content })).replace('"n":null', `"n":${literal}`);
  });
  const { store, manifest } = await buildSnapshot({
    space: {},
    cv: 5,
    parts: { "stories/published/default": lines },
    editions: [{ version: "published", release: null, language: "default" }],
  });
  const reader = await openReader(store, manifest);
  const replica = createReplica({ reader: () => reader, redirect: false });
  const response = await replica.fetch(new Request(`http://x/v2/cdn/stories?token=x&${query}`));
  const { stories } = (await response.json()) as { stories: { id: number }[] };
  return stories.map(({ id }) => id);
}

test.each([
  ["search_term", "search_term=12345678901234567890", [1]],
  ["search_term: in a list", "search_term=12345678901234567892", [4]],
  ["search_term: with its last zero", "search_term=1.50", [3]],
  ["search_term: not as a double prints it", "search_term=12345678901234567000", []],
  ["in", "filter_query[n][in]=12345678901234567890", [1]],
  ["in a list", "filter_query[n][in]=12345678901234567892", [4]],
  ["in: with its last zero", "filter_query[n][in]=1.50", [3]],
  ["in: as the number that it is", "filter_query[n][in]=1.5", [3]],
  ["not_in", "filter_query[n][not_in]=12345678901234567890,2", [2, 3, 4, 5]],
  ["any_in_array", "filter_query[n][any_in_array]=12345678901234567892", [4]],
  ["gt_float: compared as a double", "filter_query[n][gt_float]=12345678901234567000", [5]],
  ["sort cast: compared as a double", "sort_by=content.n:asc:float", [3, 6, 1, 2, 5, 4]],
])("a number is found as the record spells it: %s", async (_, query, found) => {
  expect(await ids(query)).toEqual(found);
});

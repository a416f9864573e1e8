import { expect, test } from "vitest";
import type { StoryRecord } from "../../src/contract/records.js";
import type { IndexRow } from "../../src/crawl/index-row.js";
import { groupNeighbours, unexplainedTags } from "../../src/crawl/neighbours.js";

const row = (uuid: string, id: number): [string, IndexRow] => [
  uuid,
  { uuid, id, text: "", isFolder: false, slug: uuid, parentId: 0, publishedAt: null, updatedAt: null },
];
const story = (fields: Partial<StoryRecord>) => fields as StoryRecord;
const alternates = (...ids: number[]) =>
  story({ alternates: ids.map((id) => ({ id })) as NonNullable<StoryRecord["alternates"]> });

test("neighbours are the alternates of the old and of the new record, as far as the index has them", () => {
  const index = new Map([row("c", 3), row("a", 1), row("b", 2)]);
  expect(groupNeighbours([alternates(1, 99), alternates(3)], index, new Set())).toEqual(["a", "c"]);
  expect(groupNeighbours([alternates(1, 3)], index, new Set(["a"]))).toEqual(["c"]);
  expect(groupNeighbours([story({})], index, new Set())).toEqual([]);
});

test.each([
  ["nothing changed", [["x", 2]], [["x", 2]], [], []],
  ["a read story gained the tag", [["x", 2]], [["x", 3]], [{ before: [], after: ["x"] }], []],
  ["a read story lost the tag", [["x", 1]], [], [{ before: ["x"], after: [] }], []],
  ["a tag was renamed in the space", [["x", 2]], [["y", 2]], [], ["x", "y"]],
  [
    "renamed, while a story that was read carries it too",
    [["x", 2]],
    [["y", 2]],
    [{ before: ["x"], after: ["y"] }],
    ["x", "y"],
  ],
  [
    "a tag was deleted in the space",
    [
      ["x", 2],
      ["z", 1],
    ],
    [["z", 1]],
    [],
    ["x"],
  ],
] as const)("tags: %s", (_, before, after, changes, expected) => {
  const tags = (list: readonly (readonly [string, number])[]) =>
    list.map(([name, taggings_count]) => ({ name, taggings_count }));
  const stories = changes.map((change) => ({
    before: story({ tag_list: [...change.before] }),
    after: story({ tag_list: [...change.after] }),
  }));
  expect(unexplainedTags(tags(before), tags(after), stories)).toEqual(expected);
});

import { expect, test } from "vitest";
import { unexplainedTags } from "../../src/crawl/tag-changes.js";

type Counts = readonly (readonly [string, number])[];

test.each<[string, Counts, Counts, Counts, string[], string[]]>([
  ["nothing changed", [["x", 2]], [["x", 2]], [], [], []],
  ["a story that was read gained the tag", [["x", 2]], [["x", 3]], [["x", 1]], [], []],
  ["a story that was read lost the tag", [["x", 1]], [], [["x", -1]], [], []],
  ["a tag was renamed in the space", [["x", 2]], [["y", 2]], [], ["x", "y"], ["x", "y"]],
  [
    "renamed, and a story that was read carries it",
    [["x", 2]],
    [["y", 2]],
    [
      ["x", -1],
      ["y", 1],
    ],
    ["x", "y"],
    ["x", "y"],
  ],
  [
    "merged into another",
    [
      ["x", 2],
      ["y", 3],
    ],
    [["y", 5]],
    [],
    ["x", "y"],
    ["x"],
  ],
  [
    "deleted in the space",
    [
      ["x", 2],
      ["z", 1],
    ],
    [["z", 1]],
    [],
    ["x"],
    ["x"],
  ],
  ["a story that is not read gained the tag", [["x", 2]], [["x", 3]], [], ["x"], []],
])("%s", (_, before, after, explained, whole, partial) => {
  const tags = (list: Counts) => list.map(([name, taggings_count]) => ({ name, taggings_count }));
  expect(unexplainedTags(tags(before), tags(after), new Map(explained), false)).toEqual(whole);
  expect(unexplainedTags(tags(before), tags(after), new Map(explained), true)).toEqual(partial);
});

import { describe, expect, test } from "vitest";
import { TagLedger, unexplainedTags } from "../../../../src/sync/crawl/stories/tags.js";

type Counts = readonly (readonly [string, number])[];

describe("tags with an unexplained number of stories", () => {
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
});

describe("the tags of a version", () => {
  const [older, newer] = [1, 2].map((records) => ({ records, shards: [] }));

  test("count what the staged stories gained and lost", () => {
    const tags = new TagLedger({ red: 1 });
    tags.countStory(["red", "blue"], ["blue", "green"]);
    tags.countStory([], ["green"]);
    expect(Object.fromEntries(tags.delta)).toEqual({ red: 0, blue: 0, green: 2 });
  });

  test("keep the previous ones as the baseline of the stories, however often newer ones are read", () => {
    const tags = new TagLedger();
    tags.noteRead(older, newer);
    tags.noteRead(newer, newer);
    expect(tags.baseline).toBe(older);
    expect(tags.takeUntagged()).toBe(false);
  });

  test("that are the first request the stories again, once", () => {
    const tags = new TagLedger();
    tags.noteRead(undefined, newer);
    expect([tags.baseline, tags.takeUntagged(), tags.takeUntagged()]).toEqual([newer, true, false]);
  });

  test("that could not be read change nothing", () => {
    const tags = new TagLedger();
    tags.noteRead(undefined, undefined);
    expect([tags.baseline, tags.takeUntagged()]).toEqual([undefined, false]);
  });

  test("begin again once all stories were read with them", () => {
    const tags = new TagLedger({ red: 1 });
    tags.noteRead(older, newer);
    tags.startFrom(newer);
    expect([tags.baseline, tags.delta.size]).toEqual([newer, 0]);
  });
});

test("tags that are read after the stories are owed until the stories are asked for again", () => {
  const entry = { records: 1, shards: [] };
  const tags = new TagLedger();
  expect(tags.isUntagged).toBe(false);
  tags.noteRead(undefined, entry);
  expect([tags.isUntagged, tags.takeUntagged(), tags.isUntagged, tags.takeUntagged()]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

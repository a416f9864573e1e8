import { expect, test } from "vitest";
import type { StoryState } from "../../../src/server/explorer/data/generations.js";
import { foldHistory } from "../../../src/server/explorer/parts/generation-tables.js";

const folded = (...changes: StoryState["change"][]) => {
  const history = changes.map((change, place) => {
    return { generation: changes.length - place, cv: null, committedAt: "2026-01-01T00:00:00.000Z", change };
  });
  return foldHistory(history).map((states) => states.map(({ generation, change }) => `${generation} ${change}`));
};

test("a history folds generations in a row that are the same", () => {
  expect(folded("same", "same", "changed", "same", "unknown")).toEqual([
    ["5 same", "4 same"],
    ["3 changed"],
    ["2 same"],
    ["1 unknown"],
  ]);
});

test("a history folds generations in a row that lack the story, and keeps each change apart", () => {
  expect(folded("changed", "changed", "added", "absent", "absent", "removed")).toEqual([
    ["6 changed"],
    ["5 changed"],
    ["4 added"],
    ["3 absent", "2 absent"],
    ["1 removed"],
  ]);
});

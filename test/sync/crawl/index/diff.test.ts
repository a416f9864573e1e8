import { expect, test } from "vitest";
import { type ComparedRow, diffIndex } from "../../../../src/sync/crawl/index/diff.js";
import type { IndexRow } from "../../../../src/sync/crawl/index/index-row.js";

const row = (uuid: string, text: string, isFolder = false): [string, IndexRow] => [
  uuid,
  { uuid, id: 1, text, value: { uuid }, isFolder, slug: uuid, publishedAt: null, updatedAt: null },
];
const line = (uuid: string, text: string, isFolder = false): [string, ComparedRow] => [uuid, { text, isFolder }];

test("a line that differs in any character is a change, one that is new an addition, one that is gone vanished", () => {
  const known = new Map([line("a", "1"), line("b", "1"), line("c", "1")]);
  const index = new Map([row("d", "1"), row("b", "2"), row("a", "1")]);
  expect(diffIndex(known, index)).toEqual({
    added: ["d"],
    changed: ["b"],
    vanished: ["c"],
    folders: new Map(),
    storiesBefore: 3,
    storiesNow: 3,
    storiesKept: 1,
  });
});

test("a story that is a folder now is a change, and none of the stories that are there", () => {
  const known = new Map([line("a", "1"), line("b", "1")]);
  const diff = diffIndex(known, new Map([row("a", "1"), row("b", "2", true)]));
  expect(diff).toMatchObject({ changed: ["b"], storiesNow: 1, storiesKept: 1 });
});

test("copies folders unchanged, and requests no story for them", () => {
  const known = new Map([line("old", "1", true), line("same", "1", true)]);
  const index = new Map([row("new", "1", true), row("same", "1", true), row("story", "1")]);
  const diff = diffIndex(known, index);
  expect(diff.folders).toEqual(
    new Map([
      ["new", "1"],
      ["old", null],
    ]),
  );
  expect(diff).toMatchObject({ added: ["story"], changed: [], vanished: [], storiesBefore: 0, storiesNow: 1 });
});

test("returns uuids in code-unit order for any order of the listing", () => {
  const index = new Map([row("b", "1"), row("a", "1"), row("B", "1")]);
  expect(diffIndex(new Map(), index).added).toEqual(["B", "a", "b"]);
});

import { expect, test } from "vitest";
import type { StoryChange } from "../../src/snapshot/compare-stories.js";
import {
  countDifferences,
  differenceCountsText,
  editionText,
  movedFolders,
  storyDifferences,
} from "../../src/snapshot/story-differences.js";

const editions = [{ name: "published/default" }, { name: "published/de" }];
const at = (uuid: string, full_slug: string, edition = "published/default"): StoryChange => ({
  edition,
  uuid,
  full_slug,
});
const none = { added: [], changed: [], removed: [], moved: [] };
const move = (uuid: string, from: string, full_slug: string) => ({ ...at(uuid, full_slug), from });

test("a story counts once, with all the editions in which it differs, in the order of the slugs", () => {
  const changes = {
    added: [at("c", "de/new", "published/de")],
    changed: [at("b", "z"), at("b", "de/z", "published/de"), at("c", "new"), at("d", "a", "published/de")],
    removed: [at("e", "old")],
    moved: [{ ...at("b", "de/z", "published/de"), from: "de/y" }],
  };
  const found = storyDifferences(changes, editions);
  expect(found).toEqual([
    { kind: "changed", uuid: "d", full_slug: "a", editions: ["published/de"] },
    { kind: "added", uuid: "c", full_slug: "de/new", editions: ["published/de"] },
    { kind: "moved", uuid: "b", full_slug: "de/z", from: "de/y", editions: ["published/de"] },
    { kind: "removed", uuid: "e", full_slug: "old", editions: ["published/default"] },
  ]);
  expect(differenceCountsText(countDifferences(changes))).toBe("1 added, 2 changed (1 moved), 1 removed");
  expect(differenceCountsText(countDifferences(none))).toBe("0 added, 0 changed, 0 removed");
});

test("stories that moved with their folder are that folder; one alone, and one with another slug, are not", () => {
  const moved = [
    move("a", "blog/2025/a", "journal/2025/a"),
    move("b", "blog/b", "journal/b"),
    move("c", "blog/c", "journal/see"),
    move("d", "shop/d", "store/d"),
    move("e", "e", "journal/e"),
    move("f", "same/path", "same/path"),
  ];
  const { folders, others } = movedFolders(storyDifferences({ ...none, moved, changed: moved }, editions));
  expect(folders.map(({ from, to, stories }) => [from, to, stories.map(({ uuid }) => uuid)])).toEqual([
    ["blog", "journal", ["a", "b"]],
  ]);
  expect(others.map(({ uuid }) => uuid)).toEqual(["e", "c", "f", "d"]);
});

test("an edition is told by its language, a draft as such", () => {
  const names = ["published/default", "published/pt-br", "draft/default", "draft/de"];
  expect(names.map(editionText)).toEqual(["default", "pt-br", "draft", "draft de"]);
});

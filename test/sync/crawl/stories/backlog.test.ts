import { expect, test } from "vitest";
import { Backlog } from "../../../../src/sync/crawl/stories/backlog.js";

test("a backlog is open behind what was read, but for what was asked for since", () => {
  const backlog = new Backlog("b");
  backlog.note(["d"]);
  expect(["a", "b", "c", "d", "e"].filter((uuid) => backlog.isOpen(uuid))).toEqual(["c", "e"]);
});

test("a backlog is read up to the story before the first one that was not asked for", () => {
  const backlog = new Backlog("");
  backlog.note(["a", "b", "d"]);
  expect(backlog.readUntil(["d", "c", "b", "a"])).toBe("b");
  backlog.note(["c"]);
  expect(backlog.readUntil(["d", "c", "b", "a"])).toBe("d");
});

test("a backlog never goes back, even where the index has lost what was read", () => {
  expect(new Backlog("m").readUntil(["a", "z"])).toBe("m");
});

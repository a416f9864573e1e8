import { describe, expect, test } from "vitest";
import type { EditionSpec } from "../../../../src/sync/crawl/run/editions.js";
import {
  Audit,
  Backlog,
  backlogBatches,
  decidingBatches,
  unshownBatches,
} from "../../../../src/sync/crawl/stories/batches.js";

const edition: EditionSpec = {
  name: "published/default",
  version: "published",
  release: null,
  language: "default",
  fallbackLang: undefined,
  settings: "",
};
const diff = (added: string[], changed: string[] = [], vanished: string[] = []) => ({ added, changed, vanished });
const none = { cursor: "", uuids: [] };

describe("deciding batches", () => {
  test("contain added, changed and vanished stories, in uuid order", () => {
    const batches = decidingBatches([edition], diff(["c", "a"], ["d"], ["b"]), 3, none);
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b", "c"], ["d"]]);
    expect(batches.every(({ decides }) => decides)).toBe(true);
  });

  test("are empty if nothing differs: an audit alone is not worth a request", () => {
    expect(decidingBatches([edition], diff([]), 3, { cursor: "", uuids: ["a", "b"] })).toEqual([]);
  });

  test("fill the last one with the next stories of the audit, wrapping around", () => {
    const audit = { cursor: "c", uuids: ["a", "b", "c", "d"] };
    const batches = decidingBatches([edition], diff([], ["b"]), 3, audit);
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b", "d"]]);
    expect(batches[0]?.audit).toEqual(new Set(["d", "a"]));
  });

  test("never audit a story that is requested anyway, and never more than there are", () => {
    const batches = decidingBatches([edition], diff([], ["a"]), 100, { cursor: "", uuids: ["a", "b"] });
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b"]]);
  });

  test("leave no room when the last batch is full", () => {
    const batches = decidingBatches([edition], diff(["a", "b"]), 2, { cursor: "", uuids: ["c"] });
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b"]]);
  });
});

test("backlog batches fill one edition and decide about no row", () => {
  expect(backlogBatches(edition, ["b", "c", "a"], 2)).toMatchObject([
    { uuids: ["a", "b"], editions: [edition], decides: false },
    { uuids: ["c"], decides: false },
  ]);
});

test("make batches for unshown changes that decide, and audit nothing", () => {
  const batches = unshownBatches([edition], ["a", "b", "c"], 2);
  expect(batches).toMatchObject([{ uuids: ["a", "b"], decides: true }, { uuids: ["c"] }]);
  expect(batches.every(({ audit }) => audit.size === 0)).toBe(true);
});

test.each<[string, string | undefined, string[], string | undefined]>([
  ["goes on behind the last story that it asked for", "b", ["d", "c"], "d"],
  ["begins at the first story", undefined, ["b", "a"], "b"],
  ["goes round: what lies before the cursor came after the end", "y", ["b", "z", "a"], "z"],
  ["goes on from where it went round to", "y", ["b", "a"], "b"],
  ["stays where nothing was audited", "b", [], "b"],
])("an audit %s", (_, cursor, audited, next) => {
  const audit = new Audit(cursor);
  audit.advance(audited);
  expect([audit.cursor, audit.happened]).toEqual([next, audited.length > 0]);
});

test("keeps a backlog open after the read stories, except those requested since", () => {
  const backlog = new Backlog("b");
  backlog.note(["d"]);
  expect(["a", "b", "c", "d", "e"].filter((uuid) => backlog.isOpen(uuid))).toEqual(["c", "e"]);
});

test("reads a backlog up to the story before the first one that was not requested", () => {
  const backlog = new Backlog("");
  backlog.note(["a", "b", "d"]);
  expect(backlog.readUntil(["d", "c", "b", "a"])).toBe("b");
  backlog.note(["c"]);
  expect(backlog.readUntil(["d", "c", "b", "a"])).toBe("d");
});

test("never moves a backlog back, even if the index has lost stories that were read", () => {
  expect(new Backlog("m").readUntil(["a", "z"])).toBe("m");
});

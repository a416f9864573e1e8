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
  test("hold added, changed and vanished stories together, in uuid order", () => {
    const batches = decidingBatches([edition], diff(["c", "a"], ["d"], ["b"]), 3, none);
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b", "c"], ["d"]]);
    expect(batches.every(({ decides }) => decides)).toBe(true);
  });

  test("are none when nothing differs: an audit alone is not worth a request", () => {
    expect(decidingBatches([edition], diff([]), 3, { cursor: "", uuids: ["a", "b"] })).toEqual([]);
  });

  test("fill the room of the last one with the next stories of the audit, going round", () => {
    const audit = { cursor: "c", uuids: ["a", "b", "c", "d"] };
    const batches = decidingBatches([edition], diff([], ["b"]), 3, audit);
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b", "d"]]);
    expect(batches[0]?.audit).toEqual(new Set(["d", "a"]));
  });

  test("never audit a story that is asked for anyway, and never more than there are", () => {
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

test("batches for what no row shows decide, and audit nothing", () => {
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

test("an audit remembers that the index was seen to be blind", () => {
  const audit = new Audit(undefined);
  expect(audit.isBlind).toBe(false);
  audit.noteBlindness();
  expect(audit.isBlind).toBe(true);
});

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

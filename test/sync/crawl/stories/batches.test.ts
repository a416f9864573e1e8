import { describe, expect, test } from "vitest";
import type { EditionSpec } from "../../../../src/sync/crawl/run/editions.js";
import { backlogBatches, decidingBatches, unshownBatches } from "../../../../src/sync/crawl/stories/batches.js";

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
    const batches = decidingBatches("published", [edition], diff(["c", "a"], ["d"], ["b"]), 3, none);
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b", "c"], ["d"]]);
    expect(batches.every(({ decides }) => decides)).toBe(true);
  });

  test("are none when nothing differs: an audit alone is not worth a request", () => {
    expect(decidingBatches("published", [edition], diff([]), 3, { cursor: "", uuids: ["a", "b"] })).toEqual([]);
  });

  test("fill the room of the last one with the next stories of the audit, going round", () => {
    const audit = { cursor: "c", uuids: ["a", "b", "c", "d"] };
    const batches = decidingBatches("published", [edition], diff([], ["b"]), 3, audit);
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b", "d"]]);
    expect(batches[0]?.audit).toEqual(new Set(["d", "a"]));
  });

  test("never audit a story that is asked for anyway, and never more than there are", () => {
    const batches = decidingBatches("published", [edition], diff([], ["a"]), 100, { cursor: "", uuids: ["a", "b"] });
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b"]]);
  });

  test("leave no room when the last batch is full", () => {
    const batches = decidingBatches("published", [edition], diff(["a", "b"]), 2, { cursor: "", uuids: ["c"] });
    expect(batches.map(({ uuids }) => uuids)).toEqual([["a", "b"]]);
  });
});

test("backlog batches fill one edition and decide about no row", () => {
  expect(backlogBatches("published", edition, ["b", "c", "a"], 2)).toMatchObject([
    { uuids: ["a", "b"], editions: [edition], decides: false },
    { uuids: ["c"], decides: false },
  ]);
});

test("batches for what no row shows decide, and audit nothing", () => {
  const batches = unshownBatches("published", [edition], ["a", "b", "c"], 2);
  expect(batches).toMatchObject([{ uuids: ["a", "b"], decides: true }, { uuids: ["c"] }]);
  expect(batches.every(({ audit }) => audit.size === 0)).toBe(true);
});

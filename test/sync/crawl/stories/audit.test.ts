import { expect, test } from "vitest";
import { Audit } from "../../../../src/sync/crawl/stories/audit.js";

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

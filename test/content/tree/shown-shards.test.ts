import { expect, test } from "vitest";
import { rowsInCommon, shownShards } from "../../../src/content/tree/shown-shards.js";
import { linkRowsOf } from "../../../src/snapshot/reader/link-rows.js";
import { linkOf, sampleSnapshot, story } from "../../support/sample-snapshot.js";

const rows = Array.from({ length: 64 }, (_, at) => linkOf(story(at + 1)));

async function generation(records: readonly object[]) {
  const editions = { "published/default": [story(1)] };
  const { reader } = await sampleSnapshot({ editions, parts: { "links/published": records }, shardBytes: 2000 });
  return { reader, shown: shownShards(reader, new Map()) };
}

const prefixes = (digits: number) =>
  Array.from({ length: 2 ** digits }, (_, at) => at.toString(2).padStart(digits, "0"));
const ranges = [1, 2, 3, 6].flatMap((digits) =>
  prefixes(digits).map((prefix, at, all) => `${prefix}-${all[at + 1] ?? ""}`),
);

test("rows of a range are known to be the same where no row of its shards changed, and dates do not count", async () => {
  const before = await generation(rows);
  const later = await generation(rows.map((row) => ({ ...row, updated_at: "2025-01-01T00:00:00.000Z" })));
  expect(ranges.every((range) => rowsInCommon(later.shown, before.shown)("published", range))).toBe(true);
  const without = rows.filter((_, at) => at !== 20);
  for (const [at, records] of [rows.with(9, { ...rows[9]!, name: "Another" }), without].entries()) {
    const after = await generation(records);
    const isSame = rowsInCommon(after.shown, before.shown);
    const known = ranges.filter((range) => isSame("published", range));
    for (const range of known) {
      const [then, now] = [before, after].map(({ reader }) => linkRowsOf(reader, "published", range));
      expect(now).toEqual(then);
    }
    expect({ at, isMost: known.length > ranges.length * 0.7 }).toEqual({ at, isMost: true });
    expect(isSame("published", "-")).toBe(false);
    expect(isSame("draft", "0-1")).toBe(false);
  }
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexRow } from "../../src/crawl/index-row.js";
import { newestRows } from "../../src/crawl/newest-rows.js";

const date = fc.constantFrom(undefined, null, "2024-01-01", "2024-01-02", "2024-01-03");
const row = fc.record({
  uuid: fc.constantFrom("a", "b", "c", "d", "e"),
  isFolder: fc.boolean(),
  publishedAt: date,
  updatedAt: date,
});
const untold = { id: undefined, text: "", slug: undefined, parentId: undefined };
const rows = fc
  .uniqueArray(row, { selector: ({ uuid }) => uuid })
  .map((list) => list.map((one) => ({ ...one, ...untold, value: { uuid: one.uuid } })));

test("the newest dates after some rows went and others came are those of looking at all rows", () => {
  fc.assert(
    fc.property(rows, rows, fc.subarray(["a", "b", "c", "d", "e"]), (before, fresh, gone) => {
      const was = new Map<string, IndexRow>(before.map((one) => [one.uuid, one]));
      const index = new Map(was);
      for (const uuid of gone) index.delete(uuid);
      for (const one of fresh) index.set(one.uuid, one);
      const known = newestRows(index, { before: newestRows(was), fresh });
      const all = newestRows(index);
      expect(known.publishedAt?.date).toBe(all.publishedAt?.date);
      expect(known.updatedAt?.date).toBe(all.updatedAt?.date);
    }),
  );
});

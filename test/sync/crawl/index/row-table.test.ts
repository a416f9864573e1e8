import fc from "fast-check";
import { expect, test } from "vitest";
import type { IndexRow } from "../../../../src/sync/crawl/index/index-row.js";
import { PackedRows } from "../../../../src/sync/crawl/index/packed-rows.js";
import { RowTable, storiesById } from "../../../../src/sync/crawl/index/row-table.js";
import { sameUuids } from "../../../../src/sync/crawl/index/sweep-links.js";
import { TextLog } from "../../../../src/sync/crawl/index/text-log.js";
import { indexRow } from "../../../support/index-row.js";

/** Few uuids, so that they come again; some are none. */
const uuid = fc.oneof(
  fc.nat(20).map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
  fc.constantFrom("", "A", "00000000-0000-4000-8000-00000000000A"),
);
const row = fc
  .record({
    uuid,
    id: fc.nat(6),
    slug: fc.string({ maxLength: 8 }),
    is_folder: fc.boolean(),
    parent_id: fc.constantFrom(0, 7, null),
    published_at: fc.constantFrom(null, "2026-01-01T00:00:00.000Z"),
    updated_at: fc.constantFrom(null, "2026-01-02T00:00:00.000Z"),
  })
  .map((value) => indexRow({ text: JSON.stringify(value), value: value as never }));
const rows = fc.array(row, { maxLength: 60 });

function tableOf(packed: PackedRows, some: readonly IndexRow[]): { table: RowTable; model: Map<string, IndexRow> } {
  const table = new RowTable(packed);
  const model = new Map<string, IndexRow>();
  for (const one of some) {
    expect(table.add(packed.add(one))).toBe(!model.has(one.uuid));
    if (!model.has(one.uuid)) model.set(one.uuid, one);
  }
  return { table, model };
}

const shown = ({ uuid, id, text, isFolder, slug, publishedAt, updatedAt }: IndexRow) => {
  return { uuid, id, text, isFolder, slug, publishedAt, updatedAt };
};

test("behaves like a map of rows, in memory and on disk", () => {
  fc.assert(
    fc.property(rows, uuid, (some, wanted) => {
      const packed = new PackedRows(new TextLog({ piece: 512, kept: 1024 }));
      const { table, model } = tableOf(packed, some);
      expect(table.size).toBe(model.size);
      expect([...table.keys()]).toEqual([...model.keys()]);
      expect([...table.values()].map(shown)).toEqual([...model.values()].map(shown));
      expect([...table].map(([key]) => key)).toEqual([...model.keys()]);
      for (const key of [...model.keys(), wanted]) {
        expect(table.has(key)).toBe(model.has(key));
        const [found, expected] = [table.get(key), model.get(key)];
        expect(found && shown(found)).toEqual(expected && shown(expected));
      }
      const byId = storiesById(table);
      const stories = [...model.values()].filter(({ isFolder }) => !isFolder);
      for (let id = 0; id < 7; id++) expect(byId(id)?.text).toBe(stories.findLast((story) => story.id === id)?.text);
      packed.close();
    }),
  );
});

test("compares and joins two tables like two maps", () => {
  fc.assert(
    fc.property(rows, rows, (some, others) => {
      const packed = new PackedRows();
      const [a, b] = [tableOf(packed, some), tableOf(packed, others)];
      const isSame = [...a.model].every(([uuid, { text }]) => b.model.get(uuid)?.text === text);
      expect(a.table.hasSameRows(b.table)).toBe(isSame && a.model.size === b.model.size);
      expect(sameUuids(a.table, b.table)).toBe(sameUuids(a.model, b.model));
      const both = a.table.with(b.table.values());
      const more = [...b.model.values()].filter(({ uuid }) => !a.model.has(uuid));
      expect([...both.values()].map(shown)).toEqual([...a.model.values(), ...more].map(shown));
      expect(packed.uuids.length).toBe(some.length + others.length);
    }),
  );
});

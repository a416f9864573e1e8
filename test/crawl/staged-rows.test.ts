import fc from "fast-check";
import { expect, test } from "vitest";
import type { LinkRecord } from "../../src/contract/records.js";
import { diffIndex } from "../../src/crawl/diff.js";
import { indexRow } from "../../src/crawl/index-row.js";
import { PackedRows } from "../../src/crawl/packed-rows.js";
import { PackedSweep } from "../../src/crawl/packed-sweep.js";
import { PackedStagedRows } from "../../src/crawl/staged-rows.js";

const date = fc.constantFrom(null, undefined, "2026-01-01", "2026-01-02", "2026-01-03");
const line = fc
  .record({ n: fc.nat(7), is_folder: fc.boolean(), published_at: date, updated_at: date })
  .map(
    ({ n, ...rest }) => ({ id: n, uuid: `${n}`.repeat(8), slug: "", name: "", parent_id: 0, ...rest }) as LinkRecord,
  );
const lines = fc.uniqueArray(line, { selector: ({ uuid }) => uuid });

test("what is known of lines shortens the look at an index, and changes nothing of what is found", () => {
  fc.assert(
    fc.property(lines, lines, (before, now) => {
      const packed = new PackedRows();
      const known = new PackedStagedRows(undefined, packed);
      for (const record of before) known.add(record.uuid, JSON.stringify(record));
      const sweep = new PackedSweep(packed, known);
      const rows = now.map((value) => {
        const text = JSON.stringify(value);
        const same = known.recall(value.uuid);
        return same?.text === text ? same : indexRow({ text, value });
      });
      const index = sweep.collect([sweep.take(rows)]);
      const dates = (field: "published_at" | "updated_at") =>
        now.flatMap((record) => (record.is_folder ? [] : (record[field] ?? []))).sort();
      expect(known.newestDates(index)).toEqual({
        newestPublishedAt: dates("published_at").at(-1) ?? null,
        newestUpdatedAt: dates("updated_at").at(-1) ?? null,
      });
      const plain = new Map(
        now.map((value) => [value.uuid, indexRow({ text: JSON.stringify(value), value })] as const),
      );
      expect(diffIndex(known.rows, index, (row) => known.holds(row))).toEqual(diffIndex(known.rows, plain));
    }),
  );
});

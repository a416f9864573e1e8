import fc from "fast-check";
import { expect, test } from "vitest";
import type { LinkRecord } from "../../../../src/contract/records.js";
import { linesText, locateLines } from "../../../../src/lib/json/lines.js";
import { diffIndex } from "../../../../src/sync/crawl/index/diff.js";
import { storyUuids } from "../../../../src/sync/crawl/index/index-row.js";
import { PackedRows } from "../../../../src/sync/crawl/index/packed-rows.js";
import { StagedRows } from "../../../../src/sync/crawl/index/staged-rows.js";
import { Sweep } from "../../../../src/sync/crawl/index/sweep.js";
import { indexRow } from "../../../support/index-row.js";

const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const anyDate = fc.constantFrom(null, undefined, "", "2026-01-01", "2026-01-02", "2026-01-1", '2026"', "2026é", 5, [
  "2098",
]);
const date = fc.constantFrom(null, undefined, "2026-01-01", "2026-01-02", "2026-01-03");
const line = fc
  .record({ n: fc.nat(7), is_folder: fc.boolean(), published_at: date, updated_at: date })
  .map(
    ({ n, ...rest }) => ({ id: n, uuid: `${n}`.repeat(8), slug: "", name: "", parent_id: 0, ...rest }) as LinkRecord,
  );
const lines = fc.uniqueArray(line, { selector: ({ uuid }) => uuid });

test("finds the same differences faster with known lines", () => {
  fc.assert(
    fc.property(lines, lines, (before, now) => {
      const packed = new PackedRows();
      const known = new StagedRows(undefined, packed);
      for (const record of before) known.add(record.uuid, JSON.stringify(record));
      const sweep = new Sweep(packed, { tables: [known.rows] });
      const rows = now.map((value) => {
        const text = JSON.stringify(value);
        const same = sweep.knownOf(value.uuid);
        return same?.text === text ? same : indexRow({ text, value });
      });
      const index = sweep.finish([sweep.take(rows)]);
      const plain = new Map(
        now.map((value) => [value.uuid, indexRow({ text: JSON.stringify(value), value })] as const),
      );
      expect(diffIndex(known.rows, index, (row) => known.rows.holds(row))).toEqual(diffIndex(known.rows, plain));
    }),
  );
});

/** Rows of every shape that a shard may hold: the members in any order, dates that are none, texts with braces and quotes. */
const row = fc
  .record({
    uuid: fc.oneof(fc.nat(9).map(uuidOf), fc.constantFrom("A", "00000000-0000-4000-8000-00000000000A")),
    rest: fc.shuffledSubarray([
      ["id", 7],
      ["is_folder", false],
      ["name", 'a "}{" \\ é'],
      ["alternates", [{ uuid: uuidOf(3), published_at: "2099", is_folder: true }]],
      ["path", null],
    ] as [string, unknown][]),
    isFolder: fc.boolean(),
    dates: fc.record({ published_at: anyDate, updated_at: anyDate }),
    datesFirst: fc.boolean(),
    uuidLast: fc.boolean(),
  })
  .map(({ uuid, rest, isFolder, dates, datesFirst, uuidLast }) => {
    const some = Object.fromEntries(rest);
    const all = datesFirst ? { ...dates, ...some } : { ...some, ...dates };
    const whole = uuidLast ? { ...all, uuid } : { uuid, ...all };
    return JSON.stringify(isFolder ? { ...whole, is_folder: true } : whole);
  });
const shard = fc.uniqueArray(row, { selector: (text) => JSON.parse(text).uuid, minLength: 1, maxLength: 12 });

test("takes the same rows from the bytes of shards as from their texts", () => {
  fc.assert(
    fc.property(fc.array(shard, { maxLength: 3 }), (shards) => {
      const [fromBytes, fromTexts] = [
        new StagedRows(undefined, new PackedRows()),
        new StagedRows(undefined, new PackedRows()),
      ];
      const keyOf = (text: string) => JSON.parse(text).uuid as string;
      for (const texts of shards) {
        const bytes = Buffer.from(linesText(texts));
        fromBytes.addLines(bytes, locateLines(bytes, texts.length)!, keyOf);
        for (const text of texts) fromTexts.add(keyOf(text), text);
      }
      const shown = (rows: StagedRows) =>
        [...rows.rows.values()].map(({ uuid, text, isFolder }) => [uuid, text, isFolder]);
      expect(shown(fromBytes)).toEqual(shown(fromTexts));
      expect([...fromBytes.rows.storyUuids()]).toEqual([...storyUuids(new Map(fromTexts.rows))]);
      for (const text of shards.flat()) {
        const body = Buffer.from(`[${text}]`);
        const first = fromTexts.rows.get(keyOf(text))!;
        expect(fromBytes.rows.numberAt(body, 1) >= 0).toBe(
          first.text === text && keyOf(text) !== "A" && !/A"/.test(text),
        );
      }
    }),
  );
});

test("knows a page if each of its rows is staged in the same form, once", () => {
  const texts = fc.array(row, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(shard, texts, fc.nat(100), fc.nat(2), (staged, others, cut, kind) => {
      const packed = new PackedRows();
      const known = new StagedRows(undefined, packed);
      const bytes = Buffer.from(linesText(staged));
      known.addLines(bytes, locateLines(bytes, staged.length)!, (text) => JSON.parse(text).uuid);
      const page = [staged, [...staged, ...others], [...staged, ...staged.slice(0, 1)]][kind]!;
      const body = Buffer.from(`{"links":{${page.map((text, at) => `"${at}":${text}`).join(",")}}}`);
      const at = Math.min(cut, body.length);
      const sweep = new Sweep(packed, { tables: [known.rows] });
      const records = sweep.recall([body.subarray(0, at), body.subarray(at)]);
      const isPlain = page.every((text) => /"uuid":"[0-9a-f-]{36}"/.test(text.replace(/"alternates":\[.*?\]/, "")));
      const isKnown = page.every((text) => staged.includes(text)) && new Set(page).size === page.length;
      expect(records?.map(({ text }) => text)).toEqual(isPlain && isKnown ? page : undefined);
      if (records === undefined) return;
      const index = sweep.finish([sweep.take(records)]);
      expect([...index.values()].map(({ text }) => text)).toEqual(page);
      expect([...index.values()].every((one) => known.rows.holds(one))).toBe(true);
    }),
  );
});

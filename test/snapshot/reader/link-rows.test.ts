import fc from "fast-check";
import { expect, test } from "vitest";
import { allLinks, linkRowsOf, linkUuids } from "../../../src/snapshot/reader/link-rows.js";
import { notingReader } from "../../../src/snapshot/reader/noting-reader.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { linkOf, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

const rows = Array.from({ length: 60 }, (_, at) => linkOf(story(at + 1)));
const readerOf = async (shardBytes: number, records: readonly object[] = rows): Promise<Reader> => {
  return (await sampleSnapshot({ editions: {}, parts: { "links/published": records }, shardBytes })).reader;
};
const uuidsOf = (reader: Reader, range: string) => linkRowsOf(reader, "published", range).map((row) => row.uuid);

test("rows of ranges that follow each other are all rows, however the shards are divided", async () => {
  const readers = await Promise.all([1, 1500, 4096, 1_000_000].map((bytes) => readerOf(bytes)));
  const border = fc.array(fc.constantFrom("0", "1"), { minLength: 1, maxLength: 40 }).map((digits) => digits.join(""));
  fc.assert(
    fc.property(fc.constantFrom(...readers), fc.uniqueArray(border, { maxLength: 4 }), (reader, borders) => {
      const value = (digits: string) => digits.padEnd(40, "0");
      const sorted = borders.sort((a, b) => (value(a) < value(b) ? -1 : 1));
      const ranges = ["", ...sorted].map((from, at) => `${from}-${sorted[at] ?? ""}`);
      const found = ranges.flatMap((range) => uuidsOf(reader, range));
      expect(found).toEqual(rows.map((row) => row.uuid).sort());
      expect(uuidsOf(reader, allLinks)).toEqual(found);
      expect(linkUuids(reader, "published")).toEqual(found);
    }),
  );
});

test("the answer about a range changes with a row of it, and with no other row", async () => {
  const renamed = rows.map((row) => (row.uuid === uuid(7) ? { ...row, name: "Another" } : row));
  const [before, after] = await Promise.all([readerOf(1500), readerOf(1500, renamed)]);
  const answers = (reader: Reader) => {
    const { answer } = notingReader(reader);
    return ["-01", "01-1", "1-"].map((range) => answer(JSON.stringify(["links", "published", range])));
  };
  const own = ["-01", "01-1", "1-"].map((range) => uuidsOf(before, range).includes(uuid(7)));
  expect(answers(before).map((answer, at) => answer !== answers(after)[at])).toEqual(own);
  expect(own.filter(Boolean)).toHaveLength(1);
});

import { expect, test } from "vitest";
import { parseLink } from "../../../../src/contract/parse-record.js";
import type { IndexRow } from "../../../../src/sync/crawl/index/index-row.js";
import { PackedRows } from "../../../../src/sync/crawl/index/packed-rows.js";
import { indexRow } from "../../../support/index-row.js";

const link = {
  id: 7,
  uuid: "11111111-0000-4000-8000-000000000000",
  slug: "blog/",
  name: 'is_folder":true, "published_at":"never"',
  is_folder: false,
  parent_id: null,
  published_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-02T00:00:00.000Z",
};

test.each<[string, object]>([
  ["with dates", link],
  ["that was never published", { ...link, published_at: null }],
  ["of a folder", { ...link, is_folder: true, parent_id: 3 }],
  ["without dates", { id: 7, uuid: link.uuid, slug: "", name: "", is_folder: false, parent_id: 0 }],
  [
    "whose alternates have dates",
    { ...link, alternates: [{ published_at: "1999", updated_at: null, is_folder: true }] },
  ],
  ["with dates in another place", Object.fromEntries(Object.entries({ ...link, updated_at: 'a"\\' }).reverse())],
  ["whose dates are escaped", { ...link, updated_at: 'a"b' }],
])("a known line %s has the values of the parsed line", (_name, value) => {
  const text = JSON.stringify(value);
  const rows = new PackedRows();
  const staged = rows.at(rows.addText(link.uuid, text));
  const read = indexRow({ text, value: parseLink(text) });
  expect(fieldsOf(staged)).toEqual(fieldsOf(read));
});

function fieldsOf({ uuid, id, text, value, isFolder, slug, publishedAt, updatedAt }: IndexRow) {
  return { uuid, id, text, value, isFolder, slug, publishedAt, updatedAt };
}

import { describe, expect, test } from "vitest";
import type { LinkRecord, StoryRecord } from "../../src/contract/records.js";
import { isDoubtful } from "../../src/crawl/doubt.js";
import type { EditionSpec } from "../../src/crawl/editions.js";
import type { IndexRow } from "../../src/crawl/index-row.js";

const date = "2024-01-02T00:00:00.000Z";
const line = {
  uuid: "u",
  id: 1,
  name: "A",
  slug: "a",
  position: 5,
  updated_at: date,
  alternates: [],
} as unknown as LinkRecord;
const story: StoryRecord = {
  id: 1,
  uuid: "u",
  name: "A",
  slug: "a",
  full_slug: "a",
  parent_id: 0,
  position: 5,
  published_at: date,
  updated_at: date,
  tag_list: ["red"],
  group_id: "g",
  alternates: [],
};
const editions = ["default", "de"].map((language) => ({ name: `published/${language}`, language }) as EditionSpec);
const everything = {
  startsWith: [],
  excludeSlugs: [],
  contentTypes: [],
  datasources: "all",
  experiments: true,
} as const;
const neighbour = { id: 2, name: "B", slug: "b", full_slug: "b", is_folder: false, published: true } as never;

function doubtful(
  translated: Partial<StoryRecord> | undefined,
  original: Partial<StoryRecord> = {},
  lineChanges: object = {},
  include: object = {},
): boolean {
  const record = (changes: Partial<StoryRecord>) => ({ value: { ...story, ...changes }, text: "" });
  const row = { uuid: "u", id: 1, text: JSON.stringify({ ...line, ...lineChanges }) } as IndexRow;
  const other = { ...row, id: 2, slug: "b", text: JSON.stringify({ ...line, id: 2, name: "B" }) } as IndexRow;
  return isDoubtful(
    { row, editions, records: [record(original), translated && record(translated)] },
    { ...everything, ...include } as unknown as Parameters<typeof isDoubtful>[1],
    (id) => (id === 2 ? other : undefined),
  );
}

describe("an answer that agrees with its line is in doubt where", () => {
  test.each<[string, boolean]>([
    ["all is as the line has it", doubtful({})],
    ["a translation has its own name", doubtful({ name: "Ah" })],
    [
      "a translation is missing whose line calls it unpublished",
      doubtful(undefined, {}, { alternates: [{ lang: "de", published: false }] }),
    ],
    [
      "a translation is missing and only some content types are read",
      doubtful(undefined, {}, {}, { contentTypes: ["page"] }),
    ],
    [
      "the line tells neither position nor save",
      doubtful({ position: 9, updated_at: "2030" }, {}, { position: undefined, updated_at: undefined }),
    ],
    ["a translation lies under its language", doubtful({ full_slug: "de/a/" })],
    [
      "a translation has a slug that its line names",
      doubtful({ full_slug: "de/ah" }, {}, { alternates: [{ lang: "de", path: "de/ah" }] }),
    ],
    ["a translation has its own slug and tells the line's", doubtful({ full_slug: "de/ah", default_full_slug: "a" })],
    ["its alternate is as its own line has it", doubtful({ alternates: [neighbour] }, { alternates: [neighbour] })],
  ])("never: %s", (_, found) => {
    expect(found).toBe(false);
  });

  test.each<[string, boolean]>([
    ["it has another position", doubtful({}, { position: 6 })],
    ["a translation has another position, as an edge's old copy does", doubtful({ position: 6 })],
    ["a translation was saved at another time", doubtful({ updated_at: "2024-02-02T00:00:00.000Z" })],
    ["a translation still lies in the folder's old place", doubtful({ full_slug: "de/old/a" })],
    ["a translation tells another slug than the line's", doubtful({ full_slug: "de/a", default_full_slug: "old/a" })],
    ["the languages name other alternates", doubtful({ alternates: [] }, { alternates: [neighbour] })],
    ["it has another name", doubtful({}, { name: "Z" })],
    ["a translation is missing and nothing says why", doubtful(undefined)],
    ["the languages carry other tags", doubtful({ tag_list: ["red", "blue"] })],
    ["the languages are in other groups", doubtful({ group_id: "h" })],
    [
      "an alternate has another slug than its line",
      doubtful({}, { alternates: [{ ...(neighbour as object), full_slug: "c" } as never] }),
    ],
    [
      "an alternate is published and has no line",
      doubtful({}, { alternates: [{ ...(neighbour as object), id: 3 } as never] }),
    ],
  ])("%s", (_, found) => {
    expect(found).toBe(true);
  });
});

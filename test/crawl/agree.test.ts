import { expect, test } from "vitest";
import type { StoryRecord } from "../../src/contract/records.js";
import { disagreement } from "../../src/crawl/agree.js";
import type { IndexRow } from "../../src/crawl/index-row.js";

const row: IndexRow = {
  uuid: "u",
  id: 1,
  text: "",
  isFolder: false,
  slug: "a/b",
  parentId: 7,
  publishedAt: "2024-01-02T00:00:00.000Z",
  updatedAt: "2024-01-03T00:00:00.000Z",
};
const story: StoryRecord = {
  id: 1,
  uuid: "u",
  name: "",
  slug: "b",
  full_slug: "a/b",
  parent_id: 7,
  published_at: "2024-01-02T00:00:00.000Z",
  updated_at: "2024-01-03T00:00:00.000Z",
};

test.each<[string, Partial<StoryRecord>, Partial<IndexRow>, "published" | "draft", string, RegExp | undefined]>([
  ["the same", {}, {}, "published", "default", undefined],
  [
    "another publication date",
    { published_at: "2024-02-02T00:00:00.000Z" },
    {},
    "published",
    "default",
    /published_at/,
  ],
  [
    "the same instant in another spelling",
    { published_at: "2024-01-02T00:00:00Z" },
    {},
    "published",
    "default",
    undefined,
  ],
  [
    "another update, of a published story",
    { updated_at: "2025-01-01T00:00:00.000Z" },
    {},
    "published",
    "default",
    undefined,
  ],
  ["another update, of a draft", { updated_at: "2025-01-01T00:00:00.000Z" }, {}, "draft", "default", /updated_at/],
  ["a draft that tells no update", { updated_at: undefined as never }, {}, "draft", "default", undefined],
  ["an index without dates", {}, { publishedAt: undefined }, "published", "default", undefined],
  ["unpublished against published", { published_at: null }, {}, "published", "default", /published_at/],
  ["another slug", { full_slug: "a/c" }, {}, "published", "default", /full_slug/],
  [
    "another slug in another language, where slugs are translated",
    { full_slug: "de/a/c" },
    {},
    "published",
    "de",
    undefined,
  ],
  ["a start page's trailing slash", { full_slug: "a/b/" }, {}, "published", "default", undefined],
  ["another parent", { parent_id: 8 }, {}, "published", "de", /parent_id/],
  ["no parent against 0", { parent_id: null }, { parentId: 0 }, "published", "default", undefined],
])("%s", (_, record, line, version, language, reason) => {
  const given = Object.fromEntries(Object.entries({ ...story, ...record }).filter(([, value]) => value !== undefined));
  const found = disagreement(given as unknown as StoryRecord, { ...row, ...line }, version, language);
  if (reason === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(reason);
});

import { describe, expect, test } from "vitest";
import type { LinkRecord, StoryRecord } from "../../../../src/contract/records.js";
import type { IndexRow } from "../../../../src/sync/crawl/index/index-row.js";
import type { EditionSpec } from "../../../../src/sync/crawl/run/editions.js";
import { type IndexView, judge, type StoryAnswer, type Verdict } from "../../../../src/sync/crawl/stories/verdict.js";
import { includeAll } from "../../../support/crawl-space.js";
import { indexRow } from "../../../support/index-row.js";

const date = "2024-01-02T00:00:00.000Z";
const otherDate = "2024-02-02T00:00:00.000Z";
const link = {
  uuid: "u",
  id: 1,
  name: "B",
  slug: "a/b",
  parent_id: 7,
  is_folder: false,
  position: 5,
  published_at: date,
  updated_at: date,
  alternates: [],
} as unknown as LinkRecord;
const story: StoryRecord = {
  id: 1,
  uuid: "u",
  name: "B",
  slug: "b",
  full_slug: "a/b",
  parent_id: 7,
  position: 5,
  published_at: date,
  updated_at: date,
  tag_list: ["red"],
  group_id: "g",
  alternates: [],
};
const neighbour = { id: 2, name: "N", slug: "n", full_slug: "n", is_folder: false, published: true };
const neighbourRow = rowOf({ ...link, uuid: "n", id: 2, name: "N", slug: "n" });

interface Case {
  /** What differs from the record above in the default language; null: the edition lacks the story. */
  original?: Partial<Record<keyof StoryRecord, unknown>> | null;
  /** The same in German. */
  german?: Partial<Record<keyof StoryRecord, unknown>> | null;
  /** What differs from the row above; null: the index has none. */
  row?: object | null;
  version?: IndexView["version"];
  include?: Partial<IndexView["include"]>;
}

function verdict(given: Case): Verdict {
  const { version = "published", row = {} } = given;
  const record = (changes: object | null = {}) => {
    if (changes === null) return undefined;
    const value = JSON.parse(JSON.stringify({ ...story, ...changes })) as StoryRecord;
    return { value, text: JSON.stringify(value) };
  };
  const answer: StoryAnswer = {
    uuid: "u",
    row: row === null ? undefined : rowOf({ ...link, ...row }),
    editions: ["default", "de"].map(
      (language) => ({ name: `${version}/${language}`, language, version }) as EditionSpec,
    ),
    records: [record(given.original), record(given.german === undefined ? { full_slug: "de/a/b" } : given.german)],
  };
  return judge(answer, {
    version,
    include: {
      ...includeAll,
      ...given.include,
    },
    rowOfId: (id) => (id === 2 ? neighbourRow : undefined),
  });
}

function rowOf(value: object): IndexRow {
  const text = JSON.stringify(value);
  return indexRow({ text, value: JSON.parse(text) as LinkRecord });
}

describe("an answer does not fit a row", () => {
  test.each<[string, Case, string]>([
    ["with another publication date", { original: { published_at: otherDate } }, "published_at"],
    ["with none, where the story is published", { row: { published_at: null } }, "published_at"],
    ["with another save, in drafts", { version: "draft", original: { updated_at: otherDate } }, "updated_at"],
    ["with another slug", { original: { full_slug: "a/c" } }, "full_slug"],
    ["with another parent, in any language", { german: { full_slug: "de/a/b", parent_id: 8 } }, "parent_id"],
    ["that the index has lost", { row: null }, "missing from the index"],
  ])("%s", (_, given, reason) => {
    expect(verdict(given)).toEqual({ kind: "misfit", reason: expect.stringContaining(reason) });
  });
});

describe("an answer fits", () => {
  test.each<[string, Case]>([
    ["a row that is the same", {}],
    ["the same instant in another spelling", { original: { published_at: "2024-01-02T00:00:00Z" } }],
    ["where neither row nor story has a date", { version: "draft", original: { updated_at: undefined } }],
    ["a row without dates", { row: { published_at: undefined, updated_at: undefined } }],
    ["a start page's trailing slash", { original: { full_slug: "a/b/" } }],
    [
      "the root as null and as 0",
      {
        original: { parent_id: null },
        german: null,
        row: { parent_id: 0, alternates: [{ lang: "de", published: false }] },
      },
    ],
    ["a vanished story that no language has", { row: null, original: null, german: null }],
    ["a vanished story that is answered outside of what is read", { row: null, include: { startsWith: ["z/"] } }],
    ["a translation with its own name", { german: { full_slug: "de/a/b", name: "Be" } }],
    [
      "a missing translation that its row calls unpublished",
      { german: null, row: { alternates: [{ lang: "de", published: false }] } },
    ],
    [
      "a story that no language has, where only some content types are read",
      { original: null, german: null, include: { contentTypes: ["page"] } },
    ],
    [
      "a row with neither position nor save",
      {
        row: { position: undefined, updated_at: undefined },
        german: { full_slug: "de/a/b", position: 9, updated_at: "2030" },
        original: {},
      },
    ],
    ["a translation under its language", { german: { full_slug: "de/a/b/" } }],
    [
      "a translation whose slug its row names",
      { german: { full_slug: "de/be" }, row: { alternates: [{ lang: "de", path: "de/be" }] } },
    ],
    [
      "a translation with its own slug that names the row's",
      { german: { full_slug: "de/be", default_full_slug: "a/b" } },
    ],
    [
      "an alternate as its own row has it",
      { original: { alternates: [neighbour] }, german: { full_slug: "de/a/b", alternates: [neighbour] } },
    ],
  ])("%s", (_, given) => {
    expect(verdict(given)).toEqual({ kind: "fits" });
  });
});

describe("an answer fits, but may be stale", () => {
  test.each<[string, Case]>([
    ["with another position", { original: { position: 6 } }],
    [
      "with another position in a translation, as an edge's old copy has it",
      { german: { full_slug: "de/a/b", position: 6 } },
    ],
    ["with another save in a translation", { german: { full_slug: "de/a/b", updated_at: otherDate } }],
    ["with a translation in the folder's old place", { german: { full_slug: "de/old/b" } }],
    [
      "with a translation that names another slug than the row's",
      { german: { full_slug: "de/a/b", default_full_slug: "old/b" } },
    ],
    ["with other alternates in one language", { original: { alternates: [neighbour] } }],
    ["with another name", { original: { name: "Z" } }],
    ["without a translation, and nothing explains it", { german: null }],
    [
      "without a translation of a story whose content type is read",
      { german: null, include: { contentTypes: ["page"] } },
    ],
    ["with other tags in one language", { german: { full_slug: "de/a/b", tag_list: ["red", "blue"] } }],
    ["with another group in one language", { german: { full_slug: "de/a/b", group_id: "h" } }],
    [
      "with an alternate that has another slug in its own row",
      both({ alternates: [{ ...neighbour, full_slug: "c" }] }),
    ],
    ["with a published alternate that has no row", both({ alternates: [{ ...neighbour, id: 3 }] })],
  ])("%s", (_, given) => {
    expect(verdict(given)).toEqual({ kind: "unconfirmed", fingerprint: expect.any(String) });
  });

  test("has the same fingerprint for the same answer, and another for any other", () => {
    const [one, again, other] = [{ position: 6 }, { position: 6 }, { position: 7 }].map((original) =>
      verdict({ original }),
    );
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });
});

function both(changes: object): Case {
  return { original: changes, german: { full_slug: "de/a/b", ...changes } };
}

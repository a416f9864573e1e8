import { expect, test } from "vitest";
import type { IndexDiff } from "../../../src/sync/crawl/index/diff.js";
import {
  itemsOf,
  planRound,
  type RoundCounts,
  requestsAhead,
  type VersionCounts,
} from "../../../src/sync/crawl/plan.js";
import type { EditionSpec } from "../../../src/sync/crawl/run/editions.js";
import type { Batch } from "../../../src/sync/crawl/stories/batches.js";

const editions = ["default", "de"].map((language) => ({ name: `published/${language}`, language }) as EditionSpec);
const diff: IndexDiff = {
  added: ["a"],
  changed: ["b", "c"],
  vanished: ["z"],
  folders: new Map(),
  storiesBefore: 250,
  storiesNow: 250,
  storiesKept: 247,
};

function batch(uuids: string[], more: Partial<Batch> = {}): Batch {
  return { editions, uuids, audit: new Set(), decides: true, ...more };
}

const published: VersionCounts = {
  version: "published",
  languages: 2,
  stories: 250,
  derived: false,
  asked: { diff, batches: [batch(["a", "b", "c", "z"])] },
};
const counts: RoundCounts = {
  cv: 7,
  sweeps: new Map([["published", 1]]),
  parts: [{ what: "tags", requests: 1 }],
  versions: [published],
  releases: [],
  variants: [],
  askedForAssets: [],
  question: { now: 0, full: 0 },
  closes: true,
  comparesVersion: false,
};
const bill = (changes: Partial<RoundCounts>, size = 100, all = false) =>
  Object.fromEntries(itemsOf({ ...counts, ...changes }, size, all).map(({ what, requests }) => [what, requests]));

test("plans the differences, their cost, and the cost of everything", () => {
  const plan = planRound(counts, { reasons: ["cv moved"], size: 100, fullSize: 100, ways: [] });
  expect(plan).toMatchObject({
    cv: 7,
    reasons: ["cv moved"],
    changes: [{ version: "published", added: 1, changed: 2, vanished: 1, kept: 247 }],
  });
  expect(plan.items.map(({ what, requests }) => `${requests} ${what}`)).toEqual([
    "1 opening probe",
    "1 links published",
    "1 tags",
    "2 stories published (2 languages)",
    "1 closing probe",
  ]);
  expect(plan.requests).toBe(6);
  expect(plan.fullCrawlWouldCost).toBe(4 + 3 * 2);
});

test("counts a batch as one request per language; stories that only fill it cost nothing", () => {
  const batches = [batch(["a", "b", "c"], { audit: new Set(["c"]) })];
  expect(bill({ versions: [{ ...published, asked: { diff, batches } }] }, 2)).toMatchObject({
    "stories published (2 languages)": 2,
  });
});

test("requests an edition that is read for the first time separately", () => {
  const batches = [batch(["a"]), batch(["b", "c"], { editions: editions.slice(1), decides: false })];
  expect(bill({ versions: [{ ...published, asked: { diff, batches } }] })).toMatchObject({
    "stories published (2 languages)": 3,
  });
});

test("reads story pages twice if there are several, and once if there is one", () => {
  expect(bill({ versions: [{ ...published, derived: true, asked: undefined }] })).toMatchObject({
    "stories published": 3 * 2 * 2,
  });
  const releases = [
    { name: "draft@1/default", stories: 101 },
    { name: "draft@2/default", stories: 0 },
  ];
  expect(bill({ releases })).toMatchObject({ "stories draft@1/default": 4, "stories draft@2/default": 1 });
});

test("sweeps the draft index again if drafts are requested", () => {
  const sweeps: RoundCounts["sweeps"] = new Map([["draft", 3]]);
  const draft = (batches: Batch[]): VersionCounts => ({ ...published, version: "draft", asked: { diff, batches } });
  expect(bill({ sweeps, versions: [draft([batch(["a"])])] })).toHaveProperty("links draft, again", 3);
  expect(bill({ sweeps, versions: [draft([])] })).not.toHaveProperty("links draft, again");
});

test("leaves out of the requests ahead what a round has already read", () => {
  expect(requestsAhead(counts, 100)).toBe(2 + 1);
  expect(requestsAhead({ ...counts, closes: false, variants: ["published/default"] }, 100)).toBe(2 + 1);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import type { Snapshot } from "../../src/index.js";
import { createGenerationSnapshot } from "../../src/site/generation-snapshot.js";
import { createReadNotes, type ReadAnswer } from "../../src/site/read-notes.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Store } from "../../src/snapshot/store/store.js";
import { namedTags } from "../../src/watch/hooks/compare-generations.js";
import {
  anyEdit,
  type Edit,
  type EditedSpace,
  firstSpace,
  recordsOf,
  renderPage,
  routes,
  usualEdit,
} from "../support/edited-site.js";
import { sampleConfig } from "../support/sample-config.js";
import { commitSample } from "../support/sample-snapshot.js";

const config: Config = {
  ...sampleConfig,
  assets: { ...sampleConfig.assets, baseUrl: "/cms/" },
  content: { ...sampleConfig.content, formats: [] },
};
const editsOfRun = 25;
/** OFFPRINT_TRACK_EDITS=10000 makes more edits, OFFPRINT_TRACK_SEED repeats a run. */
const runs = Math.ceil(Number(process.env.OFFPRINT_TRACK_EDITS ?? 200) / editsOfRun);
const seed = Number(process.env.OFFPRINT_TRACK_SEED ?? Math.floor(Math.random() * 2 ** 31));

interface Page {
  html: string;
  key: string;
  tags: readonly string[];
}

/** What the site looked like in one generation. */
interface Built {
  manifest: Manifest;
  pages: Map<string, Page>;
}

/** A mistake in tracking: what the notes take instead of an answer; undefined: nothing. */
type Mistake = (answer: ReadAnswer) => ReadAnswer | undefined;

const noMistake: Mistake = (answer) => answer;

async function build(store: Store, space: EditedSpace, mistake: Mistake): Promise<Built> {
  const { manifest } = await commitSample(recordsOf(space), store);
  const snapshot: Snapshot = createGenerationSnapshot({
    store,
    cache: store,
    manifest,
    settings: { dir: "/project/output", address: "/project/output", config },
    options: {},
    takeNotes(basis, outer) {
      const notes = createReadNotes(basis, outer);
      const note = (answer: ReadAnswer) => {
        const taken = mistake(answer);
        if (taken !== undefined) notes.note(taken);
      };
      return { ...notes, note };
    },
  });
  const pages = new Map<string, Page>();
  for (const route of routes) {
    const { value, key, tags } = await snapshot.track((s) => renderPage(s, route));
    pages.set(route, { html: value, key, tags });
  }
  return { manifest, pages };
}

interface Found {
  /** Pages that differ and have their old key. */
  missed: number;
  /** Pages that a cache still shows as they were. */
  stale: number;
  changed: number;
  /** Pages that do not differ, and how many of them have another key. */
  same: number;
  needless: number;
  purged: number;
  needlesslyPurged: number;
}

/** Makes edits one after the other, beside a cache that holds pages until their tags are purged. */
async function follow(first: EditedSpace, edits: readonly Edit[], found: Found, mistake: Mistake): Promise<void> {
  const store = createMemoryStore();
  let space = first;
  let last = await build(store, space, mistake);
  const cache = new Map(last.pages);
  for (const change of edits) {
    space = change(space);
    const now = await build(store, space, mistake);
    const purged = new Set(await namedTags({ config, store, after: now.manifest }, last.manifest));
    for (const [route, page] of now.pages) {
      const before = last.pages.get(route)!;
      const [isSame, hasSameKey] = [before.html === page.html, before.key === page.key];
      if (!isSame) found.changed += 1;
      if (!isSame && hasSameKey) found.missed += 1;
      if (isSame) found.same += 1;
      if (isSame && !hasSameKey) found.needless += 1;
      if (cache.get(route)!.tags.some((tag) => purged.has(tag))) {
        cache.set(route, page);
        found.purged += 1;
        if (isSame) found.needlesslyPurged += 1;
      }
      if (cache.get(route)!.html !== page.html) found.stale += 1;
      if (page.tags.length > 64) throw new Error(`${page.tags.length} tags of ${route}`);
    }
    // One is enough to find it.
    if (mistake !== noMistake && found.missed + found.stale > 0) return;
    last = now;
  }
}

const historyOf = (edit: fc.Arbitrary<Edit>) =>
  fc.tuple(firstSpace, fc.array(edit, { minLength: editsOfRun, maxLength: editsOfRun }));

function nothingFound(): Found {
  return { missed: 0, stale: 0, changed: 0, same: 0, needless: 0, purged: 0, needlesslyPurged: 0 };
}

test("a page that differs has another key, and purging the named tags leaves no stale page", {
  timeout: 3_600_000,
}, async () => {
  const found = nothingFound();
  await fc.assert(
    fc.asyncProperty(historyOf(usualEdit), async ([first, edits]) => {
      await follow(first, edits, found, noMistake);
      expect({ seed, missed: found.missed, stale: found.stale }).toEqual({ seed, missed: 0, stale: 0 });
    }),
    { numRuns: runs, seed },
  );
  process.stderr.write(`seed ${seed}, ${runs * editsOfRun} edits: ${JSON.stringify(found)}\n`);
  expect(found.changed).toBeGreaterThan(100);
  // A few histories vary.
  expect(found.needless / found.same).toBeLessThanOrEqual(runs * editsOfRun >= 2_000 ? 0.05 : 0.1);
});

describe("finds a tracker that", () => {
  const without =
    (start: string): Mistake =>
    (answer) =>
      answer.question.startsWith(start) ? undefined : answer;
  const mistakes: Record<string, Mistake> = {
    "forgets that something was missing": (answer) => (answer.answer === "" ? undefined : answer),
    "forgets rows of lists": without("references"),
    "forgets which stories a list has": without("stories"),
    "forgets fields of stories in lists": without("fields"),
    "forgets records": without("story "),
    "forgets linked stories": without("link"),
    "forgets datasources": without("datasource"),
    "forgets assets": without("asset "),
    "forgets translations": without("translations"),
    "has no tags for addresses": (answer) => ({
      ...answer,
      tags: answer.tags.filter(([own]) => !own.startsWith("at:")),
    }),
    "has no tags for lists": (answer) => ({ ...answer, tags: answer.tags.filter(([own]) => !own.startsWith("list")) }),
    "has no tags for folders": (answer) => ({ ...answer, tags: answer.tags.filter(([own]) => !own.startsWith("in:")) }),
    "folds tags to others than those of changes": (answer) => ({
      ...answer,
      tags: answer.tags.map(([own]) => [own, "everything"] as const),
    }),
  };
  for (const [name, mistake] of Object.entries(mistakes)) {
    test(name, async () => {
      const found = nothingFound();
      const histories = fc.sample(historyOf(anyEdit), { numRuns: 8, seed: 4 });
      for (const [first, edits] of histories) {
        if (found.missed + found.stale === 0) await follow(first, edits, found, mistake);
      }
      expect(found.missed + found.stale).toBeGreaterThan(0);
    });
  }

  test("counts whole records of lists, by needless keys", async () => {
    const found = nothingFound();
    const [[first, edits]] = fc.sample(historyOf(usualEdit), { numRuns: 1, seed: 5 }) as [[EditedSpace, Edit[]]];
    let saves = 0;
    const mistake: Mistake = (answer) =>
      answer.question.startsWith("references") ? { ...answer, answer: `${answer.answer} ${saves++}` } : answer;
    await follow(first, edits, found, mistake);
    expect(found.needless / found.same).toBeGreaterThan(0.1);
  });
});

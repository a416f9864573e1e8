// @module-tag long
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { FileNote } from "../../../src/content/tree/file-note.js";
import { allFiles, readRecord } from "../../../src/content/tree/tree-record.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import type { Manifest } from "../../../src/snapshot/manifest.js";
import { notingReader } from "../../../src/snapshot/reader/noting-reader.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import type { Change } from "../../../src/watch/hooks/change-list.js";
import { consumerProject } from "../../support/consumer-project.js";
import { story, uuid } from "../../support/sample-snapshot.js";

/** One story of a generated space: where it is, what it says, which stories and assets it shows. */
interface Plan {
  place: number;
  text: number;
  shows: number;
  picture: boolean;
}

interface SpacePlan {
  stories: (Plan | undefined)[];
  /** The German edition has the same stories; undefined: it is not read. */
  german: number | undefined;
  colour: number;
  pictureBytes: number;
}

const storyPlan = fc.record({ place: fc.nat(3), text: fc.nat(2), shows: fc.nat(4), picture: fc.boolean() });

/** What happens to the space before a generation: one thing each. */
const edit: fc.Arbitrary<(plan: SpacePlan) => SpacePlan> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ at: fc.nat(3), now: storyPlan }).map(({ at, now }) => withStory(at, () => now)) },
  { weight: 2, arbitrary: fc.nat(3).map((at) => withStory(at, () => undefined)) },
  {
    weight: 3,
    arbitrary: fc
      .record({ at: fc.nat(3), place: fc.nat(3) })
      .map(({ at, place }) => withStory(at, (story) => story && { ...story, place })),
  },
  fc.nat(1).map((colour) => (plan: SpacePlan) => ({ ...plan, colour })),
  fc.nat(1).map((pictureBytes) => (plan: SpacePlan) => ({ ...plan, pictureBytes })),
  fc.constantFrom(undefined, 0, 1).map((german) => (plan: SpacePlan) => ({ ...plan, german })),
);

function withStory(at: number, change: (story: Plan | undefined) => Plan | undefined) {
  return (plan: SpacePlan): SpacePlan => ({
    ...plan,
    stories: plan.stories.map((story, index) => (index === at ? change(story) : story)),
  });
}

/** A space and what happens to it; whether the content tree is there when the consumer is told. */
const history = fc.record({
  first: fc.array(storyPlan, { minLength: 4, maxLength: 4 }),
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  withTree: fc.boolean(),
  shardBytes: fc.constantFrom(400, 5000),
});

/** More of them with OFFPRINT_CHANGES_RUNS. */
const runs = Number(process.env.OFFPRINT_CHANGES_RUNS ?? 6);

test("a consumer that failed over several generations gets their exact union", async () => {
  const seen = { upsert: 0, move: 0, delete: 0, affected: 0, part: 0 };
  await fc.assert(
    fc.asyncProperty(history, async ({ first: stories, edits, withTree, shardBytes }) => {
      const project = await consumerProject();
      const { content } = project.config;
      if (!withTree) project.config.content = { ...content, formats: [] };
      const commit = (plan: SpacePlan) => project.commit({ ...contentOf(plan), shardBytes }, { withTree });
      let plan: SpacePlan = { stories, german: 0, colour: 0, pictureBytes: 0 };
      const first = await commit(plan);
      await project.handOver();
      await writeFile(join(project.dir, "code"), "1");
      let last = first;
      for (const [at, change] of edits.entries()) {
        plan = change(plan);
        last = await commit(plan);
        if (at % 2 === 0) await project.handOver();
      }
      await writeFile(join(project.dir, "code"), "0");
      const [result] = await project.handOver();
      const expected = await fullCompare({ ...project.config, content }, project.store, first, last);
      expect(result?.result).toBe(expected.length === 0 ? "nothing" : "done");
      if (expected.length > 0) {
        const list = (await project.handed()).at(-1)!;
        expect(list.header).toMatchObject({ to: last.generation, full: null });
        expect(list.changes.filter(({ change }) => change !== "part")).toEqual(
          expected.filter(({ change }) => change !== "part"),
        );
        expect(list.changes.filter(({ change }) => change === "part").map((one) => "part" in one && one.part)).toEqual(
          expected.filter(({ change }) => change === "part").map((one) => "part" in one && one.part),
        );
        for (const { change } of list.changes) seen[change]++;
      }
      expect(await project.handOver()).toMatchObject([{ result: "nothing", to: last.generation }]);
    }),
    { numRuns: runs },
  );
  // A few histories need not have everything.
  for (const [change, count] of Object.entries(seen)) if (runs >= 100) expect(count, change).toBeGreaterThan(0);
});

/** Compares two whole generations: every record, and every answer that a story reads in a full render. */
async function fullCompare(config: Config, store: Store, before: Manifest, after: Manifest): Promise<Change[]> {
  const [old, now] = [await openReader(store, before), await openReader(store, after)];
  const address = (slug: string, language: string) =>
    `/${language === "default" ? slug : `${language}/${slug.replace(/^de\//, "")}`}`.replace(/\/home$/, "") || "/";
  const changes: Change[] = [];
  const memory = createMemoryStore();
  await exportContent({ reader: now, config, store: memory });
  const files: [path: string, note: FileNote][] = [];
  for await (const file of allFiles(memory, await readRecord(memory))) files.push(file);
  const answers = [notingReader(old), notingReader(now)] as const;
  const languages = new Map([...before.editions, ...after.editions].map(({ name, language }) => [name, language]));
  for (const [edition, language] of [...languages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const id of [...new Set([...old.uuids(edition), ...now.uuids(edition)])].sort()) {
      const [was, is] = [old.reference(edition, id), now.reference(edition, id)];
      const shown = (is ?? was)!;
      const { full_slug, component } = shown;
      const line = { edition, uuid: id, full_slug, url: address(full_slug, language), component };
      const texts = [old, now].map((reader) => Buffer.from(reader.storyBytes(edition, id) ?? []).toString());
      if (is === undefined) changes.push({ change: "delete", ...line });
      else if (was === undefined) changes.push({ change: "upsert", ...line });
      else if (was.full_slug !== is.full_slug) {
        const from = { full_slug: was.full_slug, url: address(was.full_slug, language) };
        changes.push({ change: "move", ...line, from });
      } else if (texts[0] !== texts[1]) changes.push({ change: "upsert", ...line });
      else {
        const keys = files.flatMap(([path, { keys, lines }]) => {
          if (lines !== undefined) {
            const isOfEdition = path.startsWith(`stories/${language}/`);
            return isOfEdition ? lines.notes.filter((note) => note.id === id).flatMap((note) => note.keys) : [];
          }
          return keys[0] !== undefined && path.endsWith(".md") && isFileOf(keys, edition, id) ? keys : [];
        });
        expect(keys.length).toBeGreaterThan(0);
        const differs = keys.some((key) => answers[0].answer(key) !== answers[1].answer(key));
        if (differs) changes.push({ change: "affected", ...line });
      }
    }
  }
  const names = [...new Set([...Object.keys(before.parts), ...Object.keys(after.parts)])].sort();
  const parts = names.filter((part) => /^(?:datasources|entries|assets)/.test(part));
  for (const part of parts) {
    const hashes = [before, after].map(({ parts }) => JSON.stringify(parts[part]?.shards ?? []));
    if (hashes[0] !== hashes[1]) changes.push({ change: "part", part, added: 0, changed: 0, removed: 0 });
  }
  return changes;
}

/** Its own record is the first story that a Markdown file reads. */
function isFileOf(keys: readonly string[], edition: string, id: string): boolean {
  return keys.includes(JSON.stringify(["story", edition, id]));
}

function contentOf({ stories, german, colour, pictureBytes }: SpacePlan) {
  const of = (language: string, more: string) =>
    stories.flatMap((plan, at): StoryRecord[] => {
      if (plan === undefined) return [];
      const slug = `${language === "default" ? "" : `${language}/`}${["home", "a", "b/c", "d"][plan.place]}-${at}`;
      const shows = plan.shows === 4 ? {} : { related: uuid(plan.shows + 1) };
      const picture = plan.picture ? { picture: { fieldtype: "asset", id: 3, filename: pictureUrl, alt: "" } } : {};
      const content = {
        _uid: uuid(900 + at),
        component: `type-${at % 2}`,
        text: `${plan.text}${more}`,
        ...shows,
        ...picture,
      };
      return [story(at + 1, { slug, full_slug: slug, lang: language, content, name: `Name ${plan.text}` })];
    });
  const picture = Buffer.from(`picture ${pictureBytes}`);
  const hash = pictureBytes === 0 ? "a".repeat(64) : "b".repeat(64);
  return {
    editions: {
      "published/default": of("default", ""),
      ...(german === undefined ? {} : { "published/de": of("de", ` de ${german}`) }),
    },
    parts: {
      datasources: [{ id: 5, name: "Colours", slug: "colours", dimensions: [] }],
      "entries/5": [{ id: 51, name: "red", value: String(colour), dimension_value: null }],
    },
    assets: [
      {
        record: {
          key: "c".repeat(64),
          url: pictureUrl,
          hash,
          name: "picture.png",
          type: "image/png",
          bytes: picture.length,
          uses: 1,
        },
        bytes: picture,
      },
    ],
  };
}

const pictureUrl = "https://a.storyblok.com/f/7/1x1/aaaa/picture.png";

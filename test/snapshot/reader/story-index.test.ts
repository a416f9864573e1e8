import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoryRecord } from "../../../src/contract/records.js";
import { type IndexedReader, openReader, openReaderOnDemand } from "../../../src/snapshot/reader/open-reader.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

const edition = "published/de";

const slug = fc.constantFrom("a", "a/", "de", "de/", "de/a", "de/a/", "/a", "b", "ü/b", 'a"b\\', "");
const path = fc.constantFrom(null, "", " ", "/", "/a", "a/", "/de/a", "de", "100%25", "c d", "ü");
const shown = fc.record({ full_slug: slug, path, component: fc.constantFrom("page", "post", ""), name: fc.string() });

function records(rows: readonly (Partial<StoryRecord> & { component: string })[]): StoryRecord[] {
  return rows.map(({ component, ...more }, at) => story(at + 1, { ...more, content: { _uid: "a", component } }));
}

/** The last of several stories, in the order of the uuids, which is that of the shards. */
function lastUuid(stories: readonly StoryRecord[], isWanted: (one: StoryRecord) => boolean): string | undefined {
  return [...stories].sort((a, b) => (a.uuid < b.uuid ? -1 : 1)).findLast(isWanted)?.uuid;
}

const trimmed = (text: string) => text.trim().replace(/^\/+|\/+$/g, "");
const otherForm = (text: string) => (text.endsWith("/") ? text.slice(0, -1) : `${text}/`);

function referencesOf(reader: Reader, stories: readonly StoryRecord[]) {
  return stories.map((one) => JSON.stringify(reader.reference(edition, one.uuid)));
}

test("answers by uuid, slug and path as the records say, before and after the index is derived", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(shown, { minLength: 1, maxLength: 12 }), slug, path, async (rows, asked, askedPath) => {
      const stories = records(rows);
      const { reader } = await sampleSnapshot({ editions: { [edition]: stories }, shardBytes: 600 });
      const before = referencesOf(reader, stories);
      const bySlug = (wanted: string) => lastUuid(stories, (one) => one.full_slug === wanted);
      expect(reader.uuidBySlug(edition, asked)).toBe(bySlug(asked) ?? bySlug(otherForm(asked)));
      const wanted = askedPath ?? "none";
      expect(reader.uuidByPath(edition, wanted)).toBe(
        lastUuid(stories, (one) => (one.path ?? "").trim() !== "" && trimmed(one.path ?? "") === trimmed(wanted)),
      );
      expect(reader.uuids(edition)).toEqual(stories.map((one) => one.uuid).sort());
      for (const one of stories) {
        expect(reader.story(edition, one.uuid)).toEqual(one);
      }
      expect(reader.story(edition, uuid(99))).toBeUndefined();
      // In the same order of members: what a page showed of a story is compared as JSON.
      expect(referencesOf(reader, stories)).toEqual(before);
    }),
    { numRuns: 60 },
  );
});

async function indexed(stories: readonly StoryRecord[]) {
  const { store, reader } = await sampleSnapshot({ editions: { [edition]: stories }, shardBytes: 600 });
  reader.uuids(edition);
  return { store, reader: reader as IndexedReader };
}

const stories = records([
  { full_slug: "de/a", path: "/x", component: "page" },
  { full_slug: "b", component: "post" },
]);

test("with the index of another reader, reads no shard to answer what a reference shows", async () => {
  const { store, reader } = await indexed(stories);
  const getNow = (name: string) => {
    throw new Error(`${name} was read`);
  };
  const other = openReaderOnDemand({ getNow }, reader.manifest, { previous: reader });
  expect(other.uuidBySlug(edition, "de/a")).toBe(uuid(1));
  expect(other.uuidByPath(edition, "x")).toBe(uuid(1));
  expect(referencesOf(other, stories)).toEqual(referencesOf(reader, stories));
  expect(() => other.storyBytes(edition, uuid(1))).toThrow("was read");
  const bytes = reader.storyIndexes().get(edition)!;
  expect(bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  const whole = openReaderOnDemand({ getNow: (name) => store.getNow!(name) }, reader.manifest, { previous: reader });
  expect(whole.story(edition, uuid(2))).toEqual(stories[1]);
});

test("an index of other shards is not believed", async () => {
  const { reader: earlier } = await indexed(stories);
  const { store, reader } = await indexed(records([{ full_slug: "c", component: "page" }]));
  const now = await openReader(store, reader.manifest, earlier);
  expect(now.uuids(edition)).toEqual([uuid(1)]);
  expect(now.uuidBySlug(edition, "b")).toBeUndefined();
  expect(now.reference(edition, uuid(1))?.full_slug).toBe("c");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveFacts } from "../../../src/content/check/derive-facts.js";
import { packFacts, readFacts } from "../../../src/content/check/fact-cache.js";
import { runCheck } from "../../../src/content/check/run-check.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { numberHash } from "../../../src/lib/number-hash.js";
import { checkFactsFile, parts, recentCheckFactsFile, shardFile } from "../../../src/snapshot/layout.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";

const values = fc.oneof(
  fc.constantFrom("", "red", "/story-3", "[a](/nowhere)", uuid(3), uuid(77), null, "javascript:alert(1)"),
  fc.record({
    fieldtype: fc.constant("multilink"),
    linktype: fc.constantFrom("story", "url"),
    id: fc.constantFrom(uuid(1), uuid(88)),
    url: fc.constantFrom("", "javascript:x", "/story-1"),
  }),
  fc.record({
    fieldtype: fc.constant("asset"),
    filename: fc.constant("https://a.storyblok.com/f/7/a.png"),
    alt: fc.constantFrom("", "A"),
  }),
  fc.constant({ type: "doc", content: [{ type: "chart" }] }),
  fc.array(fc.constantFrom(uuid(2), uuid(99)), { maxLength: 3 }),
);
const contents = fc.option(
  fc.record({ _uid: fc.constant("u"), component: fc.constantFrom("page", "note"), a: values, b: values }),
  { nil: undefined },
);
const edits = fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), contents), { minLength: 1, maxLength: 4 });
const initial = () => Array.from({ length: 20 }, (_, id) => story(id));

test("after any edits, a check with the facts of earlier ones finds what a fresh one does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const store = createMemoryStore();
      let stories: StoryRecord[] = initial();
      for (const round of rounds) {
        for (const [at, content] of round)
          stories = stories.map((one, id) => (id === at ? withContent(one, content) : one));
        await commitSample({ editions: { "published/default": stories }, shardBytes: 900 }, store);
        const cached = await runCheck(store, { config: sampleConfig });
        await store.remove(checkFactsFile);
        await store.remove(recentCheckFactsFile);
        const fresh = await runCheck(store, { config: sampleConfig });
        expect(cached).toEqual(fresh);
      }
    }),
    { numRuns: 15 },
  );
});

function withContent(record: StoryRecord, content: object | undefined): StoryRecord {
  const { content: _, ...rest } = record;
  return content === undefined ? rest : { ...rest, content: content as NonNullable<StoryRecord["content"]> };
}

test("after an edit of one story only its shard is read", async () => {
  const store = createMemoryStore();
  const stories = Array.from({ length: 60 }, (_, id) => story(id));
  const commit = (records: StoryRecord[]) =>
    commitSample({ editions: { "published/default": records }, shardBytes: 4096 }, store);
  await commit(stories);
  await runCheck(store, { config: sampleConfig });
  const { manifest } = await commit(stories.map((one, id) => (id === 7 ? { ...one, name: "Renamed" } : one)));
  const read: string[] = [];
  const watched: Store = {
    ...store,
    get: (name) => {
      read.push(name);
      return store.get(name);
    },
  };
  await runCheck(watched, { config: sampleConfig });
  const part = parts.stories("published/default");
  const files = manifest.parts[part]!.shards.map((shard) => shardFile(part, shard));
  expect(files.length).toBeGreaterThan(5);
  expect(read.filter((name) => files.includes(name))).toHaveLength(1);
});

test("writes the facts of few edits separately, and merges them once they are many", async () => {
  const store = createMemoryStore();
  let stories = Array.from({ length: 60 }, (_, id) => story(id));
  const edit = async (ids: number[], name: string) => {
    stories = stories.map((one, id) => (ids.includes(id) ? { ...one, name } : one));
    await commitSample({ editions: { "published/default": stories }, shardBytes: 2048 }, store);
    await runCheck(store, { config: sampleConfig });
    return [await store.get(checkFactsFile), await store.get(recentCheckFactsFile)];
  };
  const [all, none] = await edit([], "");
  expect([all?.length, none]).toEqual([expect.any(Number), undefined]);
  const [same, few] = await edit([7], "Renamed");
  expect(same).toEqual(all);
  expect(few!.length).toBeLessThan(all!.length / 4);
  const [, unchanged] = await edit([], "");
  expect(unchanged).toEqual(few);
  const [again, nothing] = await edit(
    [...stories.keys()].filter((id) => id % 2 === 0),
    "Anew",
  );
  expect([again?.length, nothing]).toEqual([expect.any(Number), undefined]);
});

test("reads facts back as they were found, for any texts", () => {
  const texts = ["", "caf\u00e9", "\u4e2d\u6587", "half \ud83d of a pair", "\u0000", "a\nb"];
  const records = texts.map((text) => ({
    uuid: text,
    full_slug: text,
    tag_list: [text],
    content: { _uid: "u", component: text },
  }));
  const found = deriveFacts(records, { links: sampleConfig.resolve.links, language: "default", isTranslated: true });
  for (const offset of [0, 3]) {
    const bytes = new Uint8Array([...new Array(offset).fill(0), ...packFacts(found)]).subarray(offset);
    const facts = readFacts(bytes, new Map());
    const stories = records.map((_, at) => ({
      uuid: facts.uuid(at),
      slug: facts.slug(at),
      type: facts.names.types[facts.typeOf[at]!],
    }));
    expect(stories).toEqual(texts.map((text) => ({ uuid: text, slug: text, type: text })));
    expect([...facts.uuidHashes]).toEqual(texts.map(numberHash));
    expect(facts.tags()).toEqual(found.tags);
    expect(facts.names.fields).toEqual(found.fields);
  }
});

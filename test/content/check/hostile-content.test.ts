import { expect, test } from "vitest";
import { runCheck } from "../../../src/content/check/run-check.js";
import { shardFile } from "../../../src/snapshot/layout.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, linkOf, story, uuid } from "../../support/sample-snapshot.js";

const check = (store: Store) => runCheck(store, { config: sampleConfig });

test("checks nothing before the first sync", async () => {
  const { createMemoryStore } = await import("../../../src/snapshot/store/memory-store.js");
  expect(await check(createMemoryStore())).toBeUndefined();
});

test("reports or skips stories without content and content of any shape", async () => {
  const odd = [
    undefined,
    null,
    "text",
    7,
    [],
    {},
    { component: 7 },
    { component: "page", __proto__: { a: 1 }, body: [[[null]]] },
  ];
  const stories = odd.map((content, id) => story(id, { content: content as never }));
  const { store } = await commitSample({ editions: { "published/default": stories } });
  const { findings } = (await check(store))!;
  expect(findings.map(({ code }) => code)).toEqual([
    ...Array(7).fill("STORY_EMPTY"),
    // Content that is no object.
    ...Array(3).fill("RECORD_VALUE_UNKNOWN"),
  ]);
});

test("a field of 5 MB and content nested 2,000 levels deep take a moment", async () => {
  let nested: object = { _uid: "in", component: "box" };
  for (let level = 0; level < 2_000; level += 1) nested = { _uid: `${level}`, component: "box", inside: [nested] };
  const long = `${"[a](/b ".repeat(350_000)}${"<a href='".repeat(250_000)}`;
  const texts = { _uid: "t", component: "page", text: long, words: "several words ".repeat(350_000) };
  const stories = [story(1, { content: texts }), story(2, { content: nested as never })];
  const german = stories.map((one) => ({ ...one, lang: "de", full_slug: `de/${one.full_slug}` }));
  const { store } = await commitSample({ editions: { "published/default": stories, "published/de": german } });
  const { findings } = (await check(store))!;
  expect(findings.map(({ code, story: one }) => [code, one?.language])).toEqual([
    ["LINK_ADDRESS_DEAD", "de"],
    ["LINK_ADDRESS_DEAD", "default"],
    ["UNTRANSLATED", "de"],
  ]);
}, 20_000);

test("starts again with the current generation if the one it reads is pruned", async () => {
  const { store, manifest } = await commitSample({ editions: { "published/default": [story(1)] } });
  const part = "stories/published/default";
  const pruned = shardFile(part, manifest.parts[part]!.shards[0]!);
  const dead = { fieldtype: "multilink", linktype: "story", id: uuid(9), url: "" };
  let isPruned = false;
  const pruning: Store = {
    ...store,
    async get(name) {
      if (name === pruned && !isPruned) {
        isPruned = true;
        const next = story(1, { content: { _uid: "a", component: "page", link: dead } });
        await commitSample({ editions: { "published/default": [next] } }, store);
        await store.remove(pruned);
      }
      return store.get(name);
    },
  };
  expect(await check(pruning)).toMatchObject({ generation: 2, findings: [{ code: "LINK_DEAD" }] });
});

test("a damaged shard of the current generation is an error, not an empty answer", async () => {
  const { store, manifest } = await commitSample({ editions: { "published/default": [story(1)] } });
  const part = "stories/published/default";
  await store.remove(shardFile(part, manifest.parts[part]!.shards[0]!));
  await expect(check(store)).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED" });
});

test("reports an undescribed key once, with an example", async () => {
  const stories = [1, 2, 3].map((id) => ({ ...story(id), author: "x" }));
  const { store } = await commitSample({ editions: { "published/default": stories } });
  const { findings } = (await check(store))!;
  expect(findings.map(({ code, level, message }) => [code, level, message])).toEqual([
    ["RECORD_KEY_UNKNOWN", "info", '3 records of stories have the key "author", this one for example.'],
  ]);
});

test("reports an undescribed key or type once per kind of record, and no value of the space record", async () => {
  const parts = {
    "links/published": [1, 2].map((id) => ({
      ...linkOf(story(id)),
      position: "9",
      alternates: [{ path: "a", lang: "de", region: 1 }],
    })),
    datasources: [
      { id: 3, name: "Colors", slug: "colors", dimensions: [{ id: 1, name: "German", entry_value: "de", hue: 1 }] },
    ],
    "entries/3": [{ id: 1, name: "c", value: 5, dimension_value: null }],
    "tags/published": [{ name: "red", taggings_count: 2, colour: "#f00" }],
    space: [{ me: { id: 1, name: "Space", domain: 7, language_codes: [], mood: "secret mood" } }],
  };
  const stories = [story(1), { ...story(2), tag_list: "a, b" as never, position: `${"x".repeat(60)}` as never }];
  const { store } = await commitSample({ editions: { "published/default": stories }, parts });
  const told = async () => (await check(store))!.findings.filter(({ code }) => code.startsWith("RECORD_"));
  const findings = await told();
  expect(findings.map(({ level, message }) => [level, message]).sort()).toEqual([
    ["info", '1 record of datasources has the key "dimensions.hue", for example datasources[0].dimensions[0].hue.'],
    ["info", '1 record of entries has an unexpected value in "value", for example entries/3[0].value: a number: 5.'],
    ["info", '1 record of space has an unexpected value in "me.domain", for example space[0].me.domain: a number.'],
    ["info", '1 record of space has the key "me.mood", for example space[0].me.mood.'],
    [
      "info",
      `1 record of stories has an unexpected value in "position", this one for example: a text: "${"x".repeat(39)}….`,
    ],
    ["info", '1 record of stories has an unexpected value in "tag_list", this one for example: a text: "a, b".'],
    ["info", '1 record of tags has the key "colour", for example tags/published[0].colour.'],
    [
      "info",
      '2 records of links have an unexpected value in "position", for example links/published[0].position: a text: "9".',
    ],
    [
      "info",
      '2 records of links have the key "alternates.region", for example links/published[0].alternates[0].region.',
    ],
  ]);
  expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
  expect(await told()).toEqual(findings);
});

test("reports at most fifty keys if every record has new ones", async () => {
  const stories = Array.from({ length: 200 }, (_, id) => ({ ...story(id), [`key-${id}-${"x".repeat(id * 10)}`]: id }));
  const { store } = await commitSample({ editions: { "published/default": stories }, shardBytes: 20_000 });
  const { findings } = (await check(store))!;
  expect(findings).toHaveLength(50);
  expect(Math.max(...findings.map(({ message }) => message.length))).toBeLessThan(160);
});

import { expect, onTestFinished, test } from "vitest";
import { openFactCache } from "../../../src/content/check/fact-cache.js";
import { readSpace } from "../../../src/content/check/read-checked-space.js";
import { runCheck } from "../../../src/content/check/run-check.js";
import { findUsers } from "../../../src/content/check/usage/find-users.js";
import { usageOverview } from "../../../src/content/check/usage/usage.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { openSnapshot } from "../../../src/index.js";
import { createExplorer } from "../../../src/server/explorer/explorer.js";
import { prefix } from "../../../src/server/explorer/parts/page.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { parts } from "../../../src/snapshot/layout.js";
import { scratchStore } from "../../../src/snapshot/open-output.js";
import { readRecords } from "../../../src/snapshot/read-records.js";
import { storedStory } from "../../../src/snapshot/reader/stored-story.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Texts that importers and editors write where the uuid of a story belongs. */
const ids = {
  "a word": "home",
  "a word of hexadecimal digits": "facade",
  "a number": "4711",
  "an address": "https://x.example/a?b#c",
  "a path upwards": "../../manifest.json",
  "a name of every object": "__proto__",
  "a blank": " ",
  "a dash": "-",
  "a uuid in capitals": uuid(99).toUpperCase(),
  "a uuid in braces": `{${uuid(99)}}`,
  "a uuid and a blank": `${uuid(99)} `,
  "a lone surrogate": "\ud800",
  "U+0000": "a\u0000b",
  "100,000 characters": "x".repeat(100_000),
  "100,000 digits": "a".repeat(100_000),
  "a uuid that no story has": uuid(99),
};

const mark = (attrs: object) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: "x", marks: [{ type: "link", attrs }] }] }],
});

/** Where content names a story. */
const places: Record<string, (id: string) => object> = {
  "a link field": (id) => ({ link: { fieldtype: "multilink", linktype: "story", id, url: "", cached_url: "" } }),
  "a link field that older editors wrote": (id) => ({ link: { linktype: "story", id, url: "", cached_url: "x" } }),
  "a mark in rich text": (id) => ({ text: mark({ href: "/x", uuid: id, anchor: null, linktype: "story" }) }),
  "a relation": (id) => ({ related: [uuid(2), id] }),
};

const texts = Object.values(ids);

/** A story for each id, which names it in this place, and one that stories name as usual. */
function storiesWith(place: string): StoryRecord[] {
  const stories = texts.map((id, at) =>
    story(at + 10, { content: { _uid: "a", component: "page", ...places[place]!(id) } }),
  );
  return [...stories, story(1), story(2, { content: { _uid: "b", component: "page", related: [uuid(1)] } })];
}

test.each(Object.keys(places))("check finds a dead link for any id in %s, and usage finds no story", async (place) => {
  const { store, manifest } = await commitSample({ editions: { "published/default": storiesWith(place) } });
  const { findings } = (await runCheck(store, { config: sampleConfig }))!;
  const dead = findings.filter(({ code }) => code === "LINK_DEAD").map(({ story: at }) => at?.uuid);
  const expected = place === "a relation" ? [] : texts.map((_, at) => uuid(at + 10));
  expect(dead.sort()).toEqual(expected.sort());
  const cache = await openFactCache(store, sampleConfig.resolve);
  const space = await readSpace(store, manifest, cache, { config: sampleConfig });
  expect(usageOverview(space, [])).toBeDefined();
  for (const id of texts) expect(await findUsers(space, "story", id)).toBeUndefined();
});

test.each(Object.keys(places))("the explorer and the replica answer for any id in %s", async (place) => {
  const { store, reader } = await sampleSnapshot({ editions: { "published/default": storiesWith(place) } });
  const check = (since?: "previous") => runCheck(scratchStore(store), { config: sampleConfig, since });
  const spaces = [{ config: sampleConfig, store, check, ignore: [] }];
  const failures: unknown[] = [];
  const replica = await startReplica({
    reader: () => reader,
    store,
    redirect: false,
    tokens: { public: [], preview: ["token"] },
    pages: { prefix, open: createExplorer({ spaces }) },
    onError: (error) => failures.push(error),
  });
  onTestFinished(() => replica.close());
  const statusOf = async (path: string) => {
    const answer = await fetch(`${replica.url}${path}`, { headers: { authorization: "token" } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const pages = ["problems", "assets?show=untold", "usage", ...texts.map((_, at) => `stories/${uuid(at + 10)}`)];
  const lists = ["resolve_links=url", "resolve_links=story", "resolve_relations=page.related,page.link"];
  const answered = [
    ...pages.map((page) => `${prefix}/${page}`),
    ...lists.map((query) => `/v2/cdn/stories?token=token&${query}`),
  ];
  for (const path of answered) expect([path, await statusOf(path)]).toEqual([path, 200]);
  for (const id of texts) {
    const asked = encodeURIComponent(id.toWellFormed().slice(0, 2000));
    for (const path of [`/v2/cdn/stories/${asked}?token=token&find_by=uuid`, `${prefix}/stories/${asked}`])
      expect([path, await statusOf(path)]).not.toEqual([path, 500]);
  }
  expect(failures).toEqual([]);
});

test.each(Object.keys(places))("the export and site code read a story for any id in %s", async (place) => {
  const stories = storiesWith(place);
  const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
  const target = createMemoryStore();
  await exportContent({ reader, config: sampleConfig, store: target });
  const pages = (await target.list("")).filter(({ name }) => name.endsWith(".md"));
  expect(pages).toHaveLength(stories.length);
  const dir = await temporaryFolder();
  await commitSample({ editions: { "published/default": stories } }, openFileStore(dir));
  await using snapshot = await openSnapshot(dir);
  for (const { uuid: own, name } of stories) expect((await snapshot.story({ uuid: own }))?.name).toBe(name);
  for (const id of texts) expect(await snapshot.story({ uuid: id })).toBeUndefined();
});

test("a text that is no key of a part is not found in it", async () => {
  const { store, manifest } = await commitSample({ editions: { "published/default": [story(1)] } });
  const part = parts.links("published");
  const found = await readRecords(store, part, manifest.parts[part]!, new Set([...texts, uuid(1)]));
  expect([...found.keys()]).toEqual([uuid(1)]);
  for (const id of texts) expect(await storedStory(store, manifest, "published/default", id)).toBeUndefined();
});

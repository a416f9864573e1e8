import { expect, test } from "vitest";
import { openFactCache } from "../../../../src/content/check/fact-cache.js";
import { readSpace } from "../../../../src/content/check/read-checked-space.js";
import { findUsers, kindsNamed } from "../../../../src/content/check/usage/find-users.js";
import { usageOverview } from "../../../../src/content/check/usage/usage.js";
import { sampleConfig } from "../../../support/sample-config.js";
import { commitSample, story, uuid } from "../../../support/sample-snapshot.js";

const picture = "https://a.storyblok.com/f/7/300x200/abc/cat.png";
const hero = {
  _uid: "h",
  component: "hero",
  title: "Hello",
  image: { fieldtype: "asset", filename: `${picture}/m/80x80` },
};

async function space() {
  const stories = [
    story(1, {
      content: { _uid: "a", component: "page", body: [hero, { ...hero, title: "" }], colour: "red" },
      tag_list: ["new"],
    }),
    story(2, { content: { _uid: "b", component: "page", text: "[one](/story-1)", author: uuid(1) } }),
    story(3, { content: { _uid: "c", component: "note", link: { linktype: "story", id: uuid(1), url: "" } } }),
    ...Array.from({ length: 12 }, (_, n) =>
      story(10 + n, { content: { _uid: "d", component: "page", colour: ["red", "blue"][n % 2] } }),
    ),
  ];
  const { store, manifest } = await commitSample({
    editions: { "published/default": stories },
    parts: {
      datasources: [
        { id: 1, name: "Colours", slug: "colours", dimensions: [] },
        { id: 2, name: "Sizes", slug: "sizes", dimensions: [] },
        { id: 3, name: "Zones", slug: "zones", dimensions: [] },
      ],
      "entries/1": ["red", "blue", "mauve"].map((value, id) => ({ id, name: value, value })),
      "entries/2": [{ id: 9, name: "xl", value: "xl" }],
    },
  });
  const cache = await openFactCache(store, sampleConfig.resolve);
  return readSpace(store, manifest, cache, { config: sampleConfig });
}

test.each<[Parameters<typeof findUsers>[1], string, number, string[]]>([
  ["block", "hero", 2, ["story-1: body[0], body[1]"]],
  ["story", "story-1", 2, ["story-2: author", "story-3: link"]],
  ["story", uuid(1), 2, ["story-2: author", "story-3: link"]],
  ["asset", picture, 1, ["story-1: "]],
  ["field", "hero.title", 1, ["story-1: body[0].title"]],
  ["tag", "new", 1, ["story-1: "]],
])("who uses %s %s", async (kind, name, times, users) => {
  const usage = await findUsers(await space(), kind, name);
  expect(usage?.times).toBe(times);
  expect(usage?.users.map(({ slug, fields }) => `${slug}: ${fields.join(", ")}`).sort()).toEqual(users);
  expect(usage?.users[0]?.url).toMatch(/^\/story-/);
});

test("names the kinds of things that have a name", async () => {
  const all = await space();
  expect(["hero", "colours", "new", "page", "nothing"].map((name) => kindsNamed(all, name))).toEqual([
    ...[["block"], ["datasource"], ["tag"], ["block"], []],
  ]);
});

test("lists a datasource's fields, and how often each value is chosen", async () => {
  const usage = await findUsers(await space(), "datasource", "colours");
  expect(usage).toMatchObject({
    times: 13,
    fields: [{ field: "page.colour", present: 13, filled: 13 }],
    values: [
      { value: "red", times: 7 },
      { value: "blue", times: 6 },
      { value: "mauve", times: 0 },
    ],
  });
});

test("knows a datasource that has no values yet", async () => {
  expect(await findUsers(await space(), "datasource", "zones")).toMatchObject({ times: 0, values: [], fields: [] });
});

test("what the space does not have is not found", async () => {
  const kinds: Parameters<typeof findUsers>[1][] = ["block", "story", "asset", "field", "datasource", "tag", "term"];
  for (const kind of kinds) expect(await findUsers(await space(), kind, "constructor")).toBeUndefined();
});

test("the overview counts, and lists what nobody uses", async () => {
  const overview = usageOverview(await space(), ["new", "forgotten"]);
  expect(overview.blocks[0]).toEqual({ component: "page", times: 14, stories: 14 });
  expect(overview.fields.find(({ field }) => field === "hero.title")).toEqual({
    field: "hero.title",
    present: 2,
    filled: 1,
    blocks: 2,
  });
  expect(overview.unused).toMatchObject({ datasources: ["sizes", "zones"], tags: ["forgotten"], assets: [] });
  expect(overview.unused.stories).not.toContain("story-1");
  expect(overview.unused.stories).toHaveLength(14);
});

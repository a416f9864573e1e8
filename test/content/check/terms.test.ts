import { expect, test } from "vitest";
import { openFactCache } from "../../../src/content/check/fact-cache.js";
import { readSpace } from "../../../src/content/check/read-checked-space.js";
import { runCheck } from "../../../src/content/check/run-check.js";
import { findUsers } from "../../../src/content/check/usage/find-users.js";
import { usageOverview } from "../../../src/content/check/usage/usage.js";
import { overviewText } from "../../../src/content/check/usage/usage-text.js";
import { exploreSample } from "../../support/explore-sample.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";

interface Term {
  id: string;
  name: string;
  display_name?: string;
  parent_id?: string;
  children?: Term[];
}

const materials: Term = {
  id: "1",
  name: "materials",
  children: [
    {
      id: "2",
      name: "wood",
      display_name: "Wood & bark",
      children: [
        { id: "3", name: "oak" },
        { id: "4", name: "ash" },
      ],
    },
    { id: "5", name: "metal", children: [{ id: "6", name: "iron" }] },
    { id: "7", name: "__proto__" },
  ],
};
const topics: Term = { id: "8", name: "topics", children: [{ id: "9", name: "wood" }] };
const having = (...ids: string[]) => ({ taxonomy_terms: ids.map((id) => ({ id, name: `name of ${id}` })) });

function spaceOf(
  trees: readonly unknown[],
  stories = [story(1, having("3")), story(2, having("3", "7")), story(3)],
): SampleContent {
  return { editions: { "published/default": stories }, parts: { taxonomies: [], terms: trees } };
}

async function read(content: SampleContent) {
  const { store, manifest } = await commitSample(content);
  return readSpace(store, manifest, await openFactCache(store, sampleConfig.resolve), { config: sampleConfig });
}

async function findings(content: SampleContent) {
  const { store } = await commitSample(content);
  const all = (await runCheck(store, { config: sampleConfig }))!.findings;
  return all.flatMap(({ code, level, story: of, message }) =>
    code.startsWith("TERM_") ? [`${code} ${level} ${of?.slug ?? ""} ${message}`] : [],
  );
}

test("usage names the stories of a term by its path, and __proto__ is a name like any other", async () => {
  const space = await read(spaceOf([materials, topics]));
  const users = async (path: string) => (await findUsers(space, "term", path))?.users.map(({ slug }) => slug).sort();
  expect(await users("materials/wood/oak")).toEqual(["story-1", "story-2"]);
  expect(await users("materials/__proto__")).toEqual(["story-2"]);
  expect(await users("materials/wood")).toEqual([]);
  for (const none of ["oak", "wood/oak", "__proto__", "constructor", "", "materials/"])
    expect(await users(none)).toBeUndefined();
});

test("the overview lists terms with names and counts, and those that no story has", async () => {
  const overview = usageOverview(
    await read(spaceOf([materials, topics], [story(1, having("2", "3")), story(2, having("3"))])),
    [],
  );
  expect(overview.terms).toEqual([
    { path: "materials/wood/oak", name: "oak", times: 2 },
    { path: "materials/wood", name: "Wood & bark", times: 1 },
  ]);
  expect(overview.unused.terms).toEqual([
    ...["materials/__proto__", "materials/metal", "materials/metal/iron", "materials/wood/ash", "topics/wood"],
  ]);
  expect(overviewText(overview, {})).toContain("  materials/wood (Wood & bark): 1\n");
});

test("check reports the top of each branch that no story uses", async () => {
  expect((await findings(spaceOf([materials, topics]))).sort()).toEqual([
    'TERM_UNUSED info  No story has the term "materials/metal" or one below it.',
    'TERM_UNUSED info  No story has the term "materials/wood/ash" or one below it.',
    'TERM_UNUSED info  No story has the term "topics" or one below it.',
  ]);
});

test("check reports a story's term that no tree has; a snapshot without trees is not judged", async () => {
  const stories = [story(1, having("3", "77")), story(2)];
  expect(await findings(spaceOf([{ id: "3", name: "oak" }], stories))).toEqual([
    'TERM_UNKNOWN warning story-1 It has the term "77", which no taxonomy of the space has.',
  ]);
  expect(await findings({ editions: { "published/default": stories } })).toEqual([]);
});

test("the nesting decides, whatever parents say: a missing parent, a circle, one name and one id twice", async () => {
  const odd: Term = {
    id: "1",
    name: "root",
    parent_id: "3",
    children: [
      { id: "2", name: "same", parent_id: "404" },
      { id: "3", name: "same", parent_id: "1", children: [{ id: "1", name: "again", parent_id: "3" }] },
    ],
  };
  const space = await read(
    spaceOf([odd, { id: "9" }, null], [story(1, having("2")), story(2, having("3")), story(3, having("1"))]),
  );
  const users = async (path: string) => (await findUsers(space, "term", path))?.users.map(({ slug }) => slug).sort();
  expect(await users("root/same")).toEqual(["story-1", "story-2"]);
  expect(await users("root")).toEqual(["story-3"]);
  expect(usageOverview(space, []).unused.terms).toEqual([]);
});

test("10,000 terms in a chain and side by side are counted", async () => {
  let chain: Term = { id: "c0", name: "c" };
  for (let at = 1; at < 200; at += 1) chain = { id: `c${at}`, name: "c", children: [chain] };
  const wide = Array.from({ length: 9_800 }, (_, at) => ({ id: `w${at}`, name: `w${at}` }));
  const space = await read(
    spaceOf([{ id: "r", name: "r", children: [chain, ...wide] }], [story(1, having("c0", "w9799"))]),
  );
  expect((await findUsers(space, "term", "r/w9799"))?.times).toBe(1);
  expect(usageOverview(space, []).unused.terms).toHaveLength(9_998);
});

test("the explorer filters stories by a term and shows names, also of a term that no tree has", async () => {
  const { get, json } = await exploreSample([
    spaceOf([materials, topics], [story(1, having("3")), story(2, having("3", "77")), story(3)]),
  ]);
  const listed = await json("stories.json?term=3");
  expect(listed.stories.map(({ full_slug }: { full_slug: string }) => full_slug)).toEqual(["story-1", "story-2"]);
  expect(listed.terms).toEqual([
    { value: "3", count: 2 },
    { value: "77", count: 1 },
  ]);
  expect((await get("stories?term=3")).text).toContain("materials/wood/oak");
  const page = (await get(`stories/${uuid(2)}`)).text;
  expect(page).toContain("materials/wood/oak");
  expect(page).toContain("name of 77");
  expect((await json("stories.json?term=nothing")).total).toBe(0);
});

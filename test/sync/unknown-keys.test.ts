import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkContract } from "../../src/cli/doctor/check-contract.js";
import { startReplica } from "../../src/server/replica/http/server.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import { loadState } from "../../src/snapshot/state.js";
import { type EditableContent, type EditableSpace, startEditableSpace } from "../support/editable-space.js";
import { forward, startFrontServer } from "../support/front-server.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

const trees = [
  {
    id: "1000",
    name: "materials",
    children: [
      { id: "1001", name: "wood" },
      { id: "1002", name: "oak" },
    ],
  },
];
const hidden = {
  hidden_of_story: { deep: [1, { "": null }], big: 166888799188279 },
  alternates: [],
  visibility: "members",
};

/** A front of the space that adds keys nobody described: to stories, their terms, terms of trees, the space, answers. */
async function hiding(space: EditableSpace): Promise<string> {
  const front = await startFrontServer(space.url, async ({ path, query }) => {
    const answer = await forward(`${space.url}${path}?${query}`);
    if (answer.status !== 200) return answer;
    const body = JSON.parse(String(answer.body));
    const { stories = [], taxonomy, space: record } = body;
    for (const story of stories) {
      Object.assign(story, hidden);
      for (const term of story.taxonomy_terms ?? []) Object.assign(term, { weight: 3 });
    }
    for (const term of taxonomy?.children ?? [])
      Object.assign(term, { color: "#fff", last_author: { userid: "x@y.example" } });
    if (record !== undefined) Object.assign(record, { "jo@canary.example": 1, quota: { stories: 7 } });
    if (path === "/v2/cdn/stories") Object.assign(body, { notices: ["soon"] });
    return { ...answer, body };
  });
  onTestFinished(() => front.close());
  return front.url;
}

async function spaceOf(content: Partial<EditableContent> = {}) {
  const stories = [
    { name: "one", slug: "one", terms: ["1001"] },
    { name: "two", slug: "two" },
  ];
  const space = await startEditableSpace({ stories, taxonomies: trees, ...content });
  onTestFinished(() => space.close());
  return space;
}

const unknownIn = ({ problems }: Awaited<ReturnType<SyncFolder["sync"]>>) =>
  problems.filter(({ code }) => code === "CONTRACT_UNKNOWN").map(({ message }) => message);

test("a sync reports each key that the API does not describe once in the life of a space, with an example", async () => {
  const space = await spaceOf();
  const folder = await syncFolder(crawlYaml(await hiding(space)));
  const first = await folder.sync();
  expect(first.outcome).toBe("committed");
  const told = unknownIn(first);
  expect(told.map((message) => message.replace(/, for example.*/, "").replace(/, which.*/, "")).sort()).toEqual([
    'Answers have the list or value "notices"',
    'Records of the type Space have the key "[redacted]"',
    'Records of the type Space have the key "quota"',
    'Records of the type Story have the key "hidden_of_story"',
    'Records of the type Story have the key "taxonomy_terms.weight"',
    'Records of the type Story have the key "visibility"',
    'Records of the type TaxonomyTerm have the key "color"',
  ]);
  expect(told.find((message) => message.includes('"visibility"'))).toMatch(/for example "(one|two)" \(/);
  expect(told.find((message) => message.includes('"notices"'))).toContain('beside "stories"');
  expect(await readFile(join(folder.output, ".state.json"), "utf8")).not.toContain("canary");

  await space.publish((content) => void content.stories.push({ name: "three", slug: "three", terms: ["1002"] }));
  const second = await folder.sync();
  expect([second.outcome, unknownIn(second)]).toEqual(["committed", []]);
  expect(unknownIn(await folder.sync({ full: true }))).toEqual([]);
});

test("doctor tells what syncs met, and no longer what a newer version describes", async () => {
  const space = await spaceOf();
  const folder = await syncFolder(crawlYaml(await hiding(space)));
  await folder.sync();
  const { store } = openOutput({ dir: folder.output });
  const known = { store, manifest: await folder.manifest(), config: await folder.config() };
  const state = await loadState(store);
  const [one, ...more] = await checkContract({ ...known, state }, false);
  expect([one?.code, one?.level, more]).toEqual(["CONTRACT_UNKNOWN", "note", []]);
  expect(one?.what).toMatch(/^Syncs found 7 differences from the API: /);
  const described = [{ kind: "Story", key: "taxonomy_terms.parent", example: "x" }];
  expect(await checkContract({ ...known, state: { ...state, unknownKeys: described } }, false)).toEqual([]);
  const all = (await checkContract({ ...known, state }, true)).map(({ what }) => what);
  expect(all.filter((message) => message.includes('"notices"'))).toHaveLength(1);
  expect(all.filter((message) => message.includes('"color"'))).toHaveLength(1);
  expect(all.filter((message) => message.includes('"visibility"'))).toHaveLength(1);
});

test("a space without unknown keys reports none", async () => {
  const folder = await syncFolder(crawlYaml((await spaceOf()).url));
  expect(unknownIn(await folder.sync())).toEqual([]);
  expect((await loadState(openOutput({ dir: folder.output }).store)).unknownKeys).toEqual([]);
});

test("hidden fields of a story survive sync, snapshot, replica and a second sync unchanged", async () => {
  const space = await spaceOf();
  const first = await syncFolder(crawlYaml(await hiding(space)));
  await first.sync();
  const { store } = openOutput({ dir: first.output });
  const reader = await openReader(store, await first.manifest());
  const replica = await startReplica({ reader: () => reader, store });
  onTestFinished(() => replica.close());
  const answer = await fetch(`${replica.url}/v2/cdn/stories/one?token=t&with_taxonomy_terms=1`);
  const { story } = (await answer.json()) as { story: Record<string, unknown> };
  expect(story).toMatchObject({ ...hidden, taxonomy_terms: [{ id: "1001", weight: 3 }] });
  const second = await syncFolder(crawlYaml(replica.url));
  await second.sync();
  const part = "stories/published/default";
  expect((await second.records())[part]).toEqual((await first.records())[part]);
});

import { expect, onTestFinished, test } from "vitest";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { story, uuid } from "../../support/sample-snapshot.js";

// Rows: [12 missing edition, drafts only]

async function replicaOf(editions: Record<string, ReturnType<typeof story>[]>, strict = false) {
  const told: string[] = [];
  const replica = await startSample(
    { editions },
    { strict, onStandIn: (asked, answered) => told.push(`${asked} from ${answered}`) },
  );
  onTestFinished(() => replica.close());
  return { replica, told };
}
const published = {
  "published/default": [story(1)],
  "published/de": [story(1, { lang: "de", full_slug: "de/story-1" })],
};
const statuses = async (replica: SampleReplica, queries: string[]) =>
  Promise.all(queries.map(async (query) => (await replica.get(`/v2/cdn/${query}`)).status));
const lacking = [
  "stories?version=draft",
  "stories/story-1?version=draft",
  "stories?language=fr",
  "stories?from_release=12",
  `links?version=draft`,
  `links/${uuid(1)}?version=draft`,
  "tags?version=draft",
];

test("missing edition: answers from the nearest edition, names it in a header, and reports it once", async () => {
  const { replica, told } = await replicaOf(published);
  for (const _ of [1, 2, 3]) {
    for (const query of lacking) {
      const { status, headers } = await replica.get(`/v2/cdn/${query}`);
      expect([query, status, headers.get("x-offprint-edition")]).toEqual([query, 200, "published/default"]);
    }
  }
  expect(told.sort()).toEqual([
    "draft/default from published/default",
    "published/fr from published/default",
    "published@12/default from published/default",
  ]);
});

test("--strict answers 404 instead, and existing editions as usual", async () => {
  const { replica, told } = await replicaOf(published, true);
  expect(await statuses(replica, lacking)).toEqual(lacking.map(() => 404));
  expect(await statuses(replica, ["stories", "stories?language=de", "links", `links/${uuid(1)}`, "tags"])).toEqual([
    200, 200, 200, 200, 200,
  ]);
  expect((await replica.get("/v2/cdn/stories?version=draft")).text).toBe('["This record could not be found"]');
  expect(told).toEqual([]);
});

test("drafts only: a snapshot of drafts has nothing published, and returns its cv", async () => {
  const { replica } = await replicaOf({ "draft/default": [story(1)] });
  const { body, headers } = await replica.get("/v2/cdn/stories");
  expect(body).toEqual({ stories: [], cv: 1_700_000_000, rels: [], links: [] });
  expect([headers.get("total"), headers.get("x-offprint-edition")]).toEqual(["0", "none"]);
  expect(await replica.get("/v2/cdn/stories?version=draft")).toMatchObject({ body: { stories: [{ id: 1 }] } });
});

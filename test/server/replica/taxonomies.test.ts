import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { TaxonomyTermRecord } from "../../../src/contract/records.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { story, uuid } from "../../support/sample-snapshot.js";

// Rows: [2.1 taxonomy_terms.id, taxonomy_terms.name, taxonomy_terms.display_name, taxonomy_terms.taxonomy_id]
// Rows: [2.1 taxonomy_terms.parent, taxonomy_terms.taxonomy] [2.11 id, name, display_name, description, parent_id]
// Rows: [2.11 created_at, updated_at, last_author_id, terms_count, last_activity_at, children, associated_content]
// Rows: [4.1 with_taxonomy_terms, by_taxonomy_term_ids, by_taxonomy_term_names, with_taxonomy_subterms]
// Rows: [4.3 with_taxonomy_terms] [4.14 path, token, version, cv, body.taxonomies, body.cv]
// Rows: [4.15 path, token, version, cv, :identifier, body.taxonomy, body.cv]
// Rows: [4.16 path, token, version, cv, :identifier, body.taxonomy_term, body.cv]

const moment = "2026-08-01T00:00:00.000Z";
const term = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  display_name: name.toUpperCase(),
  description: null,
  parent_id: null as string | null,
  created_at: moment,
  updated_at: moment,
  last_author_id: 7,
  ...more,
});
const stories = (...ids: number[]) => ({ associated_content: ids.map((id) => ({ id, type: "Story" })) });
const children = (parent: string, ...terms: ReturnType<typeof term>[]) => ({
  children: terms.map((one) => ({ ...one, parent_id: parent })),
});
/** materials > wood > oak, materials > paper; tools > wood. */
const materials = term(
  "9007199254740993",
  "materials",
  children(
    "9007199254740993",
    term("11", "wood", { ...stories(1, 9), ...children("11", term("12", "oak", stories(2))) }),
    term("13", "paper", stories(1)),
  ),
);
const tools = term("20", "tools", children("20", term("21", "wood", stories(3)), term("22", "__proto__", stories(4))));
const counted = { terms_count: 3, last_activity_at: moment };
const carried = (...terms: [id: string, name: string][]) => ({
  taxonomy_terms: terms.map(([id, name]) => ({ id, name, display_name: name, taxonomy_id: "20", parent: null })),
});
const content = {
  editions: {
    "published/default": [
      story(1, { ...carried(["11", "wood"], ["13", "paper"]), updated_at: moment }),
      story(2, carried(["12", "oak"])),
      story(3, { ...carried(["21", "wood"]), content: { _uid: "u", component: "page", author: uuid(1) } }),
      story(4, carried(["22", "__proto__"])),
      story(5, carried()),
    ],
  },
  parts: {
    taxonomies: [term("9007199254740993", "materials", counted), term("20", "tools", counted)],
    terms: [materials, tools],
  },
};

async function replicaOf(sample: Parameters<typeof startSample>[0]): Promise<SampleReplica> {
  const replica = await startSample(sample);
  onTestFinished(() => replica.close());
  return replica;
}

describe("a snapshot with taxonomies", () => {
  let replica: SampleReplica;
  beforeAll(async () => {
    replica = await startSample(content);
    return () => replica.close();
  });
  const ids = async (query: string) =>
    ((await replica.get(`/v2/cdn/stories?${query}`)).body as { stories: { id: number }[] }).stories.map(({ id }) => id);

  test("lists them without terms, and answers each by id and by name with all of them", async () => {
    const list = await replica.get("/v2/cdn/taxonomies");
    expect(list.body).toEqual({ taxonomies: content.parts.taxonomies, cv: expect.any(Number) });
    const byId = await replica.get("/v2/cdn/taxonomies/9007199254740993");
    expect(byId.status).toBe(200);
    expect((await replica.get("/v2/cdn/taxonomies/materials")).text).toBe(byId.text);
    expect((byId.body as { taxonomy: TaxonomyTermRecord }).taxonomy).toMatchObject({
      id: "9007199254740993",
      children: [{ name: "wood", children: [{ name: "oak" }] }, { name: "paper" }],
    });
    expect((await replica.get("/v2/cdn/taxonomies/none")).status).toBe(404);
  });

  test("answers a term with those below it, and names its stories as the snapshot has them", async () => {
    const { body } = await replica.get("/v2/cdn/taxonomy_terms/11");
    expect(body).toMatchObject({ taxonomy_term: { name: "wood", children: [{ id: "12" }] } });
    expect((body as { taxonomy_term: TaxonomyTermRecord }).taxonomy_term.associated_content).toEqual([
      { id: 1, type: "Story", name: "Story 1", full_slug: "story-1", updated_at: moment },
      { id: 9, type: "Story" },
    ]);
    expect((await replica.get("/v2/cdn/taxonomy_terms/99")).status).toBe(404);
  });

  test("gives stories their terms only where they are asked for, related ones too", async () => {
    const related = "resolve_relations=page.author&by_ids=3";
    for (const path of ["stories/1", "stories", `stories?${related}`]) {
      expect((await replica.get(`/v2/cdn/${path}`)).text).not.toContain("taxonomy_terms");
    }
    const one = await replica.get("/v2/cdn/stories/1?with_taxonomy_terms=1");
    expect(one.body).toMatchObject({ story: carried(["11", "wood"], ["13", "paper"]) });
    const list = await replica.get(`/v2/cdn/stories?${related}&with_taxonomy_terms=1`);
    expect(list.text.match(/"taxonomy_terms"/g)).toHaveLength(2);
    const left = await replica.get("/v2/cdn/stories/1?with_taxonomy_terms=1&excluding_story_fields=taxonomy_terms");
    expect(left.text).not.toContain("taxonomy_terms");
  });

  test.each([
    ["by_taxonomy_term_ids=11", [1]],
    ["by_taxonomy_term_ids=11,12", [1, 2]],
    ["by_taxonomy_term_ids[]=11&by_taxonomy_term_ids[]=13,12", [1]],
    ["by_taxonomy_term_ids[]=12&by_taxonomy_term_ids[]=13", []],
    ["by_taxonomy_term_ids=11&with_taxonomy_subterms=1", [1, 2]],
    ["by_taxonomy_term_ids=9007199254740993&with_taxonomy_subterms=1", [1, 2]],
    ["by_taxonomy_term_ids=9007199254740993", []],
    ["by_taxonomy_term_names=wood", [1, 3]],
    ["by_taxonomy_term_names=materials/wood", [1]],
    ["by_taxonomy_term_names=materials/wood&with_taxonomy_subterms=1", [1, 2]],
    ["by_taxonomy_term_names=materials/oak,tools/wood", [2, 3]],
    ["by_taxonomy_term_names[]=wood&by_taxonomy_term_names[]=paper", [1]],
    ["by_taxonomy_term_names=wood&by_taxonomy_term_ids=21", [3]],
    ["by_taxonomy_term_names=nobody", []],
    ["by_taxonomy_term_names=__proto__", [4]],
  ])("selects by terms: %s", async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  test("refuses an array in an array", async () => {
    const { status, body } = await replica.get("/v2/cdn/stories?by_taxonomy_term_ids[a][b]=1");
    expect([status, body]).toEqual([422, { error: expect.stringContaining("by_taxonomy_term_ids") }]);
  });
});

test("without taxonomies, the addresses answer 403, filters by terms select nothing, and stories are as stored", async () => {
  const replica = await replicaOf({ editions: { "published/default": [story(1, carried(["11", "wood"]))] } });
  for (const path of ["taxonomies", "taxonomies/wood", "taxonomy_terms/11"]) {
    expect((await replica.get(`/v2/cdn/${path}`)).status).toBe(403);
  }
  expect((await replica.get("/v2/cdn/stories?by_taxonomy_term_names=wood")).body).toMatchObject({ stories: [] });
  expect((await replica.get("/v2/cdn/stories")).text).toContain("taxonomy_terms");
});

test("10,000 terms, in a chain and side by side, are found and selected by", async () => {
  let deep = term("deep-500", "leaf", stories(1));
  for (let level = 499; level > 0; level--)
    deep = term(`deep-${level}`, `level-${level}`, children(`deep-${level}`, deep));
  const wide = Array.from({ length: 9_500 }, (_, at) => term(`wide-${at}`, `wide ${at}`));
  const replica = await replicaOf({
    editions: { "published/default": [story(1, carried(["deep-500", "leaf"]))] },
    parts: { taxonomies: [term("root", "root")], terms: [term("root", "root", children("root", deep, ...wide))] },
  });
  expect((await replica.get("/v2/cdn/taxonomy_terms/deep-500")).status).toBe(200);
  expect((await replica.get("/v2/cdn/taxonomies/root")).status).toBe(200);
  expect(await replica.ids("by_taxonomy_term_ids=deep-1&with_taxonomy_subterms=1")).toEqual([1]);
});

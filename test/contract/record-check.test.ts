import { describe, expect, test } from "vitest";
import { misfitText } from "../../src/contract/record-check.js";
import * as tables from "../../src/contract/record-table.js";
import type {
  DatasourceEntryRecord,
  DatasourceRecord,
  ExperimentRecord,
  LinkRecord,
  SpaceInfoRecord,
  SpaceRecord,
  StoryRecord,
  TagRecord,
  WebhookEndpointRecord,
} from "../../src/contract/records.js";
import { splitRecords } from "../../src/lib/json/record-texts.js";
import type { Shape } from "../../src/lib/shape.js";

// Rows: [2.1 id, uuid, name, slug, full_slug, created_at, published_at, first_published_at, updated_at, content]
// Rows: [2.1 sort_by_date, position, tag_list, is_startpage, parent_id, meta_data, group_id, release_id, lang, path]
// Rows: [2.1 alternates, default_full_slug, translated_slugs, taxonomy_terms, alternates.id, alternates.name]
// Rows: [2.1 alternates.slug, alternates.published, alternates.full_slug, alternates.is_folder, alternates.parent_id]
// Rows: [2.1 translated_slugs.path, translated_slugs.name, translated_slugs.lang, translated_slugs.published]
// Rows: [2.3 id, uuid, slug, path, parent_id, name, is_folder, published, is_startpage, position, real_path]
// Rows: [2.3 created_at, updated_at, published_at, alternates, alternates.path, alternates.name, alternates.lang]
// Rows: [2.3 alternates.published, alternates.translated_slug] [2.4 id, name, slug, dimensions, created_at]
// Rows: [2.4 updated_at, dimensions.id, dimensions.name, dimensions.entry_value, dimensions.datasource_id]
// Rows: [2.4 dimensions.created_at, dimensions.updated_at] [2.5 id, name, display_name, story_ids, variants]
// Rows: [2.5 variants.name, variants.display_name, variants.public_id, variants.weight, variants.is_control]
// Rows: [2.5 variants.story_mappings, story_mappings.original_story_id, story_mappings.original_slug]
// Rows: [2.5 story_mappings.variant_story_id, story_mappings.variant_slug] [2.6 id, name, domain, plan_level]
// Rows: [2.6 languages, languages.code, languages.name] [2.7 id, name, space_id, actions, activated, created_at]
// Rows: [2.7 updated_at, deleted_at] [2.8 id, name, value, dimension_value] [2.9 name, taggings_count]
// Rows: [2.9 tag_on_stories] [2.10 id, name, domain, version, language_codes]

const uuid = "9aa72a2f-04ae-48df-b71f-25f53044dc97";
const now = "2025-07-16T08:00:00.000Z";

const story: Required<StoryRecord> = {
  name: "Mars",
  created_at: now,
  published_at: now,
  first_published_at: null,
  updated_at: null,
  id: 286701504322473,
  uuid,
  content: { _uid: "u", component: "post", price: "24", topics: ["a"], schedule: "2018-08-31 21:59" },
  slug: "mars",
  full_slug: "posts/mars",
  sort_by_date: null,
  position: -20,
  tag_list: ["red"],
  is_startpage: false,
  parent_id: 0,
  meta_data: null,
  group_id: uuid,
  release_id: null,
  lang: "default",
  path: null,
  alternates: [
    { id: 1, name: "Mars", slug: "mars", published: null, full_slug: "de/mars", is_folder: false, parent_id: 3 },
  ],
  default_full_slug: null,
  translated_slugs: [{ path: "mars", name: null, lang: "de", published: null }],
  taxonomy_terms: [],
};

const link: Required<LinkRecord> = {
  id: 1,
  uuid: uuid.toUpperCase(),
  slug: "posts/mars",
  path: null,
  parent_id: null,
  name: "Mars",
  is_folder: false,
  published: true,
  is_startpage: false,
  position: 0,
  real_path: "/posts/mars",
  created_at: now,
  updated_at: now,
  published_at: null,
  alternates: [{ path: "mars", name: null, lang: "de", published: true, translated_slug: "mars" }],
};

const datasource: Required<DatasourceRecord> = {
  id: 5,
  name: "Colours",
  slug: "colours",
  dimensions: [{ id: 6, name: "German", entry_value: "de", datasource_id: 5, created_at: now, updated_at: now }],
  created_at: now,
  updated_at: now,
};

const experiment: Required<ExperimentRecord> = {
  id: 7,
  name: "hero",
  display_name: "Hero",
  story_ids: [1],
  variants: [
    {
      name: "control",
      display_name: "Control",
      public_id: "c",
      weight: 50,
      is_control: true,
      story_mappings: [{ original_story_id: 1, original_slug: null, variant_story_id: null, variant_slug: null }],
    },
  ],
};

const spaceInfo: Required<SpaceInfoRecord> = {
  id: 606,
  name: "Space",
  domain: "https://example.com/",
  plan_level: 2,
  languages: [{ code: "de", name: "German" }],
};

const webhookEndpoint: Required<WebhookEndpointRecord> = {
  id: 9,
  name: "build",
  space_id: 606,
  actions: ["story.published"],
  activated: true,
  created_at: now,
  updated_at: now,
  deleted_at: null,
};

const entry: Required<DatasourceEntryRecord> = { id: 1, name: "red", value: "#f00", dimension_value: null };
const tag: Required<TagRecord> = { name: "red", taggings_count: 3, tag_on_stories: 2 };
const space: Required<SpaceRecord> = { id: 606, name: "Space", domain: "x", version: 17, language_codes: ["de"] };

function problemOf({ misfit }: Shape<unknown>, value: unknown): string | undefined {
  const found = misfit(value);
  return found && misfitText(found);
}

const complete: [name: string, section: string, record: object, table: Shape<unknown>][] = [
  ["story", "2.1", story, tables.story],
  ["link", "2.3", link, tables.link],
  ["datasource", "2.4", datasource, tables.datasource],
  ["experiment", "2.5", experiment, tables.experiment],
  ["space info", "2.6", spaceInfo, tables.spaceInfo],
  ["webhook endpoint", "2.7", webhookEndpoint, tables.webhookEndpoint],
  ["datasource entry", "2.8", entry, tables.datasourceEntry],
  ["tag", "2.9", tag, tables.tag],
  ["space", "2.10", space, tables.space],
];

describe("a record with every field", () => {
  test.each(complete)("a %s is accepted, and every field is kept in its place", (_, section, record, table) => {
    const text = JSON.stringify(record);
    const taken = splitRecords(`{"records":[${text}]}`, "records");
    expect(taken?.texts).toEqual([text]);
    expect(problemOf(table, taken?.values[0])).toBeUndefined();
    const fields = tables.fieldTables.filter(
      (group) => group.section === section && group.prefix === "" && group.type !== null,
    );
    expect(Object.keys(record).sort()).toEqual(fields.flatMap((group) => Object.keys(group.fields)).sort());
  });

  const parts: [prefix: string, section: string, part: object | undefined][] = [
    ["alternates.", "2.1", story.alternates[0]],
    ["translated_slugs.", "2.1", story.translated_slugs?.[0]],
    ["alternates.", "2.3", link.alternates[0]],
    ["dimensions.", "2.4", datasource.dimensions[0]],
    ["variants.", "2.5", experiment.variants[0]],
    ["story_mappings.", "2.5", experiment.variants[0]?.story_mappings?.[0]],
    ["languages.", "2.6", spaceInfo.languages[0]],
  ];

  test.each(parts)("the fields of %s in %s are what the object inside holds", (prefix, section, part) => {
    const group = tables.fieldTables.find((each) => each.section === section && each.prefix === prefix);
    expect(Object.keys(part ?? {}).sort()).toEqual(Object.keys(group?.fields ?? {}).sort());
  });
});

describe("a record that is not what it should be", () => {
  const { content: _content, ...withoutContent } = story;

  test("a story needs no content, and no field that older answers lack", () => {
    expect(problemOf(tables.story, withoutContent)).toBeUndefined();
    expect(problemOf(tables.story, { id: 0, uuid, name: "", slug: "", full_slug: "" })).toBeUndefined();
  });

  test.each([
    [null, "null is not an object"],
    [[], "an array is not an object"],
    ["story", '"story" is not an object'],
    [{ ...story, id: "1" }, 'id is "1", not a whole number'],
    [{ ...story, id: -1 }, "id is -1, not a whole number"],
    [{ ...story, id: 1.5 }, "id is 1.5, not a whole number"],
    [{ ...story, uuid: "../../etc/passwd" }, 'uuid is "../../etc/passwd", not a uuid'],
    [{ ...story, full_slug: undefined }, "full_slug is missing, not a text"],
    [{ ...story, content: [] }, "content is an array, not an object"],
    [{ ...story, tag_list: "red" }, 'tag_list is "red", not an array'],
    [Object.create(story), "id is missing, not a whole number"],
  ])("%j: %s", (value, problem) => {
    expect(problemOf(tables.story, value)).toBe(problem);
    expect(tables.story.is(value)).toBe(false);
  });

  test("a dimension is checked inside its datasource", () => {
    expect(problemOf(tables.datasource, { ...datasource, dimensions: [datasource.dimensions[0], { id: 1 }] })).toBe(
      "dimensions[1].name is missing, not a text",
    );
    expect(problemOf(tables.datasource, { ...datasource, dimensions: {} })).toBe(
      "dimensions is an object, not an array",
    );
  });

  test("the message shortens a long value", () => {
    expect(problemOf(tables.tag, "x".repeat(1000))?.length).toBeLessThan(100);
  });
});

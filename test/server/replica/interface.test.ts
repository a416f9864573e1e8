import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parts } from "../../../src/snapshot/layout.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { type SampleContent, uuid } from "../../support/sample-snapshot.js";

// Rows: [2.1 id, name, slug, full_slug, created_at, published_at, first_published_at, updated_at, sort_by_date]
// Rows: [2.1 position, tag_list, is_startpage, parent_id, meta_data, release_id, lang, path, alternates]
// Rows: [2.1 default_full_slug, translated_slugs, taxonomy_terms, alternates.*, translated_slugs.*, content]
// Rows: [2.1 content.*, uuid, group_id] [2.2 stories, cv, story] [2.3 id, slug, path, parent_id, name, is_folder]
// Rows: [2.3 published, is_startpage, position, real_path, created_at, updated_at, published_at, alternates]
// Rows: [2.3 alternates.*, uuid] [2.4 id, name, slug, dimensions, created_at, updated_at, dimensions.*] [2.5 id]
// Rows: [2.5 name, display_name, story_ids, variants, variants.*, story_mappings.*] [2.6 id, name, domain]
// Rows: [2.6 plan_level, languages, languages.*] [2.7 name, actions, activated, created_at, updated_at, deleted_at]
// Rows: [2.7 space_id] [2.8 id, name, value, dimension_value] [2.9 name, taggings_count, tag_on_stories] [2.10 name]
// Rows: [2.10 domain, id, version, language_codes] [3 published, is_control] [4.1 path, token, cv, version]
// Rows: [4.1 filter_query] [4.3 path, token, cv, version, fallback_lang] [4.4 path, token, cv, version, body.link]
// Rows: [4.5 path, token, cv, version, body.experiments, body.cv] [4.6 path, token, cv, version, body.datasources]
// Rows: [4.6 body.cv] [4.7 path, token, cv, version, body.datasource, body.cv] [4.10 path, token, cv, version]
// Rows: [4.10 body.links] [4.11 path, token, cv, version, body.datasource_entries, body.cv] [4.12 path, token, cv]
// Rows: [4.12 version, body.tags, all_tags] [4.13 path, token, cv, version, body.space] [12 tags of no story]
// Rows: [12 shape of a link]

const cv = 1_700_000_000;
const moment = "2024-05-06T07:08:09.123Z";

type Fields = Record<string, unknown>;

const alternate: Fields = {
  id: 71,
  name: "Alt",
  slug: "alt",
  published: true,
  full_slug: "x/alt",
  is_folder: false,
  parent_id: 9,
};
const translatedSlug: Fields = { path: "artikel", name: "Artikel", lang: "de", published: true };
const contentValues: Fields = {
  asset: {
    fieldtype: "asset",
    id: 3,
    alt: "",
    name: "",
    focus: "",
    title: "",
    source: "",
    filename: "//a.example/f/a.png",
    copyright: "",
    meta_data: {},
  },
  options: ["red", uuid(5)],
  number: "1900",
  plugin: { _uid: "p", plugin: "seo", title: "T", description: "D", og_image: "" },
  blocks: [{ _uid: "b1", component: "teaser", headline: "Hi" }],
  datetime: "2024-05-06 07:08",
  richtext: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Words" }] }] },
  multilink: { fieldtype: "multilink", linktype: "url", id: "", url: "https://x.example", cached_url: "" },
  table: { thead: [{ _uid: "h", component: "_table_head", value: "H" }], tbody: [] },
};
const story: Fields = {
  name: "Full",
  created_at: moment,
  published_at: moment,
  updated_at: moment,
  id: 1,
  uuid: uuid(1),
  content: { _uid: "u1", component: "page", ...contentValues },
  slug: "full",
  full_slug: "folder/full",
  sort_by_date: "2024-05-06",
  position: -20,
  tag_list: ["red"],
  is_startpage: false,
  parent_id: 9,
  meta_data: { a: 1 },
  group_id: uuid(2),
  first_published_at: moment,
  release_id: 12,
  lang: "default",
  path: "/",
  alternates: [alternate],
  default_full_slug: "folder/default",
  translated_slugs: [translatedSlug],
  taxonomy_terms: [{ id: "4", name: "wood" }],
};
const linkAlternate: Fields = { path: "p", name: "N", lang: "de", published: true, translated_slug: "t" };
const link: Fields = {
  id: 1,
  uuid: uuid(1),
  slug: "folder/full",
  path: "/",
  parent_id: 9,
  name: "Full",
  is_folder: false,
  published: true,
  is_startpage: false,
  position: -20,
  real_path: "/folder/full",
  published_at: moment,
  created_at: moment,
  updated_at: moment,
  alternates: [linkAlternate],
};
const dimension: Fields = {
  id: 31,
  name: "German",
  entry_value: "de",
  datasource_id: 3,
  created_at: moment,
  updated_at: moment,
};
const datasource: Fields = {
  id: 3,
  name: "Colors",
  slug: "colors",
  dimensions: [dimension],
  created_at: moment,
  updated_at: moment,
};
const entry: Fields = { id: 8, name: "red", value: "#f00", dimension_value: null };
const mapping: Fields = {
  original_story_id: 1,
  original_slug: "folder/full",
  variant_story_id: 90,
  variant_slug: "folder/b",
};
const variant: Fields = {
  name: "b",
  display_name: "B",
  public_id: "pb",
  weight: 50,
  is_control: true,
  story_mappings: [mapping],
};
const experiment: Fields = { id: 6, name: "exp", display_name: "Exp", story_ids: [1], variants: [variant] };
const tag: Fields = { name: "red", taggings_count: 2, tag_on_stories: 1 };
const me: Fields = { id: 7, name: "Sample", domain: "https://x.example/", version: 5, language_codes: ["de"] };
const language: Fields = { code: "de", name: "German" };
const info: Fields = { id: 7, name: "Sample", domain: "https://x.example/", plan_level: 2, languages: [language] };
const webhook: Fields = {
  id: 55,
  name: "Build",
  space_id: 7,
  actions: ["story.published"],
  activated: true,
  created_at: moment,
  updated_at: moment,
  deleted_at: null,
};

function sampleOf(
  more: Partial<Record<"story" | "link" | "datasource" | "entry" | "experiment" | "tag" | "space", Fields>> = {},
): SampleContent {
  const draft = { ...story, name: "Full, edited" };
  return {
    editions: { "published/default": [more.story ?? story] as never, "draft/default": [draft] as never },
    parts: {
      [parts.links("published")]: [more.link ?? link],
      [parts.links("draft")]: [{ ...link, name: "Full, edited" }],
      datasources: [more.datasource ?? datasource],
      "entries/3": [more.entry ?? entry],
      experiments: [more.experiment ?? experiment],
      [parts.tags("published")]: [more.tag ?? tag],
      [parts.tags("draft")]: [{ ...tag, taggings_count: 3 }],
      space: [{ me, info, webhookEndpoints: [webhook], ...more.space }],
    },
  };
}

/** A path into a record: `alternates.0.name`. */
function changedAt(record: Fields, path: string, value: unknown): Fields {
  const copy = structuredClone(record);
  const keys = path.split(".");
  const holder = keys.slice(0, -1).reduce((inner: Fields, key) => inner[key] as Fields, copy);
  holder[keys.at(-1)!] = value;
  return copy;
}

/** Another value of the same kind. */
function otherValue(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return moment;
  if (typeof value === "string") return value === moment ? "2020-01-01T00:00:00.000Z" : `${value}x`;
  return Array.isArray(value) ? [] : { ...value, more: 1 };
}

/** The paths of the fields of an object that stands there. */
function within(path: string, fields: Fields): string {
  return Object.keys(fields)
    .map((name) => `${path}.${name}`)
    .join(" ");
}

const dialects = ["compatible", "seed", "platform"] as const;
const personal = { headers: { Authorization: "personal" } };

describe("a field is answered as it is stored, and changes nothing else", () => {
  test.each<
    [
      fields: string,
      path: string,
      prefix: string,
      part: keyof NonNullable<Parameters<typeof sampleOf>[0]>,
      record: Fields,
    ]
  >([
    [
      "id name slug full_slug created_at published_at first_published_at updated_at sort_by_date position tag_list",
      "/v2/cdn/stories",
      "stories.0",
      "story",
      story,
    ],
    [
      "is_startpage parent_id meta_data release_id lang path alternates default_full_slug translated_slugs taxonomy_terms",
      "/v2/cdn/stories",
      "stories.0",
      "story",
      story,
    ],
    [within("alternates.0", alternate), "/v2/cdn/stories", "stories.0", "story", story],
    [within("translated_slugs.0", translatedSlug), "/v2/cdn/stories", "stories.0", "story", story],
    [within("content", contentValues), "/v2/cdn/stories", "stories.0", "story", story],
    ["name content meta_data", "/v2/cdn/stories/1", "story", "story", story],
    [
      "id slug path parent_id name is_folder published is_startpage position real_path created_at updated_at published_at",
      "/v2/cdn/links?include_dates=1",
      `links.${uuid(1)}`,
      "link",
      link,
    ],
    [
      `alternates ${within("alternates.0", linkAlternate)}`,
      "/v2/cdn/links?include_dates=1",
      `links.${uuid(1)}`,
      "link",
      link,
    ],
    ["id name slug dimensions created_at updated_at", "/v2/cdn/datasources", "datasources.0", "datasource", datasource],
    [within("dimensions.0", dimension), "/v2/cdn/datasources", "datasources.0", "datasource", datasource],
    ["id name display_name story_ids variants", "/v2/cdn/experiments", "experiments.0", "experiment", experiment],
    [within("variants.0", variant), "/v2/cdn/experiments", "experiments.0", "experiment", experiment],
    [within("variants.0.story_mappings.0", mapping), "/v2/cdn/experiments", "experiments.0", "experiment", experiment],
    ["id name domain plan_level languages", "/v1/space_info", "space", "space", { info }],
    ["languages.0.code languages.0.name", "/v1/space_info", "space", "space", { info }],
    [
      "name actions activated created_at updated_at deleted_at",
      "/v1/spaces/7/webhook_endpoints/55",
      "webhook_endpoint",
      "space",
      { webhookEndpoints: [webhook] },
    ],
    [
      "id name value dimension_value",
      "/v2/cdn/datasource_entries?datasource=3",
      "datasource_entries.0",
      "entry",
      entry,
    ],
    ["name taggings_count tag_on_stories", "/v2/cdn/tags", "tags.0", "tag", tag],
    ["name domain", "/v2/cdn/spaces/me", "space", "space", { me }],
  ])("%s of %s", async (fields, path, prefix, part, record) => {
    const answerOf = async (content: SampleContent): Promise<Fields> => {
      const replica = await startSample(content);
      const { status, body } = await replica.get(path, personal);
      await replica.close();
      expect(status).toBe(200);
      return body as Fields;
    };
    const answer = await answerOf(sampleOf());
    for (const field of fields.split(" ")) {
      const stored =
        part === "space" ? `${Object.keys(record)[0]}${"webhookEndpoints" in record ? ".0" : ""}.${field}` : field;
      const value = otherValue(stored.split(".").reduce((inner: unknown, key) => (inner as Fields)[key], record));
      const changed = await answerOf(sampleOf({ [part]: changedAt(record, stored, value) }));
      expect(changed, field).toEqual(changedAt(answer, `${prefix}.${field}`, value));
      expect(changed, field).not.toEqual(answer);
    }
  });
});

test("uuid, group_id and space_id are answered as they are stored", async () => {
  const replica = await startSample(sampleOf());
  onTestFinished(() => replica.close());
  const read = async (path: string) => (await replica.get(path, personal)).body;
  expect(await read("/v2/cdn/stories")).toMatchObject({ stories: [{ uuid: uuid(1), group_id: uuid(2) }] });
  expect(await read("/v2/cdn/links")).toMatchObject({ links: { [uuid(1)]: { uuid: uuid(1) } } });
  expect(await read("/v2/cdn/spaces/me")).toEqual({ space: { ...me, version: cv } });
  expect(await read("/v1/spaces/7/webhook_endpoints/55")).toMatchObject({ webhook_endpoint: { space_id: 7 } });
});

/** Every delivery address, and what tells its answer from that for drafts. */
const deliveries: [path: string, key: string, drafts: boolean][] = [
  ["/v2/cdn/stories", "stories", true],
  ["/v2/cdn/stories/1", "story", true],
  [`/v2/cdn/links/${uuid(1)}`, "link", true],
  ["/v2/cdn/experiments", "experiments", false],
  ["/v2/cdn/datasources", "datasources", false],
  ["/v2/cdn/datasources/3", "datasource", false],
  ["/v2/cdn/links", "links", true],
  ["/v2/cdn/datasource_entries", "datasource_entries", false],
  ["/v2/cdn/tags", "tags", true],
  ["/v2/cdn/spaces/me", "space", false],
];

describe.each(dialects)("in the dialect %s", (dialect) => {
  let replica: SampleReplica;
  beforeAll(async () => {
    replica = await startSample(sampleOf(), { dialect, redirect: true, tokens: { public: ["pub"], preview: ["pre"] } });
  });
  afterAll(() => replica.close());

  test.each(deliveries)(
    "%s has its key, needs its token, is pinned by cv, and separates versions",
    async (path, key, drafts) => {
      const read = (query: string) => replica.get(`${path}?${query}`);
      expect((await read("token=")).status).toBe(401);
      expect((await read("token=wrong")).status).toBe(401);
      const published = await read(`token=pub&cv=${cv}&version=published`);
      expect([published.status, Object.keys(published.body as object)[0]]).toEqual([200, key]);
      expect((await read(`token=pub&cv=${cv}`)).text).toBe(published.text);
      expect((await replica.get(`${path}x/y/z?token=pub&cv=${cv}`)).status).toBe(404);
      const isSpace = path.endsWith("/me");
      for (const query of ["token=pub", "token=pub&cv=1", "token=pub&cv=undefined"]) {
        const { status, headers } = await read(query);
        expect([query, status, headers.get("location")]).toEqual(
          isSpace ? [query, 200, null] : [query, 301, `${path}?cv=${cv}&token=pub`],
        );
      }
      expect((await read("token=pub&version=draft")).status).toBe(401);
      const draft = await read("token=pre&version=draft&cv=1");
      expect(draft.status).toBe(200);
      if (drafts) expect(draft.text).not.toBe(published.text);
      else expect(draft.text).toBe(published.text);
      expect([422, 200]).toContain((await read(`token=pub&cv=${cv}&version=sideways`)).status);
    },
  );

  test("filter_query may select nothing, and fallback_lang changes nothing", async () => {
    const list = await replica.get(`/v2/cdn/stories?token=pub&cv=${cv}&filter_query[component][in]=other`);
    expect(list.body).toMatchObject({ stories: [] });
    const single = await replica.get(`/v2/cdn/stories/1?token=pub&cv=${cv}&fallback_lang=fr`);
    expect(single.headers.get("x-offprint-ignored")).toBe("fallback_lang");
    expect(single.text).toBe((await replica.get(`/v2/cdn/stories/1?token=pub&cv=${cv}`)).text);
  });

  test("all_tags is accepted and changes nothing", async () => {
    const all = await replica.get(`/v2/cdn/tags?token=pub&cv=${cv}&all_tags=true`);
    expect(all.text).toBe((await replica.get(`/v2/cdn/tags?token=pub&cv=${cv}`)).text);
  });

  test("shape of a link: a link is a map, or flat as on the platform", async () => {
    const { created_at: _c, updated_at: _u, published_at: _p, ...plain } = link;
    const { body } = await replica.get(`/v2/cdn/links/${uuid(1)}?token=pub&cv=${cv}`);
    expect(body).toEqual({ link: dialect === "platform" ? plain : { [uuid(1)]: plain } });
  });
});

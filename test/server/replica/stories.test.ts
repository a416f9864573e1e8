import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildSnapshot } from "../../../demo/build-snapshot.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { createReplica } from "../../../src/server/replica/http/handler.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { story, uuid } from "../../support/sample-snapshot.js";

// Rows: [3 version, release_id] [4.1 default order, starts_with, by_slugs, excluding_slugs, by_uuids]
// Rows: [4.1 by_uuids_ordered, by_ids, excluding_ids, with_tag, content_type, level, is_startpage, published_at_gt]
// Rows: [4.1 published_at_gte, published_at_lt, published_at_lte, first_published_at_gt, first_published_at_lt]
// Rows: [4.1 first_published_at_gte, first_published_at_lte, updated_at_gt, updated_at_lt, updated_at_gte]
// Rows: [4.1 updated_at_lte, search_term, sort_by, in_workflow_stages, per_page, page, version, from_release]
// Rows: [4.1 language, fallback_lang, only_variants, excluding_fields, excluding_story_fields, sort property]
// Rows: [4.1 sort cast, sort nulls, sort chain] [4.3 :full_slug, :id, :uuid, find_by, language, version]
// Rows: [4.3 from_release, content_type, excluding_fields, excluding_story_fields] [7 page beyond the end, 404]
// Rows: [8 storiesPerPage, firstPage] [10 Total] [12 ties, tag slugs, by_uuids_ordered with sort_by, relevance]
// Rows: [12 in_workflow_stages, per_page over the maximum, slugs of a translation, unknown language, fallback_lang]
// Rows: [12 order of texts, values that are no number, texts with a fraction, excluding _uid]

const home = story(1, { slug: "home", full_slug: "home", position: -10, tag_list: ["red"], name: "Home" });
const articles = story(2, { slug: "articles", full_slug: "articles/", is_startpage: true, position: 0, name: "All" });
const first = story(3, {
  slug: "first",
  full_slug: "articles/first",
  position: 20,
  created_at: "2024-03-01T00:00:00.000Z",
  tag_list: ["Deep Blue", "red"],
  content: {
    _uid: "u3",
    component: "article",
    title: "First light",
    text: "Über den Wolken",
    price: "10",
    low: -0.25,
    shown: false,
  },
});
const second = story(4, {
  slug: "second",
  full_slug: "articles/second",
  position: 20,
  created_at: "2024-03-02T00:00:00.000Z",
  published_at: "2024-06-01T12:00:00.000Z",
  updated_at: "2024-06-02T12:00:00.000Z",
  content: {
    _uid: "u4",
    component: "article",
    title: "Second",
    none: null,
    nested: { on: true, blocks: [{ caption: "hidden WOLKEN" }] },
  },
});
const rich = {
  type: "doc",
  content: [
    { type: "image", attrs: { id: 5, alt: "Lighthouse at dusk" } },
    { type: "text", text: "walked back" },
  ],
};
const old = story(5, {
  slug: "old",
  full_slug: "articles-old/2020/old",
  position: 30,
  first_published_at: null,
  published_at: null,
  content: {
    _uid: "u5",
    component: "page",
    title: 'a "quoted\\ text',
    number: 42,
    rich,
    file: { filename: "//a.example/f/harbour.png" },
  },
});
const german = (record: StoryRecord, more: Partial<StoryRecord> = {}): StoryRecord => ({
  ...record,
  full_slug: `de/${record.full_slug}`,
  lang: "de",
  ...more,
});
const editions = {
  "published/default": [home, articles, first, second, old],
  "published/de": [
    german(home),
    german(second, { full_slug: "de/artikel/zweite", default_full_slug: "articles/second" }),
  ],
  "draft/default": [home, { ...first, name: "First, edited" }],
  "draft@2001/default": [{ ...home, name: "Home in release" }],
};
const variant = story(90, { slug: "home-b", full_slug: "home-b" });

describe("GET /v2/cdn/stories", () => {
  let replica: SampleReplica;
  beforeAll(async () => {
    replica = await startSample({ editions, parts: { "variants/published/default": [variant] } });
  });
  afterAll(() => replica.close());

  test("answers the stored records byte for byte, in the envelope of the interface", async () => {
    const { text } = await replica.get("/v2/cdn/stories?by_slugs=home");
    expect(text).toBe(`{"stories":[${JSON.stringify(home)}],"cv":1700000000,"rels":[],"links":[]}`);
  });

  test("default order: position, then the newest created_at, then the highest id", async () => {
    expect(await replica.ids("")).toEqual([1, 2, 4, 3, 5]);
  });

  test.each<[title: string, query: string, ids: number[]]>([
    ["starts_with is a plain beginning of the full slug", "starts_with=articles", [2, 4, 3, 5]],
    ["starts_with may end with a slash", "starts_with=articles/", [2, 4, 3]],
    ["by_slugs finds a folder's start page with its slash only", "by_slugs=articles/", [2]],
    ["by_slugs without the slash does not find it", "by_slugs=articles", []],
    ["by_slugs takes wildcards and several slugs", "by_slugs=articles/*,home", [1, 2, 4, 3]],
    ["by_slugs takes no other pattern", "by_slugs=articles.*", []],
    ["excluding_slugs leaves out", "excluding_slugs=articles*,nothing", [1]],
    ["by_uuids ignores unknown uuids", `by_uuids=${uuid(5)},${uuid(1)},${uuid(77)}`, [1, 5]],
    ["by_uuids_ordered keeps the given order", `by_uuids_ordered=${uuid(5)},${uuid(1)},${uuid(4)}`, [5, 1, 4]],
    ["by_uuids_ordered answers a repeated uuid once", `by_uuids_ordered=${uuid(5)},${uuid(1)},${uuid(5)}`, [5, 1]],
    ["by_ids selects by id", "by_ids=4,1,99", [1, 4]],
    ["excluding_ids leaves out by id", "excluding_ids=1,4", [2, 3, 5]],
    ["with_tag is an OR of names", "with_tag=green,red", [1, 3]],
    ["with_tag takes the slug of a tag", "with_tag=deep-blue", [3]],
    ["content_type selects one type", "content_type=article", [4, 3]],
    ["level: 1 is the root", "level=1", [1]],
    ["level: 2 has no start pages", "level=2", [4, 3]],
    ["level: 3", "level=3", [5]],
    ["is_startpage: 1", "is_startpage=1", [2]],
    ["is_startpage: 0", "is_startpage=0", [1, 4, 3, 5]],
    ["published_at_gt is later only", "published_at_gt=2024-02-01 00:00", [4]],
    ["published_at_gte includes the moment", "published_at_gte=2024-06-01T12:00:00Z", [4]],
    ["published_at_lt leaves out what was never published", "published_at_lt=2024-06-01 12:00", [1, 2, 3]],
    ["published_at_lte includes the moment", "published_at_lte=2024-06-01 12:00", [1, 2, 4, 3]],
    ["first_published_at_gt is later only", "first_published_at_gt=2024-01-31 23:59", [1, 2, 4, 3]],
    ["first_published_at_lt is earlier only", "first_published_at_lt=2024-02-01 00:00", []],
    ["first_published_at_gte includes the moment", "first_published_at_gte=2024-02-01 00:00", [1, 2, 4, 3]],
    ["first_published_at_lte includes the moment", "first_published_at_lte=2024-02-01 00:00", [1, 2, 4, 3]],
    ["updated_at_gt leaves out records without the date", "updated_at_gt=2020-01-01 00:00", [4]],
    ["updated_at_lt is earlier only", "updated_at_lt=2024-06-02 12:00", []],
    ["updated_at_gte includes the moment", "updated_at_gte=2024-06-02 12:00", [4]],
    ["updated_at_lte includes the moment", "updated_at_lte=2024-06-02 12:00", [4]],
    ["search_term finds in slug, then name, then content", "search_term=HOME", [1]],
    ["search_term finds in nested content, whatever the case", "search_term=wolken", [4, 3]],
    ["search_term folds the case of every letter", "search_term=%C3%9CBER", [3]],
    ["search_term finds quotes and backslashes", 'search_term="quoted\\ t', [5]],
    ["search_term finds numbers", "search_term=42", [5]],
    ["search_term finds numbers with a fraction or a sign", "search_term=-0.25", [3]],
    ["search_term finds flags that are true", "search_term=True", [4]],
    ["search_term finds flags that are false", "search_term=false", [3]],
    ["search_term does not find null", "search_term=null", []],
    [
      "search_term keeps the order of by_uuids_ordered",
      `search_term=a&by_uuids_ordered=${uuid(3)},${uuid(5)},${uuid(2)},${uuid(4)}`,
      [3, 5, 2, 4],
    ],
    [
      "by_uuids_ordered with sort_by is sorted",
      `sort_by=name:asc&by_uuids_ordered=${uuid(3)},${uuid(5)},${uuid(2)},${uuid(4)}`,
      [2, 3, 4, 5],
    ],
    ["search_term finds uids", "search_term=U3", [3]],
    ["search_term finds file names of assets", "search_term=harbour.png", [5]],
    ["search_term finds nodes of rich text", "search_term=Walked", [5]],
    ["search_term finds attributes of rich text", "search_term=lighthouse", [5]],
    ["search_term does not find names of fields", "search_term=caption", []],
    ["search_term orders by relevance", "search_term=articles", [2, 4, 3, 5]],
    ["in_workflow_stages is accepted and selects nothing", "in_workflow_stages=1", [1, 2, 4, 3, 5]],
    ["several parameters must all hold", "starts_with=articles&content_type=page&is_startpage=false", [5]],
  ])("%s", async (_, query, ids) => {
    expect(await replica.ids(query)).toEqual(ids);
  });

  test("per_page is capped at 100, and Per-Page says so", async () => {
    const { headers } = await replica.get("/v2/cdn/stories?per_page=1000000");
    expect([headers.get("per-page"), headers.get("total")]).toEqual(["100", "5"]);
    expect((await replica.get("/v2/cdn/stories")).headers.get("per-page")).toBe("25");
  });

  test("page and per_page cut pages; a page past the end is empty", async () => {
    expect(await replica.ids("per_page=2&page=1")).toEqual([1, 2]);
    expect(await replica.ids("per_page=2&page=3")).toEqual([5]);
    const beyond = await replica.get("/v2/cdn/stories?per_page=2&page=4");
    expect([beyond.status, beyond.headers.get("total")]).toEqual([200, "5"]);
    expect(beyond.body).toMatchObject({ stories: [] });
  });

  test("version: draft answers drafts", async () => {
    const { body } = await replica.get("/v2/cdn/stories?version=draft");
    expect(body).toMatchObject({ stories: [{ name: "Home" }, { name: "First, edited" }] });
  });

  test("from_release answers the stories of the release, or the others if the snapshot lacks it", async () => {
    const release = await replica.get("/v2/cdn/stories?version=draft&from_release=2001");
    expect(release.body).toMatchObject({ stories: [{ name: "Home in release" }] });
    const unknown = await replica.get("/v2/cdn/stories?version=draft&from_release=9");
    expect(unknown.headers.get("x-offprint-edition")).toBe("draft/default");
  });

  test("language finds translated stories by either slug", async () => {
    expect(await replica.ids("language=de")).toEqual([1, 4]);
    expect(await replica.ids(`language=de&by_uuids=${uuid(3)},${uuid(4)}`)).toEqual([4]);
    expect(await replica.ids("language=de&starts_with=articles/")).toEqual([4]);
    expect(await replica.ids("language=de&starts_with=de/artikel/")).toEqual([4]);
    expect(await replica.ids("language=de&starts_with=[default]/de/")).toEqual([]);
    expect(await replica.ids("language=de&starts_with=[default]/artikel")).toEqual([]);
    expect(await replica.ids("language=de&level=1")).toEqual([1]);
  });

  test.each([
    ["its own slug", "de/artikel/zweite", "de/artikel/*"],
    ["its own slug without the language's prefix", "artikel/zweite", "artikel/*"],
    ["the slug of the default language", "articles/second", "articles/*"],
  ])("a translated story is found by %s", async (_, slug, pattern) => {
    expect(await replica.ids(`language=de&by_slugs=${slug}`)).toEqual([4]);
    expect(await replica.ids(`language=de&by_slugs=${pattern}`)).toEqual([4]);
    expect(await replica.ids(`language=de&starts_with=${slug}`)).toEqual([4]);
    expect(await replica.ids(`language=de&excluding_slugs=${slug}`)).toEqual([1]);
    expect(await replica.ids(`language=de&excluding_slugs=${pattern}`)).toEqual([1]);
  });

  test("a story's translated slug wins over another's slug in the default language", async () => {
    const about = story(7, { full_slug: "de/team", lang: "de", default_full_slug: "about" });
    const team = story(8, { full_slug: "de/mannschaft", lang: "de", default_full_slug: "team" });
    const own = await startSample({ editions: { "published/de": [team, about] } });
    const find = async (path: string) => {
      const { body } = await own.get(`/v2/cdn/stories/${path}?language=de`);
      return (body as { story: StoryRecord }).story.id;
    };
    expect([await find("team"), await find("about"), await find("mannschaft")]).toEqual([7, 7, 8]);
    await own.close();
  });

  test("a language that the snapshot lacks is answered in the default language, and a header says so", async () => {
    const { body, headers } = await replica.get("/v2/cdn/stories?language=fr&by_slugs=home");
    expect(body).toMatchObject({ stories: [{ lang: "default" }] });
    expect(headers.get("x-offprint-edition")).toBe("published/default");
    expect((await replica.get("/v2/cdn/stories?language=de")).headers.get("x-offprint-edition")).toBeNull();
  });

  test("drafts of a missing language are answered from its published stories", async () => {
    const { headers } = await replica.get("/v2/cdn/stories?language=de&version=draft");
    expect(headers.get("x-offprint-edition")).toBe("published/de");
  });

  test("fallback_lang is accepted, has no effect and is listed as ignored", async () => {
    const { text, headers } = await replica.get("/v2/cdn/stories?language=de&fallback_lang=fr");
    expect(text).toBe((await replica.get("/v2/cdn/stories?language=de")).text);
    expect(headers.get("x-offprint-ignored")).toBe("fallback_lang");
  });

  test("only_variants answers the variant stories of experiments, which other lists omit", async () => {
    expect(await replica.ids("only_variants=true")).toEqual([90]);
    expect(await replica.ids("only_variants=false")).toEqual([1, 2, 4, 3, 5]);
  });

  test("excluding_fields drops fields of the first level only", async () => {
    const { body } = await replica.get("/v2/cdn/stories?by_slugs=articles/second&excluding_fields=title,caption");
    const { title: _, ...content } = second.content!;
    expect(body).toMatchObject({ stories: [{ ...second, content }] });
    expect(JSON.stringify(body)).not.toContain('"title"');
  });

  test("excluding_story_fields drops properties, but no identifying ones", async () => {
    const query = "by_slugs=home&excluding_story_fields=alternates,uuid,content,nonsense,position";
    const { text } = await replica.get(`/v2/cdn/stories?${query}`);
    const { alternates: _a, position: _p, ...rest } = home;
    expect(text).toBe(`{"stories":[${JSON.stringify(rest)}],"cv":1700000000,"rels":[],"links":[]}`);
  });

  test("keeps keys that look like numbers in place, even if fields are dropped", async () => {
    const line = `{"id":1,"uuid":"${uuid(1)}","full_slug":"a","content":{"z":1,"10":{"9":1,"1":2},"drop":0,"2":3}}`;
    const { store, manifest } = await buildSnapshot({
      space: {},
      cv: 5,
      parts: { "stories/published/default": [line] },
      editions: [{ version: "published", release: null, language: "default" }],
    });
    const reader = await openReader(store, manifest);
    const own = createReplica({ reader: () => reader });
    const ask = async (query: string) =>
      (await own.fetch(new Request(`http://x/v2/cdn/stories?token=x&cv=5&${query}`))).text();
    expect(await ask("")).toContain(`[${line}]`);
    expect(await ask("excluding_fields=drop")).toContain('"content":{"z":1,"10":{"9":1,"1":2},"2":3}');
  });
});

describe("sort_by", () => {
  const values: [id: number, content: Record<string, unknown>][] = [
    [1, { price: "10", title: "b" }],
    [2, { price: "9.5", title: "B" }],
    [3, { price: 100, title: "ä" }],
    [4, { price: "", title: "b" }],
    [5, { title: "a", nested: { rank: "2" } }],
    [6, { price: "cheap", title: null, nested: { rank: "10" } }],
  ];
  const stories = values.map(([id, content]) => story(id, { content: { _uid: "u", component: "item", ...content } }));
  let replica: SampleReplica;
  beforeAll(async () => {
    replica = await startSample({ editions: { "published/default": stories } });
  });
  afterAll(() => replica.close());

  test.each<[title: string, sort: string, ids: number[]]>([
    ["a story property", "id:desc", [6, 5, 4, 3, 2, 1]],
    ["sort property: a number is compared as one", "position:asc", [1, 2, 3, 4, 5, 6]],
    ["order of texts: a content field is compared as text", "content.price:asc", [1, 3, 2, 6, 4, 5]],
    ["sort cast: :float", "content.price:asc:float", [2, 1, 3, 4, 5, 6]],
    [":int knows whole numbers only", "content.price:desc:int", [3, 1, 2, 4, 5, 6]],
    ["sort nulls: last in both directions", "content.title:desc", [3, 1, 4, 5, 2, 6]],
    ["sort nulls: first when asked", "content.title:asc:nulls_first", [6, 2, 5, 1, 4, 3]],
    ["sort chain: the second key decides among equals", "content.title:asc,id:desc", [2, 5, 4, 1, 3, 6]],
    ["a nested field", "content.nested.rank:asc:int", [5, 6, 1, 2, 3, 4]],
    ["a property that no record has keeps the default order", "nonsense:asc", [1, 2, 3, 4, 5, 6]],
    ["__proto__ is a property like any other", "content.__proto__:desc", [1, 2, 3, 4, 5, 6]],
  ])("%s", async (_, sort, ids) => {
    expect(await replica.ids(`sort_by=${sort}`)).toEqual(ids);
  });

  test("wins over relevance and the order of uuids", async () => {
    expect(await replica.ids(`by_uuids_ordered=${uuid(3)},${uuid(1)}&sort_by=id:asc`)).toEqual([1, 3]);
    expect(await replica.ids("search_term=story-&sort_by=id:desc&per_page=2")).toEqual([6, 5]);
  });
});

describe("GET /v2/cdn/stories/:identifier", () => {
  let replica: SampleReplica;
  beforeAll(async () => {
    const number = story(6, { slug: "2024", full_slug: "2024" });
    replica = await startSample({
      editions: { ...editions, "published/default": [...editions["published/default"], number] },
      parts: { "variants/published/default": [variant] },
    });
  });
  afterAll(() => replica.close());
  const find = async (path: string) => {
    const { status, body } = await replica.get(`/v2/cdn/stories/${path}`);
    return status === 200 ? (body as { story: StoryRecord }).story.id : status;
  };

  test("answers the stored record byte for byte", async () => {
    const { text } = await replica.get("/v2/cdn/stories/articles/first");
    expect(text).toBe(`{"story":${JSON.stringify(first)},"cv":1700000000,"rels":[],"links":[]}`);
  });

  test(":full_slug finds a start page with and without its slash, and a slug that is a number", async () => {
    expect(await find("articles/first")).toBe(3);
    expect([await find("articles"), await find("articles/")]).toEqual([2, 2]);
    expect(await find("2024")).toBe(6);
    expect(await find("de/home")).toBe(404);
  });

  test(":id finds by id", async () => {
    expect(await find("4")).toBe(4);
    expect(await find("99999999999999999999")).toBe(404);
  });

  test("find_by finds by uuid only when asked to", async () => {
    expect(await find(`${uuid(5)}?find_by=uuid`)).toBe(5);
    expect(await find(uuid(5))).toBe(404);
    expect(await find("home?find_by=uuid")).toBe(404);
  });

  test("language finds a translation by the slug of either language", async () => {
    expect(await find("articles/second?language=de")).toBe(4);
    expect(await find("de/artikel/zweite?language=de")).toBe(4);
    expect(await find("artikel/zweite?language=de")).toBe(4);
    expect(await find("artikel/zweite")).toBe(404);
    expect(await find("articles/first?language=de")).toBe(404);
  });

  test("from_release answers the requested edition", async () => {
    expect((await replica.get("/v2/cdn/stories/articles/first?version=draft")).body).toMatchObject({
      story: { name: "First, edited" },
    });
    expect((await replica.get("/v2/cdn/stories/home?version=draft&from_release=2001")).body).toMatchObject({
      story: { name: "Home in release" },
    });
  });

  test("excluding _uid restrict the answer", async () => {
    expect(await find("home?content_type=article")).toBe(404);
    const { text } = await replica.get(
      "/v2/cdn/stories/articles/first?content_type=article&excluding_fields=title,text,price,low,shown,_uid&excluding_story_fields=path",
    );
    expect(text).toContain('"content":{"component":"article"}');
    expect(text).not.toContain('"path":');
  });

  test("finds the variant story of an experiment by its slug", async () => {
    expect(await find("home-b")).toBe(90);
  });

  test("404 answers an unknown story with an array", async () => {
    expect((await replica.get("/v2/cdn/stories/no/such")).text).toBe('["This record could not be found"]');
    expect(await find("__proto__")).toBe(404);
  });
});

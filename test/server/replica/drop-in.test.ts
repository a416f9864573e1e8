import StoryblokClient, { type ISbConfig } from "storyblok-js-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { StoryRecord } from "../../../src/contract/records.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { linkOf, type SampleContent, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

// Rows: [4.2 array] [4.10 order] [7 429]

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const page = (id: number, more: Record<string, unknown> = {}, rest: Partial<StoryRecord> = {}) =>
  story(id, { content: { _uid: `u${id}`, component: "page", ...more }, ...rest });
const link = (id: number) => ({ fieldtype: "multilink", linktype: "story", id: uuid(id), url: "", cached_url: "" });
const richLink = (id: number) => ({
  type: "doc",
  content: [
    {
      type: "paragraph",
      content: [
        {
          type: "text",
          text: "there",
          marks: [
            { type: "link", attrs: { href: "/x", uuid: uuid(id), linktype: "story", target: null, anchor: null } },
          ],
        },
      ],
    },
  ],
});

const stories: StoryRecord[] = [
  page(
    1,
    { related: [uuid(1001), uuid(1002)], author: uuid(1003), to: link(1004), text: richLink(1005) },
    { slug: "home" },
  ),
  page(2, { related: range(1001, 1060).map(uuid) }, { slug: "many-relations" }),
  page(
    3,
    { list: range(1001, 1510).map((id) => ({ _uid: `l${id}`, component: "item", to: link(id) })) },
    { slug: "many-links" },
  ),
  page(4, {}, { slug: "articles", full_slug: "articles/", is_startpage: true }),
  page(
    5,
    { image: { fieldtype: "asset", id: 7, filename: "https://a.example/f/7/a.png", alt: "A" } },
    { slug: "picture" },
  ),
  page(1001, { author: uuid(1003) }),
  ...range(1002, 1510).map((id) => page(id)),
];
const german = stories.slice(0, 2).map((each) => ({
  ...each,
  lang: "de",
  full_slug: `de/${each.full_slug}`,
  name: `${each.name} auf Deutsch`,
}));
const entries = range(1, 40).map((id) => ({ id, name: `color-${id}`, value: `#${id}`, dimension_value: null }));
const content: SampleContent = {
  editions: {
    "published/default": stories,
    "published/de": german,
    "draft/default": [
      { ...stories[0]!, name: "Home, edited" },
      page(9000, {}, { slug: "unpublished", published_at: null }),
    ],
  },
  parts: {
    "links/published": stories.map((each) => linkOf(each)),
    datasources: [
      {
        id: 3,
        name: "Colors",
        slug: "colors",
        dimensions: [{ id: 31, name: "German", entry_value: "de", datasource_id: 3 }],
      },
    ],
    "entries/3": entries,
    "entries/3/31": entries.map((entry) => ({ ...entry, dimension_value: `de ${entry.value}` })),
    "tags/published": [{ name: "red", taggings_count: 2 }],
    space: [{ me: { id: 7, name: "Sample", domain: "", version: 1, language_codes: ["de"] } }],
  },
  shardBytes: 256 * 1024,
};

let replica: SampleReplica;
beforeAll(async () => {
  replica = await startSample(content, { redirect: true, tokens: { public: ["public-1"], preview: ["preview-1"] } });
});
afterAll(() => replica.close());

/** The published client, with the replica's address in place of the platform's and nothing else changed. */
function client(accessToken: string, more: ISbConfig = {}, url = replica.url): StoryblokClient {
  return new StoryblokClient({ accessToken, endpoint: `${url}/v2`, rateLimit: 1000, ...more });
}

describe("the platform's published JavaScript client reads from the replica", () => {
  test("get: a list with its page, total and cv", async () => {
    const own = client("public-1");
    const { data, total, perPage } = await own.get("cdn/stories", { starts_with: "story-1", per_page: 10, page: 2 });
    expect([data.stories.length, total, perPage, data.cv]).toEqual([10, 510, 10, 1_700_000_000]);
    expect(own.cacheVersion()).toBe(1_700_000_000);
  });

  test("getAll: every story once, over many pages", async () => {
    const all = await client("public-1").getAll("cdn/stories", { per_page: 100 });
    expect(new Set(all.map((each: StoryRecord) => each.id)).size).toBe(stories.length);
    expect(all).toHaveLength(stories.length);
  });

  test("get: a list in a filter, which the client writes as an array", async () => {
    const find = async (filter_query: object) => {
      const { data } = await client("public-1").get("cdn/stories", { filter_query, per_page: 3 });
      return data.stories.map(({ id }: StoryRecord) => id);
    };
    expect(await find({ related: { in_array: [uuid(1001), uuid(1002)] } })).toEqual([1, 2]);
    expect(await find({ related: { all_in_array: [uuid(1001), uuid(1060)] } })).toEqual([2]);
    expect(await find({ __or: [{ author: { in: [uuid(1003), uuid(9)] } }, { image: { is: "not_null" } }] })).toEqual([
      1, 5, 1001,
    ]);
  });

  test("getAll: links in the order of the space, page by page", async () => {
    const links = await client("public-1").getAll("cdn/links", { per_page: 100 });
    const ids = links.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(ids).toHaveLength(stories.length);
  });

  test("get: one story by slug, by slug of a start page, by id and by uuid", async () => {
    const own = client("public-1");
    const find = async (slug: string, more = {}) => (await own.getStory(slug, more)).data.story.id;
    expect(await find("home")).toBe(1);
    expect([await find("articles"), await find("articles/")]).toEqual([4, 4]);
    expect(await find("1002")).toBe(1002);
    expect(await find(uuid(1003), { find_by: "uuid" })).toBe(1003);
  });

  test("relations are put into the fields, two levels deep", async () => {
    const { data } = await client("public-1").getStory("home", { resolve_relations: ["page.related", "page.author"] });
    const { related, author } = data.story.content as { related: StoryRecord[]; author: StoryRecord };
    expect(related.map(({ id }) => id)).toEqual([1001, 1002]);
    expect(author.id).toBe(1003);
    expect((related[0]!.content as { author?: unknown }).author).toMatchObject({ id: 1003 });
  });

  test("relations beyond the limit of 50 are fetched by the client and put into the fields", async () => {
    const before = replica.requests();
    const { data } = await client("public-1").getStory("many-relations", { resolve_relations: "page.related" });
    const related = (data.story.content as { related: StoryRecord[] }).related;
    expect(related.map(({ id }) => id)).toEqual(range(1001, 1060));
    expect(data.rels).toHaveLength(60);
    expect(replica.requests() - before).toBeGreaterThanOrEqual(3);
  });

  test("links of fields and of rich text are put into them", async () => {
    for (const depth of ["url", "link", "story"] as const) {
      const { data } = await client("public-1").getStory("home", { resolve_links: depth });
      expect(JSON.stringify(data.story.content.to)).toContain(`"story":{`);
      expect((data.story.content as { to: { story: StoryRecord } }).to.story.full_slug).toBe("story-1004");
      expect(JSON.stringify(data.story.content.text)).toContain('"full_slug":"story-1005"');
    }
  });

  test("links beyond the limit of 500 are fetched by the client and put into the fields", async () => {
    const { data } = await client("public-1").getStory("many-links", { resolve_links: "story" });
    const { list } = data.story.content as { list: { to: { story?: StoryRecord } }[] };
    expect(list.map(({ to }) => to.story?.id)).toEqual(range(1001, 1510));
  });

  test("assets are put into the fields with resolve_assets", async () => {
    const { data } = await client("public-1", { inlineAssets: true }).getStory("picture", { resolve_assets: 1 });
    expect(data.story.content.image).toMatchObject({ id: 7, s3_filename: "https://a.example/f/7/a.png" });
  });

  test("filters and sorting arrive as the client writes them", async () => {
    const { data } = await client("public-1").get("cdn/stories", {
      filter_query: { component: { in: "page" }, "to.linktype": { is: "not_empty" } },
      sort_by: "content.component:asc",
      excluding_fields: "text",
    });
    expect(data.stories.map(({ id }: StoryRecord) => id)).toEqual([1]);
    expect(data.stories[0].content).not.toHaveProperty("text");
  });

  test("drafts with a preview token, and 401 with a public one", async () => {
    const { data } = await client("preview-1").get("cdn/stories", { version: "draft" });
    expect(data.stories.map(({ name }: StoryRecord) => name)).toEqual(["Home, edited", "Story 9000"]);
    await expect(client("public-1").get("cdn/stories", { version: "draft" })).rejects.toMatchObject({
      status: 401,
      response: { data: { error: "Unauthorized" } },
    });
  });

  test("languages", async () => {
    const { data } = await client("public-1").get("cdn/stories", { language: "de" });
    expect(data.stories.map(({ full_slug }: StoryRecord) => full_slug)).toEqual(["de/home", "de/many-relations"]);
    const space = await client("public-1").get("cdn/spaces/me");
    expect(space.data.space.language_codes).toEqual(["de"]);
  });

  test("datasources, and entries with their dimension over many pages", async () => {
    const own = client("public-1");
    expect((await own.get("cdn/datasources")).data.datasources[0].slug).toBe("colors");
    const all = await own.getAll("cdn/datasource_entries", { datasource: "colors", dimension: "de" });
    expect(all.map(({ dimension_value }) => dimension_value)).toEqual(entries.map(({ value }) => `de ${value}`));
  });

  test("links over many pages, and tags", async () => {
    const own = client("public-1");
    const links = await own.getAll("cdn/links", { per_page: 100 });
    expect(new Set(links.map(({ id }) => id)).size).toBe(stories.length);
    const one = await own.get("cdn/links", { starts_with: "home" } as never);
    expect(Object.values(one.data.links ?? {})).toMatchObject([{ slug: "home" }]);
    expect((await own.get("cdn/tags")).data.tags).toEqual([{ name: "red", taggings_count: 2 }]);
  });

  test("errors carry the status and the body of the platform", async () => {
    const own = client("public-1");
    await expect(own.getStory("no/such")).rejects.toMatchObject({ status: 404 });
    await expect(own.get("cdn/stories", { nonsense: 1 } as never)).rejects.toMatchObject({
      status: 422,
      response: { data: { error: "Parameter(s) nonsense not allowed" } },
    });
    await expect(client("wrong").get("cdn/stories")).rejects.toMatchObject({ status: 401 });
  });

  test("a cv that moved is followed, and the client's cache is emptied", async () => {
    const before = await sampleSnapshot({ editions: { "published/default": [page(1)] }, cv: 10 });
    const after = await sampleSnapshot({ editions: { "published/default": [page(1, {}, { name: "New" })] }, cv: 20 });
    let reader = before.reader;
    const running = await startReplica({ reader: () => reader });
    onTestFinished(() => running.close());
    const own = client("cv-token", { cache: { type: "memory", clear: "auto" } }, running.url);
    for (const _ of range(1, 2)) expect((await own.getStory("story-1")).data.story.name).toBe("Story 1");
    reader = await openReader(after.store, after.reader.manifest, reader);
    expect((await own.getStory("story-1")).data.story.name).toBe("Story 1");
    expect((await own.get("cdn/stories")).data.stories[0].name).toBe("New");
    expect(own.cacheVersion()).toBe(20);
    expect((await own.getStory("story-1")).data.story.name).toBe("New");
  });

  test("the client tries again after a 429, as it does there", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": [page(1)] } });
    const running = await startReplica({ reader: () => reader, redirect: false, faults: [{ kind: "429", every: 2 }] });
    onTestFinished(() => running.close());
    const own = client("any-token", { retriesDelay: 1 }, running.url);
    for (const _ of range(1, 3)) expect((await own.getStory("story-1")).data.story.id).toBe(1);
    expect(running.requests()).toBe(5);
  });
});

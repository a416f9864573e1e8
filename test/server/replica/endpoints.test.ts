import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LinkRecord } from "../../../src/contract/records.js";
import { createReplica } from "../../../src/server/replica/http/handler.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { linkOf, story, uuid } from "../../support/sample-snapshot.js";

// Rows: [2.6 id, name, domain, plan_level, languages, languages.*, owner.*] [2.7 id, name, description, endpoint]
// Rows: [2.7 secret] [4.4 :uuid, include_dates] [4.6 page, per_page, search, by_ids] [4.7 :id, :slug] [4.8 path]
// Rows: [4.8 oauth path, body.space] [4.9 path, :space_id, :webhook_endpoint_id, body.webhook_endpoint]
// Rows: [4.10 include_dates, body.links, starts_with, with_parent, by_uuid, page, per_page, paginated, version]
// Rows: [4.10 order] [4.11 datasource, dimension, page, per_page] [4.12 starts_with, filter_query] [5 personal token]
// Rows: [5 bearer token, bearer token of a plugin] [7 404] [8 linksPerPage, datasourcesPerPage]
// Rows: [8 datasourceEntriesPerPage] [9 cv] [10 Cache-Control] [12 links in pages, unknown dimension]
// Rows: [12 cv of a snapshot without one, bearer at the management addresses, redacted fields]
// Rows: [12 images of the image service]

const stories = [
  story(1, { slug: "home", full_slug: "home", tag_list: ["red"] }),
  story(2, { slug: "one", full_slug: "articles/one", tag_list: ["red", "blue"], parent_id: 9 }),
];
const folder: LinkRecord = {
  ...linkOf(story(9, { slug: "articles", full_slug: "articles", name: "Articles" })),
  is_folder: true,
  published: false,
};
const links = [linkOf(stories[0]!), linkOf(stories[1]!, { parent_id: 9 }), folder];
/** All have the same position: the newest id comes first. */
const inOrder = [...links].sort((a, b) => b.id - a.id);
const dimension = { id: 31, name: "German", entry_value: "de", datasource_id: 3 };
const datasources = [
  { id: 3, name: "Colors", slug: "colors", dimensions: [dimension] },
  { id: 1, name: "Sizes", slug: "sizes", dimensions: [] },
  { id: 2, name: "Secret", slug: "secret", dimensions: [] },
];
const entries = Array.from({ length: 30 }, (_, index) => ({
  id: index,
  name: `c${index}`,
  value: `${index}`,
  dimension_value: null,
}));
const german = entries.map((entry) => ({ ...entry, dimension_value: `de ${entry.value}` }));
const sizes = [{ id: 100, name: "s", value: "S", dimension_value: null }];
const tags = [
  { name: "red", taggings_count: 2 },
  { name: "blue", taggings_count: 1 },
];
const experiments = [
  {
    id: 5,
    name: "exp",
    display_name: "Exp",
    story_ids: [1],
    variants: [{ name: "a", public_id: "a", weight: 100, is_control: true, story_mappings: [] }],
  },
];
const space = {
  me: { id: 7, name: "Sample", domain: "https://x.example/", version: 12, language_codes: ["de"] },
  info: {
    id: 7,
    name: "Sample",
    domain: "https://x.example/",
    plan_level: 2,
    languages: [{ code: "de", name: "German" }],
  },
  webhookEndpoints: [{ id: 55, name: "Build", space_id: 7, actions: ["story.published"], activated: true }],
};
const svg = Buffer.from("<svg/>");
const hash = "ab".repeat(32);
const content = {
  editions: { "published/default": stories },
  parts: {
    "links/published": links,
    datasources,
    "entries/3": entries,
    "entries/3/31": german,
    "entries/1": sizes,
    "tags/published": tags,
    experiments,
    space: [space],
  },
  assets: [
    {
      record: {
        key: "01",
        url: "https://a.example/f/7/10x10/abc/l%C3%B6go.svg",
        hash,
        name: "logo.svg",
        type: "image/svg+xml",
        bytes: svg.length,
        uses: 1,
      },
      bytes: svg,
    },
    {
      record: {
        key: "02",
        url: "//a.example/f/7/gone.png",
        hash: null,
        name: "gone.png",
        type: "",
        bytes: 0,
        uses: 1,
        missing: "gone" as const,
      },
      bytes: svg,
    },
  ],
};

let replica: SampleReplica;
let platform: SampleReplica;
let bare: SampleReplica;
beforeAll(async () => {
  replica = await startSample(content);
  platform = await startSample(content, { dialect: "platform" });
  bare = await startSample({ editions: { "published/default": stories }, parts: {}, space: { id: null }, cv: null });
});
afterAll(async () => {
  await Promise.all([replica.close(), platform.close(), bare.close()]);
});
const withoutDates = ({ created_at, updated_at, published_at, ...rest }: LinkRecord) => rest;

describe("GET /v2/cdn/links", () => {
  test("links answers a map of the stored rows, byte for byte with dates", async () => {
    const { text, headers } = await replica.get("/v2/cdn/links?include_dates=1&paginated=1&per_page=1000");
    const members = inOrder.map((each) => `${JSON.stringify(each.uuid)}:${JSON.stringify(each)}`);
    expect(text).toBe(`{"links":{${members.join(",")}}}`);
    expect([headers.get("total"), headers.get("per-page")]).toEqual(["3", "1000"]);
  });

  test("leaves dates out unless they are asked for", async () => {
    const { body } = await replica.get("/v2/cdn/links");
    expect(body).toEqual({ links: Object.fromEntries(links.map((each) => [each.uuid, withoutDates(each)])) });
  });

  test.each<[title: string, query: string, ids: number[]]>([
    ["starts_with", "starts_with=articles", [2, 9]],
    ["with_parent: a folder", "with_parent=9", [2]],
    ["with_parent: 0 is outside of folders", "with_parent=0", [1, 9]],
    ["by_uuid", `by_uuid=${uuid(2)}`, [2]],
    ["links in pages: always in pages", "paginated=0&per_page=2&page=2", [inOrder[2]!.id]],
    ["version: drafts come from what is published in a snapshot without drafts", "version=draft", [1, 2, 9]],
  ])("%s", async (_, query, ids) => {
    const { body } = await replica.get(`/v2/cdn/links?${query}`);
    const found = Object.values((body as { links: Record<string, LinkRecord> }).links).map(({ id }) => id);
    expect(found.sort((a, b) => a - b)).toEqual(ids);
  });

  test("lists in the order of the space: position, then the newest id, on every page and with every filter", async () => {
    const place = (id: number, position: number, more: Partial<LinkRecord> = {}) =>
      linkOf(story(id, { full_slug: `menu/${id}` }), { position, ...more });
    const listed = [
      place(31, -10),
      place(33, 0, { parent_id: 9 }),
      place(32, 0),
      place(36, 0, { is_folder: true, slug: "other" }),
      place(34, 10, { parent_id: 9 }),
      place(35, 20, { parent_id: 9 }),
      place(30, 20),
    ];
    const own = await startSample({ editions: { "published/default": [] }, parts: { "links/published": listed } });
    const ids = async (query: string) => {
      const { body } = await own.get(`/v2/cdn/links?${query}`);
      return Object.values((body as { links: Record<string, LinkRecord> }).links).map(({ id }) => id);
    };
    const whole = [31, 36, 33, 32, 34, 35, 30];
    expect(await ids("")).toEqual(whole);
    expect(await ids("version=draft&include_dates=1&paginated=1")).toEqual(whole);
    const pages = [await ids("per_page=3"), await ids("per_page=3&page=2"), await ids("per_page=3&page=3")];
    expect(pages.flat()).toEqual(whole);
    expect(await ids("starts_with=menu/")).toEqual([31, 33, 32, 34, 35, 30]);
    expect(await ids("starts_with=menu/&per_page=2&page=2")).toEqual([32, 34]);
    expect(await ids("with_parent=9")).toEqual([33, 34, 35]);
    expect(await ids("with_parent=0")).toEqual([31, 36, 32, 30]);
    await own.close();
  });

  test("without an index, makes the links from the stories", async () => {
    const plain = await startSample({ editions: { "published/default": stories } });
    const manifest = { ...plain.reader.manifest, parts: { ...plain.reader.manifest.parts } };
    delete manifest.parts["links/published"];
    await plain.close();
    const running = await startReplica({ reader: () => ({ ...plain.reader, manifest }), redirect: false });
    const answer = await fetch(`${running.url}/v2/cdn/links/${uuid(2)}?token=x`);
    expect(await answer.json()).toMatchObject({
      link: { [uuid(2)]: { slug: "articles/one", real_path: "/articles/one" } },
    });
    await running.close();
  });
});

describe("GET /v2/cdn/links/:uuid", () => {
  test("include_dates answers a map with the link under its uuid", async () => {
    const plain = await replica.get(`/v2/cdn/links/${uuid(1)}`);
    expect(plain.body).toEqual({ link: { [uuid(1)]: withoutDates(links[0]!) } });
    const dated = await replica.get(`/v2/cdn/links/${uuid(1)}?include_dates=1`);
    expect(dated.body).toEqual({ link: { [uuid(1)]: links[0] } });
  });

  test("the dialect of the platform answers the link flat", async () => {
    expect((await platform.get(`/v2/cdn/links/${uuid(1)}`)).body).toEqual({ link: withoutDates(links[0]!) });
  });

  test("404: an unknown link", async () => {
    const { status, text } = await replica.get(`/v2/cdn/links/${uuid(77)}`);
    expect([status, text]).toEqual([404, '["This record could not be found"]']);
  });
});

describe("GET /v2/cdn/datasources", () => {
  test("answers the stored records in the order of the upstream, with cv, Total and Per-Page", async () => {
    const { text, headers } = await replica.get("/v2/cdn/datasources");
    expect(text).toBe(`{"datasources":${JSON.stringify(datasources)},"cv":1700000000}`);
    expect([headers.get("total"), headers.get("per-page")]).toEqual(["3", "25"]);
  });

  test.each<[title: string, query: string, ids: number[]]>([
    ["page per_page", "per_page=2&page=2", [2]],
    ["datasourcesPerPage: at most 1000", "per_page=5000", [3, 1, 2]],
    ["search: in the name or slug, whatever the case", "search=SIZ", [1]],
    ["by_ids", "by_ids=2,3", [3, 2]],
  ])("%s", async (_, query, ids) => {
    const { body } = await replica.get(`/v2/cdn/datasources?${query}`);
    expect((body as { datasources: { id: number }[] }).datasources.map(({ id }) => id)).toEqual(ids);
  });

  test("one datasource by id and by slug", async () => {
    const expected = `{"datasource":${JSON.stringify(datasources[0])},"cv":1700000000}`;
    expect((await replica.get("/v2/cdn/datasources/3")).text).toBe(expected);
    expect((await replica.get("/v2/cdn/datasources/colors")).text).toBe(expected);
    expect((await replica.get("/v2/cdn/datasources/nothing")).status).toBe(404);
  });

  test("gives 404 if the snapshot lacks them", async () => {
    expect((await bare.get("/v2/cdn/datasources")).status).toBe(404);
    expect((await bare.get("/v2/cdn/datasource_entries")).status).toBe(404);
  });
});

describe("GET /v2/cdn/datasource_entries", () => {
  const read = async (query: string) => {
    const { status, body, headers } = await replica.get(`/v2/cdn/datasource_entries?${query}`);
    const list = (body as { datasource_entries?: { id: number; dimension_value: string | null }[] }).datasource_entries;
    return { status, list, total: headers.get("total") };
  };

  test("datasource: by slug and by id, byte for byte", async () => {
    const { text } = await replica.get("/v2/cdn/datasource_entries?datasource=colors&per_page=1000");
    expect(text).toBe(`{"datasource_entries":${JSON.stringify(entries)},"cv":1700000000}`);
    expect((await replica.get("/v2/cdn/datasource_entries?datasource=3&per_page=1000")).text).toBe(text);
  });

  test("unknown dimension: the values of one dimension; plain ones if the datasource lacks it", async () => {
    expect((await read("datasource=colors&dimension=de&per_page=2")).list?.[1]?.dimension_value).toBe("de 1");
    expect((await read("datasource=sizes&dimension=de")).list).toEqual(sizes);
    expect((await read("datasource=colors&dimension=fr&per_page=1")).list?.[0]?.dimension_value).toBeNull();
  });

  test("datasourceEntriesPerPage: 25 on a page by default", async () => {
    expect((await read("datasource=colors")).list).toHaveLength(25);
    expect(await read("datasource=colors&page=2")).toMatchObject({ total: "30", list: { length: 5 } });
  });

  test("without a datasource, all entries in the order of the datasources", async () => {
    const { list, total } = await read("per_page=1000");
    expect([list?.[0]?.id, list?.at(-1)?.id, total]).toEqual([0, 100, "31"]);
  });

  test("gives 404 for an unknown datasource and for one without entries in the snapshot", async () => {
    expect((await read("datasource=nothing")).status).toBe(404);
    expect((await read("datasource=secret")).status).toBe(404);
  });
});

describe("GET /v2/cdn/tags", () => {
  test("answers the stored records byte for byte", async () => {
    expect((await replica.get("/v2/cdn/tags")).text).toBe(`{"tags":${JSON.stringify(tags)}}`);
  });

  test("starts_with counts the stories below a path", async () => {
    expect((await replica.get("/v2/cdn/tags?starts_with=articles/")).body).toEqual({
      tags: [
        { name: "blue", taggings_count: 1 },
        { name: "red", taggings_count: 1 },
      ],
    });
  });

  test("filter_query selects by name", async () => {
    expect((await replica.get("/v2/cdn/tags?filter_query[name][like]=R*")).body).toEqual({ tags: [tags[0]] });
    expect((await replica.get("/v2/cdn/tags?filter_query[name][not_in]=red")).body).toEqual({ tags: [tags[1]] });
    expect((await replica.get("/v2/cdn/tags?filter_query[other][in]=red")).body).toEqual({ tags: [] });
  });

  test("counts tags from the stories if the snapshot lacks them", async () => {
    expect((await bare.get("/v2/cdn/tags")).body).toEqual({
      tags: [
        { name: "blue", taggings_count: 1 },
        { name: "red", taggings_count: 2 },
      ],
    });
  });
});

describe("GET /v2/cdn/experiments", () => {
  test("answers the stored records byte for byte", async () => {
    expect((await replica.get("/v2/cdn/experiments")).text).toBe(
      `{"experiments":${JSON.stringify(experiments)},"cv":1700000000}`,
    );
  });

  test("gives 404 if the snapshot lacks them", async () => {
    expect((await bare.get("/v2/cdn/experiments")).status).toBe(404);
  });
});

describe("GET /v2/cdn/spaces/me", () => {
  test("returns the snapshot's cv as version, in the order of the stored record", async () => {
    expect((await replica.get("/v2/cdn/spaces/me")).text).toBe(
      '{"space":{"id":7,"name":"Sample","domain":"https://x.example/","version":1700000000,"language_codes":["de"]}}',
    );
  });

  test("is built from the manifest if the record was not read", async () => {
    const made = await startSample({ editions: { "published/default": stories } });
    expect((await made.get("/v2/cdn/spaces/me")).text).toBe(
      '{"space":{"id":7,"name":"Sample","domain":"","version":1700000000,"language_codes":["de"]}}',
    );
    await made.close();
    expect((await bare.get("/v2/cdn/spaces/me")).status).toBe(404);
  });
});

describe("cv of a snapshot without one: a snapshot without a cv", () => {
  test("uses the time of its commit", async () => {
    expect((await bare.get("/v2/cdn/stories")).body).toMatchObject({ cv: 1 });
  });
});

describe("the management reads", () => {
  const personal = { headers: { Authorization: "personal-token" } };
  const bearer = { headers: { Authorization: "Bearer oauth-token" } };

  test("bearer token: need their own headers, independent of the token parameter", async () => {
    for (const path of ["/v1/space_info", "/oauth/space_info", "/v1/spaces/7/webhook_endpoints/55"]) {
      expect((await replica.get(path)).status).toBe(401);
    }
    expect((await replica.get("/oauth/space_info", personal)).status).toBe(401);
    expect((await replica.get("/oauth/space_info", bearer)).status).toBe(200);
  });

  const any = { public: [], preview: [] };
  test.each([
    ["accept an OAuth token", { ...any, personal: ["p"], oauth: ["o"] }, "Bearer o", 200],
    ["accept any OAuth token if no token is configured", any, "bearer o", 200],
    ["refuse another OAuth token", { ...any, personal: ["p"], oauth: ["o"] }, "Bearer x", 401],
    ["refuse an OAuth token without its scheme", { ...any, personal: ["p"], oauth: ["o"] }, "o", 401],
    ["refuse a personal token with a scheme", { ...any, personal: ["p"], oauth: ["o"] }, "Bearer p", 401],
    ["refuse every OAuth token if only a personal one is configured", { ...any, personal: ["p"] }, "Bearer o", 401],
  ])("bearer at the management addresses: %s", async (_, tokens, authorization, status) => {
    const own = createReplica({ reader: () => replica.reader, tokens });
    for (const path of ["/v1/space_info", "/v1/spaces/7/webhook_endpoints/55"]) {
      const request = new Request(`http://x${path}`, { headers: { authorization } });
      expect((await own.fetch(request)).status).toBe(status);
    }
  });

  test("return the space as stored", async () => {
    const { text, body } = await replica.get("/v1/space_info", personal);
    expect(text.startsWith(`{"space":${JSON.stringify(space.info).slice(0, -1)},"owner":{`)).toBe(true);
    expect(body).toMatchObject({ space: space.info });
    expect((await replica.get("/oauth/space_info", bearer)).text).toBe(text);
    expect((await bare.get("/v1/space_info", personal)).status).toBe(404);
  });

  test("redacted fields: return every field of the owner, redacted", async () => {
    const { body } = await replica.get("/v1/space_info", personal);
    const { owner } = (body as { space: { owner: Record<string, unknown> } }).space;
    const { preferences, ...fields } = owner;
    expect(Object.keys(fields)).toHaveLength(33);
    expect(Object.keys(preferences as object)).toHaveLength(9);
    const harmless = [0, false, null, "redacted", "redacted@redacted.invalid", "1970-01-01T00:00:00.000Z"];
    for (const value of [...Object.values(fields), ...Object.values(preferences as object)].flat()) {
      expect(harmless).toContain(value);
    }
  });

  test("return the webhook endpoint of the space with redacted secrets", async () => {
    const { body } = await replica.get("/v1/spaces/7/webhook_endpoints/55", personal);
    const redacted = { description: "redacted", endpoint: "https://redacted.invalid/", secret: "redacted" };
    expect(body).toEqual({ webhook_endpoint: { ...space.webhookEndpoints[0], ...redacted } });
    for (const path of [
      "/v1/spaces/8/webhook_endpoints/55",
      "/v1/spaces/7/webhook_endpoints/56",
      "/v1/spaces/x/webhook_endpoints/55",
    ]) {
      expect((await replica.get(path, personal)).status).toBe(404);
    }
  });
});

describe("Cache-Control", () => {
  test.each([
    ["/v2/cdn/stories?cv=1700000000", "max-age=0, public, s-maxage=604800, stale-if-error=3600"],
    ["/v2/cdn/stories?cv=1600000000", "max-age=0, private, must-revalidate"],
    ["/v2/cdn/stories?version=draft&cv=1700000000", "max-age=0, private, must-revalidate"],
    ["/v2/cdn/spaces/me", "max-age=0, public, s-maxage=2"],
  ])("%s", async (path, expected) => {
    expect((await replica.get(path)).headers.get("cache-control")).toBe(expected);
  });
});

describe("GET /f/…", () => {
  const path = "/f/7/10x10/abc/l%C3%B6go.svg";

  test.each([path, `${path}/m`, `${path}/m/`, `${path}/m/200x0/filters:quality(80):format(webp)`])(
    "images of the image service answers %s with the original, which a browser must not run",
    async (asked) => {
      const answer = await replica.get(asked);
      expect([answer.status, answer.text]).toEqual([200, "<svg/>"]);
      expect(answer.headers.get("content-type")).toBe("image/svg+xml");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toBe("sandbox");
    },
  );

  test("answers 304 to a client that has the bytes", async () => {
    const { headers } = await replica.get(path);
    const again = await replica.get(path, { headers: { "If-None-Match": headers.get("etag")! } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test.each(["/f/7/gone.png", "/f/7/nothing.png", "/f/", "/f/7/10x10/abc/", "/f/7%2F10x10%2Fabc%2Fl%C3%B6go.svg"])(
    "answers %s with 404",
    async (asked) => {
      expect((await replica.get(asked)).status).toBe(404);
    },
  );
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.js";
import { endpoints } from "../../src/contract/endpoints.js";
import { encodeRequest, matchRequest } from "../../src/contract/request.js";
import { dates, filterQueries, idLists, relationLists, sortKeyLists, textLists, texts } from "./arbitraries.js";

// Rows: [4.1 version, cv, starts_with, from_release, search_term, per_page, page, resolve_links, resolve_links_level]
// Rows: [4.1 resolve_relations, resolve_level, resolve_assets, fallback_lang, language, content_type, by_slugs]
// Rows: [4.1 excluding_slugs, by_uuids, by_uuids_ordered, by_ids, excluding_ids, with_tag, sort_by]
// Rows: [4.1 in_workflow_stages, level, is_startpage, first_published_at_gt, first_published_at_lt]
// Rows: [4.1 first_published_at_gte, first_published_at_lte, published_at_gt, published_at_lt, published_at_gte]
// Rows: [4.1 published_at_lte, updated_at_gt, updated_at_lt, updated_at_gte, updated_at_lte, excluding_fields]
// Rows: [4.1 excluding_story_fields, only_variants, path, token] [4.3 find_by, version, cv, from_release]
// Rows: [4.3 resolve_links, resolve_links_level, resolve_relations, resolve_level, resolve_assets, fallback_lang]
// Rows: [4.3 language, content_type, excluding_fields, excluding_story_fields, path, :full_slug, :id, :uuid, token]
// Rows: [4.4 include_dates, cv, version, path, :uuid, token] [4.5 cv, version, path, token] [4.6 page, per_page]
// Rows: [4.6 version, cv, search, by_ids, path, token] [4.7 version, cv, path, :slug, :id, token] [4.8 path]
// Rows: [4.8 oauth path] [4.9 path, :space_id, :webhook_endpoint_id] [4.10 version, cv, page, per_page]
// Rows: [4.10 include_dates, starts_with, with_parent, by_uuid, paginated, path, token] [4.11 version, cv, page]
// Rows: [4.11 per_page, datasource, dimension, path, token] [4.12 version, cv, starts_with, filter_query, all_tags]
// Rows: [4.12 path, token] [4.13 version, cv, path, token] [5 token] [7 422, 400] [9 paths] [10 trailing slash]

const uuidA = "9aa72a2f-04ae-48df-b71f-25f53044dc97";
const noon = Date.UTC(2025, 6, 16, 12);
const noonText = "2025-07-16%2012%3A00";

/** A parameter of each kind: as typed, and as it stands in the address. */
const written: [name: string, endpoint: Endpoint, query: Record<string, unknown>, search: string][] = [
  ["version", endpoints.stories, { version: "draft" }, "version=draft"],
  ["cv", endpoints.stories, { cv: 1752652800 }, "cv=1752652800"],
  ["starts_with", endpoints.stories, { starts_with: "[default]/de/" }, "starts_with=%5Bdefault%5D%2Fde%2F"],
  ["per_page", endpoints.stories, { per_page: 100 }, "per_page=100"],
  ["page", endpoints.stories, { page: 2 }, "page=2"],
  ["resolve_links", endpoints.stories, { resolve_links: "url" }, "resolve_links=url"],
  ["resolve_links_level", endpoints.stories, { resolve_links_level: 2 }, "resolve_links_level=2"],
  [
    "resolve_relations",
    endpoints.stories,
    { resolve_relations: [{ component: "post", field: "author" }] },
    "resolve_relations=post.author",
  ],
  ["resolve_level", endpoints.stories, { resolve_level: 2 }, "resolve_level=2"],
  ["resolve_assets", endpoints.stories, { resolve_assets: true }, "resolve_assets=1"],
  ["by_slugs", endpoints.stories, { by_slugs: ["authors/*", "home"] }, "by_slugs=authors%2F*%2Chome"],
  [
    "by_taxonomy_term_ids",
    endpoints.stories,
    { by_taxonomy_term_ids: [["1", "2"], ["3"]] },
    "by_taxonomy_term_ids%5B%5D=1%2C2&by_taxonomy_term_ids%5B%5D=3",
  ],
  ["by_ids", endpoints.stories, { by_ids: [286701504322473] }, "by_ids=286701504322473"],
  [
    "sort_by",
    endpoints.stories,
    { sort_by: [{ property: ["content", "price"], direction: "asc", cast: "float", nulls: "first" }] },
    "sort_by=content.price%3Aasc%3Afloat%3Anulls_first",
  ],
  ["level", endpoints.stories, { level: 1 }, "level=1"],
  ["first_published_at_gt", endpoints.stories, { first_published_at_gt: noon }, `first_published_at_gt=${noonText}`],
  ["only_variants", endpoints.stories, { only_variants: true }, "only_variants=true"],
  ["find_by", endpoints.story, { find_by: "uuid" }, "find_by=uuid"],
  ["with_parent", endpoints.links, { with_parent: 0 }, "with_parent=0"],
  [
    "filter_query",
    endpoints.tags,
    { filter_query: { all: [{ path: ["name"], operation: "in", values: ["a", "b"], text: "a,b" }], any: [] } },
    "filter_query%5Bname%5D%5Bin%5D=a%2Cb",
  ],
];

/** The parameters that stand in no row, with the value of a row whose parameter is of the very same kind. */
const alike = Object.values<Endpoint>(endpoints).flatMap((endpoint) =>
  Object.entries(endpoint.params).flatMap(([name, { codec }]): (typeof written)[number][] => {
    if (endpoint === endpoints.stories && name === "filter_query") return [];
    if (written.some(([row, of]) => row === name && of === endpoint)) return [];
    for (const [, other, query, search] of written) {
      const [like = "", value] = Object.entries(query)[0] ?? [];
      if (other.params[like]?.codec !== codec) continue;
      return [[name, endpoint, { [name]: value }, search.replaceAll(like, name)]];
    }
    throw new Error(`${endpoint.section} ${name} needs a row: no parameter of its kind has one`);
  }),
);

describe("each parameter is written and read back", () => {
  test.each([...written, ...alike])("%s", (_, endpoint, query, search) => {
    const path = Object.fromEntries(Object.keys(endpoint.pathParams).map((name) => [name, "1"]));
    const request = encodeRequest(endpoint, { path, query });
    expect(request.search).toBe(`?${search}`);
    expect(matchRequest(request.pathname, request.search)).toMatchObject({ name: endpoint.name, query, problems: [] });
  });

  test("no parameter of the contract is left out", () => {
    const named = [...written, ...alike].map(([name, { section }]) => `${section} ${name}`);
    const all = Object.values(endpoints).flatMap(({ section, params }) =>
      Object.keys(params).map((name) => `${section} ${name}`),
    );
    expect(named.sort()).toEqual(all.filter((name) => name !== "4.1 filter_query").sort());
  });
});

describe("each path is written and read back", () => {
  const paths: [title: string, endpoint: Endpoint, path: Record<string, string>, pathname: string][] = [
    ["path", endpoints.stories, {}, "/v2/cdn/stories"],
    ["path, :full_slug", endpoints.story, { identifier: "blog/größe" }, "/v2/cdn/stories/blog/gr%C3%B6%C3%9Fe"],
    [":id", endpoints.story, { identifier: "286701504322473" }, "/v2/cdn/stories/286701504322473"],
    [":uuid", endpoints.story, { identifier: uuidA }, `/v2/cdn/stories/${uuidA}`],
    ["path, :uuid", endpoints.link, { uuid: uuidA }, `/v2/cdn/links/${uuidA}`],
    ["path", endpoints.experiments, {}, "/v2/cdn/experiments"],
    ["path", endpoints.datasources, {}, "/v2/cdn/datasources"],
    ["path, :slug", endpoints.datasource, { identifier: "colours" }, "/v2/cdn/datasources/colours"],
    [":id", endpoints.datasource, { identifier: "17" }, "/v2/cdn/datasources/17"],
    ["path", endpoints.spaceInfo, {}, "/v1/space_info"],
    ["oauth path", endpoints.oauthSpaceInfo, {}, "/oauth/space_info"],
    [
      "path, :space_id, :webhook_endpoint_id",
      endpoints.webhookEndpoint,
      { space_id: "606", webhook_endpoint_id: "7" },
      "/v1/spaces/606/webhook_endpoints/7",
    ],
    ["path", endpoints.links, {}, "/v2/cdn/links"],
    ["path", endpoints.datasourceEntries, {}, "/v2/cdn/datasource_entries"],
    ["path", endpoints.tags, {}, "/v2/cdn/tags"],
    ["path", endpoints.spaceMe, {}, "/v2/cdn/spaces/me"],
  ];

  test.each(paths)("%s", (_, endpoint, path, pathname) => {
    expect(encodeRequest(endpoint, { path })).toEqual({ pathname, search: "" });
    expect(matchRequest(pathname, "")).toMatchObject({ name: endpoint.name, path, problems: [] });
  });

  test("paths: the prefixes separate delivery from management", () => {
    for (const endpoint of Object.values(endpoints)) {
      const prefix = { delivery: "/v2/cdn/", management: "/v1/", oauth: "/oauth/" }[endpoint.group];
      expect(endpoint.path.startsWith(prefix)).toBe(true);
    }
  });
});

test("a whole request of the stories list is read back", () => {
  const optional = { requiredKeys: [] };
  const queries = fc.record(
    {
      version: fc.constantFrom("draft" as const, "published" as const),
      cv: fc.maxSafeNat(),
      per_page: fc.integer({ min: 1, max: 100 }),
      page: fc.integer({ min: 1 }),
      language: texts,
      search_term: texts,
      by_uuids: fc.array(fc.uuid(), { minLength: 1, maxLength: 100 }),
      by_slugs: textLists,
      by_ids: idLists,
      published_at_gte: dates,
      sort_by: sortKeyLists,
      resolve_relations: relationLists,
      filter_query: filterQueries,
      is_startpage: fc.boolean(),
      only_variants: fc.boolean(),
    },
    optional,
  );
  fc.assert(
    fc.property(queries, (query) => {
      const { pathname, search } = encodeRequest(endpoints.stories, { query });
      expect(new URL(pathname + search, "http://localhost").search).toBe(search.replaceAll("'", "%27"));
      expect(matchRequest(pathname, search)).toMatchObject({ name: "stories", problems: [] });
      expect(matchRequest(pathname, search)?.query).toEqual(query);
    }),
  );
});

test("a full slug of any text is read back, save for dot segments", () => {
  const segment = texts.map((text) => text.replaceAll("/", "")).filter((text) => !/^(\.{0,2})$/.test(text));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const identifier = segments.join("/");
      const { pathname, search } = encodeRequest(endpoints.story, { path: { identifier } });
      expect(new URL(pathname, "http://localhost").pathname.replaceAll("'", "%27")).toBe(
        pathname.replaceAll("'", "%27"),
      );
      expect(matchRequest(pathname, search)?.path).toEqual({ identifier });
    }),
  );
});

describe("the canonical address", () => {
  test("names cv first, then every parameter in code-unit order", () => {
    const query = { version: "published" as const, per_page: 1, by_uuids: ["b"], cv: 17, language: undefined };
    expect(encodeRequest(endpoints.stories, { query }).search).toBe("?cv=17&by_uuids=b&per_page=1&version=published");
  });
  test("a full slug keeps its slashes, without those at its ends", () => {
    expect(encodeRequest(endpoints.story, { path: { identifier: "blog/a//b/" } }).pathname).toBe(
      "/v2/cdn/stories/blog/a/b",
    );
  });
  test.each(["..", "a/../b", ".", "", "/"])("the identifier %j cannot be written", (identifier) => {
    expect(() => encodeRequest(endpoints.story, { path: { identifier } })).toThrow(RangeError);
  });
  test("a parameter that the endpoint lacks, token above all, cannot be written", () => {
    const query = { token: "secret" } as Record<string, unknown>;
    expect(() => encodeRequest(endpoints.stories, { query })).toThrow(RangeError);
    expect(() => encodeRequest(endpoints.tags, { query: { constructor: "x" } as Record<string, unknown> })).toThrow(
      RangeError,
    );
  });
});

describe("reading an address", () => {
  test.each(["/v2/cdn/stories/", "//v2//cdn/stories//"])("trailing slash: %s is the list", (pathname) => {
    expect(matchRequest(pathname, "")).toMatchObject({ name: "stories" });
  });
  test("trailing slash: a full slug loses the slash at its end", () => {
    expect(matchRequest("/v2/cdn/stories/blog/", "")?.path).toEqual({ identifier: "blog" });
  });
  test.each([
    "/",
    "/v2/cdn",
    "/v2/cdn/assets",
    "/v2/cdn/links/a/b",
    "/v1/spaces/1/webhook_endpoints",
    "/v2/CDN/stories",
  ])("%s is not part of the interface", (pathname) => expect(matchRequest(pathname, "")).toBeUndefined());
  test.each([
    ["?token=abc", "abc"],
    ["token=abc&token=def", "def"],
    ["?token=", undefined],
    ["?token", undefined],
    ["", undefined],
  ])("the token of %j is separated from the query", (search, token) => {
    expect(matchRequest("/v2/cdn/stories", search)).toMatchObject({ token, query: {}, problems: [] });
  });
  test("token: every seed address takes one", () => {
    expect(tokenAddresses("seed")).toEqual(["4.1", "4.3", "4.4", "4.5", "4.6", "4.7"]);
  });
  test("token: every further delivery address takes one", () => {
    expect(tokenAddresses("documented")).toEqual(["4.10", "4.11", "4.12", "4.13", "4.14", "4.15", "4.16"]);
  });
  test.each(["search_term=a+b", "search_term=a%20b", "?&&search_term=x&search_term=a%20b&"])(
    "%s reads as a b",
    (search) => {
      expect(matchRequest("/v2/cdn/stories", search)).toMatchObject({ query: { search_term: "a b" }, problems: [] });
    },
  );
  test.each([
    ["cv=undefined", {}],
    ["resolve_links=1", { resolve_links: "story" }],
    ["resolve_links=0", {}],
    ["is_startpage=true", { is_startpage: true }],
    ["is_startpage=false", { is_startpage: false }],
    ["starts_with=", {}],
    ["by_uuids=", {}],
    ["per_page=500", { per_page: 500 }],
  ])("%s is tolerated", (search, query) => {
    const match = matchRequest("/v2/cdn/stories", search);
    expect(match?.query).toEqual(query);
    expect(match?.problems).toEqual([]);
  });
  test("422: a parameter that the endpoint lacks is reported by name", () => {
    expect(matchRequest("/v2/cdn/stories/home", "is_startpage=1&__proto__=x&page[]=2")?.problems).toEqual([
      { name: "is_startpage", kind: "unknown", message: expect.stringContaining('"is_startpage"'), status: 422 },
      { name: "__proto__", kind: "unknown", message: expect.stringContaining('"__proto__"'), status: 422 },
      { name: "page", kind: "unknown", message: expect.stringContaining('"page[]"'), status: 422 },
    ]);
  });
  test("every invalid value is reported, and left out of the query", () => {
    const match = matchRequest("/v2/cdn/stories", "page=0&sort_by=up&language=de&search_term=%ff&version=live");
    expect(match?.query).toEqual({ language: "de" });
    expect(match?.problems.map(({ name, kind }) => [name, kind])).toEqual(
      expect.arrayContaining([
        ["page", "invalid"],
        ["sort_by", "invalid"],
        ["search_term", "invalid"],
        ["version", "invalid"],
      ]),
    );
  });
  test("400: a null byte is refused", () => {
    expect(matchRequest("/v2/cdn/stories", "starts_with=a%00b")?.problems).toMatchObject([
      { name: "starts_with", kind: "invalid", status: 400 },
    ]);
  });
  test("an id that is not a number, or a path that is not UTF-8, is a problem", () => {
    expect(matchRequest("/v1/spaces/x/webhook_endpoints/1", "")?.problems).toMatchObject([{ name: "space_id" }]);
    expect(matchRequest("/v2/cdn/stories/%E0%A4%A", "")?.problems).toMatchObject([{ name: "identifier" }]);
  });
});

/** Sections of addresses that treat a token as neither a parameter nor a problem. */
function tokenAddresses(origin: string): string[] {
  const addresses = Object.values<Endpoint>(endpoints).filter(
    (each) => each.auth === "token" && each.origin === origin,
  );
  return addresses
    .filter((endpoint) => {
      const match = matchRequest(endpoint.path.replaceAll(":", ""), "token=secret");
      return match?.name === endpoint.name && match.token === "secret" && match.problems.length === 0;
    })
    .map(({ section }) => section);
}

import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiDocument } from "../../../src/contract/openapi.js";
import { interfaceProblems } from "../../support/interface-validator.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { linkOf, story, uuid } from "../../support/sample-snapshot.js";

const dimension = { id: 31, name: "German", entry_value: "de", datasource_id: 3 };
const alternate = {
  id: 2,
  name: "B",
  slug: "b",
  published: true,
  full_slug: "b",
  is_folder: false,
  parent_id: 0,
};
const related = story(2);
const linking = story(1, {
  alternates: [alternate],
  translated_slugs: [{ path: "a", name: null, lang: "de", published: null }],
  content: {
    _uid: "u",
    component: "page",
    author: uuid(2),
    image: { fieldtype: "asset", id: 7, filename: "https://a.example/f/1/a.png" },
    link: { fieldtype: "multilink", linktype: "story", id: uuid(2) },
  },
});
const content = {
  editions: { "published/default": [linking, related] },
  parts: {
    "links/published": [linkOf(linking), linkOf(related)],
    datasources: [{ id: 3, name: "Colors", slug: "colors", dimensions: [dimension] }],
    "entries/3": [{ id: 1, name: "c", value: "v", dimension_value: null }],
    "tags/published": [{ name: "red", taggings_count: 2 }],
    experiments: [
      {
        id: 5,
        name: "exp",
        display_name: "Exp",
        story_ids: [1],
        variants: [
          {
            name: "a",
            display_name: "A",
            public_id: "a",
            weight: 100,
            is_control: true,
            story_mappings: [
              { original_story_id: 1, original_slug: "story-1", variant_story_id: null, variant_slug: null },
            ],
          },
        ],
      },
    ],
    space: [
      {
        me: { id: 7, name: "Sample", domain: "https://x.example/", version: 12, language_codes: ["de"] },
        info: { id: 7, name: "Sample", domain: "", plan_level: 2, languages: [{ code: "de", name: "German" }] },
        webhookEndpoints: [{ id: 55, name: "Build", space_id: 7, actions: [], activated: true }],
      },
    ],
  },
};
const resolving = "resolve_relations=page.author&resolve_links=link&resolve_assets=1";

let replica: SampleReplica;
let platform: SampleReplica;
beforeAll(async () => {
  replica = await startSample(content);
  platform = await startSample(content, { dialect: "platform" });
});
afterAll(async () => {
  await replica.close();
  await platform.close();
});

/** Every address of the interface, as `get` takes it. */
const addresses: [path: string, authorization?: string][] = [
  [`/v2/cdn/stories?${resolving}`],
  [`/v2/cdn/stories/story-1?${resolving}`],
  ["/v2/cdn/stories/story-1?resolve_links=url"],
  ["/v2/cdn/stories/story-1?resolve_links=story"],
  ["/v2/cdn/links"],
  [`/v2/cdn/links/${uuid(1)}`],
  ["/v2/cdn/experiments"],
  ["/v2/cdn/datasources"],
  ["/v2/cdn/datasources/colors"],
  ["/v2/cdn/datasource_entries?datasource=colors"],
  ["/v2/cdn/tags"],
  ["/v2/cdn/spaces/me"],
  ["/v1/space_info", "personal"],
  ["/oauth/space_info", "Bearer oauth"],
  ["/v1/spaces/7/webhook_endpoints/55", "personal"],
];

describe("every answer matches the OpenAPI document", () => {
  test.each(addresses)("%s fails with any one of its keys dropped", async (path, authorization) => {
    for (const from of [replica, platform]) {
      const init = authorization === undefined ? {} : { headers: { Authorization: authorization } };
      const { status, headers, text, body } = await from.get(path, init);
      expect(status).toBe(200);
      expect(interfaceProblems({ url: path, status, headers, body })).toEqual([]);
      for (const dropped of withOneKeyLess(text)) {
        const problems = interfaceProblems({ url: path, status, headers, body: dropped.body });
        expect(problems, `without ${dropped.name}`).not.toEqual([]);
      }
    }
  });

  test("fails without the headers of a list", async () => {
    const { status, headers, body } = await replica.get("/v2/cdn/links");
    for (const name of ["total", "per-page", "etag"]) {
      const fewer = new Headers(headers);
      fewer.delete(name);
      expect(interfaceProblems({ url: "/v2/cdn/links", status, headers: fewer, body })).toHaveLength(1);
    }
  });

  test("fails for a key that the interface does not have, and for another body of an error", () => {
    const headers = new Headers({ ETag: 'W/"1"', Total: "0", "Per-Page": "25" });
    const body = { stories: [], cv: 1, rels: [], links: [] };
    expect(interfaceProblems({ url: "/v2/cdn/stories", status: 200, headers, body })).toEqual([]);
    const more = { ...body, extra: 1 };
    expect(interfaceProblems({ url: "/v2/cdn/stories", status: 200, headers, body: more })).not.toEqual([]);
    expect(interfaceProblems({ url: "/v2/cdn/stories", status: 404, headers, body: { error: "x" } })).not.toEqual([]);
    expect(interfaceProblems({ url: "/v2/cdn/stories", status: 418, headers, body })).not.toEqual([]);
  });

  test("an excluded key may be missing, another key may not", async () => {
    const url = "/v2/cdn/stories?excluding_story_fields=path,lang&excluding_fields=_uid";
    const { status, headers, body } = await replica.get(url);
    expect(interfaceProblems({ url, status, headers, body })).toEqual([]);
    const without = JSON.parse(JSON.stringify(body).replaceAll('"group_id"', '"x"'));
    expect(interfaceProblems({ url, status, headers, body: without })).not.toEqual([]);
  });
});

describe("the OpenAPI document", () => {
  test("is served at /openapi.json for the requested address, without a token", async () => {
    const response = await fetch(`${replica.url}/openapi.json`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument("0", replica.url))));
  });

  test("has every address and parameter, and only schemas that can be compiled", () => {
    const { openapi, paths, components } = openApiDocument("1.2.3", "http://x");
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths)).toHaveLength(16);
    const parameters = paths["/v2/cdn/stories"]!.get.parameters as { name: string }[];
    expect(parameters.map(({ name }) => name)).toContain("by_uuids_ordered");
    const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
    for (const [name, schema] of Object.entries(components.schemas))
      ajv.addSchema(schema, `#/components/schemas/${name}`);
    const references = new Set(JSON.stringify([paths, components]).match(/#\/components\/schemas\/\w+/g));
    for (const reference of references) expect(ajv.getSchema(reference), reference).toBeTypeOf("function");
  });
});

/** Fields that an answer may lack: they are beyond the seed, or come only when they are asked for. */
const mayBeMissing = new Set(
  "updated_at release_id taxonomy_terms datasource_id tag_on_stories display_name author image link fieldtype linktype filename".split(
    " ",
  ),
);
/** Of a webhook endpoint nothing but its id is sure. */
const webhookFields = new Set(["name", "space_id", "actions", "activated"]);
/** What a resolved link or an asset has beyond what is required of it. */
const skippedLists = new Set(["links", "meta_data"]);

/** The body once for each required key of its envelope and of its records, without that key. */
function withOneKeyLess(text: string): { name: string; body: unknown }[] {
  const found: { name: string; body: unknown }[] = [];
  for (const path of keyPaths(JSON.parse(text), [])) {
    const body = JSON.parse(text);
    const holder = path.slice(0, -1).reduce((value: Record<string, never>, key) => value[key]!, body);
    Reflect.deleteProperty(holder, path.at(-1)!);
    found.push({ name: path.join("."), body });
  }
  return found;
}

function keyPaths(value: unknown, path: string[]): string[][] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => keyPaths(item, [...path, String(index)]));
  return Object.entries(value).flatMap(([key, inner]) => {
    const isMapKey = /^[0-9a-f]{8}-/.test(key);
    const optional = mayBeMissing.has(key) || (path[0] === "webhook_endpoint" && webhookFields.has(key));
    // The envelope's own links are dropped too; what a link of one of three depths holds is checked by its own schema.
    const inside =
      skippedLists.has(key) && path.length === 0 && Array.isArray(inner) ? [] : keyPaths(inner, [...path, key]);
    const below = key === "link" && path.length > 0 ? [] : inside;
    const dropped = isMapKey || optional || (key === "assets" && path.length === 0) ? [] : [[...path, key]];
    const isLoose = path.includes("content") && !["_uid", "component"].includes(key);
    return isLoose || path.includes("meta_data") ? [] : [...dropped, ...below];
  });
}

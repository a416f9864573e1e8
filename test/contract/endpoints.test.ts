import { expect, test } from "vitest";
import { behaviours } from "../../scripts/interface-behaviours.js";
import type { Endpoint } from "../../src/contract/endpoint.js";
import { endpoints } from "../../src/contract/endpoints.js";

// Rows: [5 token, personal token, bearer token] [9 cv]

const all: [name: string, endpoint: Endpoint][] = Object.entries(endpoints);

test("every endpoint is listed under its own name and has a unique path", () => {
  for (const [name, endpoint] of all) expect(endpoint.name).toBe(name);
  expect(new Set(all.map(([, { path }]) => path)).size).toBe(all.length);
});

test("the endpoints of the seed and those beyond it have the sections 4.1 to 4.16", () => {
  const sections = (origin: string) => all.filter(([, e]) => e.origin === origin).map(([, { section }]) => section);
  expect(sections("seed")).toEqual(["4.1", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8", "4.8", "4.9"]);
  expect(sections("documented")).toEqual(["4.10", "4.11", "4.12", "4.13", "4.14", "4.15", "4.16"]);
});

test("each group of addresses has its own test", () => {
  for (const [, { group, auth }] of all) {
    expect(auth).toBe({ delivery: "token", management: "personal", oauth: "bearer" }[group]);
  }
});

test("every parameter but the token has a description", () => {
  for (const [, endpoint] of all) {
    expect(Object.keys(endpoint.params)).not.toContain("token");
    for (const parameter of Object.values(endpoint.params)) {
      expect(parameter.about).not.toBe("");
    }
  }
});

test("the parts of a path are the path parameters", () => {
  for (const [, { path, pathParams }] of all) {
    const names = path.split("/").filter((part) => part.startsWith(":"));
    expect(names.map((name) => name.slice(1))).toEqual(Object.keys(pathParams));
  }
});

test("the parameters of the seed are marked as such", () => {
  const beyond = Object.entries(endpoints.stories.params).filter(([, { origin }]) => origin === "documented");
  expect(beyond.map(([name]) => name).sort()).toEqual(
    (
      "by_ids by_taxonomy_term_ids by_taxonomy_term_names excluding_story_fields first_published_at_gte first_published_at_lte only_variants published_at_gte " +
      "published_at_lte updated_at_gte updated_at_lte with_taxonomy_subterms with_taxonomy_terms"
    ).split(" "),
  );
});

test("every behaviour has a unique name in its section", () => {
  const names = behaviours.map(({ section, name }) => `${section} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

test("the parameters that only shape the answer are these; every other one selects records", () => {
  const story =
    "cv excluding_fields excluding_story_fields fallback_lang resolve_assets resolve_level resolve_links " +
    "resolve_links_level resolve_relations with_taxonomy_terms";
  const expected: Record<string, string> = {
    stories: `${story} page per_page`,
    story,
    link: "cv include_dates",
    experiments: "cv",
    datasources: "cv page per_page",
    datasource: "cv",
    spaceInfo: "",
    oauthSpaceInfo: "",
    webhookEndpoint: "",
    links: "cv include_dates page paginated per_page",
    datasourceEntries: "cv dimension page per_page",
    tags: "cv",
    spaceMe: "cv",
    taxonomies: "cv",
    taxonomy: "cv",
    taxonomyTerm: "cv",
  };
  const shaping = all.map(([name, { params }]) => [
    name,
    Object.keys(params)
      .filter((parameter) => params[parameter]?.effect === "shapes")
      .sort()
      .join(" "),
  ]);
  const inOrder = (text: string) => text.split(" ").sort().join(" ");
  expect(Object.fromEntries(shaping)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, names]) => [name, inOrder(names)])),
  );
});

import { expect, test } from "vitest";
import { behaviours } from "../../src/contract/behaviours.js";
import type { Endpoint } from "../../src/contract/endpoint.js";
import { endpoints } from "../../src/contract/endpoints.js";

const all: [name: string, endpoint: Endpoint][] = Object.entries(endpoints);

test("every endpoint stands under its own name, its path is its own", () => {
  for (const [name, endpoint] of all) expect(endpoint.name).toBe(name);
  expect(new Set(all.map(([, { path }]) => path)).size).toBe(all.length);
});

test("the endpoints of the seed and those beyond it have the sections 4.1 to 4.13", () => {
  const sections = (origin: string) => all.filter(([, e]) => e.origin === origin).map(([, { section }]) => section);
  expect(sections("seed")).toEqual(["4.1", "4.3", "4.4", "4.5", "4.6", "4.7", "4.8", "4.8", "4.9"]);
  expect(sections("documented")).toEqual(["4.10", "4.11", "4.12", "4.13"]);
});

test("[5 token, personal token, bearer token] each group of addresses has its own proof", () => {
  for (const [, { group, auth }] of all) {
    expect(auth).toBe({ delivery: "token", management: "personal", oauth: "bearer" }[group]);
  }
});

test("no parameter is the token, and every parameter has a section and something to say", () => {
  for (const [, endpoint] of all) {
    expect(Object.keys(endpoint.params)).not.toContain("token");
    for (const parameter of Object.values(endpoint.params)) {
      expect(parameter.section).toBe(parameter.codec.kind === "brackets" ? "4.2" : endpoint.section);
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

test("[9 cv] an answer carries a cv exactly where its envelope has one", () => {
  for (const [, { carriesCv, envelope }] of all) expect("cv" in envelope).toBe(carriesCv);
});

test("the parameters of the seed are marked as such", () => {
  const beyond = Object.entries(endpoints.stories.params).filter(([, { origin }]) => origin === "documented");
  expect(beyond.map(([name]) => name).sort()).toEqual(
    (
      "by_ids excluding_story_fields first_published_at_gte first_published_at_lte only_variants published_at_gte " +
      "published_at_lte updated_at_gte updated_at_lte"
    ).split(" "),
  );
});

test("every behaviour has a name of its own in its section", () => {
  const names = behaviours.map(({ section, name }) => `${section} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});

test("every parameter either selects records or shapes their answer", () => {
  const delivery = { selects: "version", shapes: "cv" };
  const story =
    "cv resolve_links resolve_links_level resolve_relations resolve_level resolve_assets fallback_lang " +
    "excluding_fields excluding_story_fields";
  const storyDates = ["first_published_at", "published_at", "updated_at"]
    .flatMap((field) => ["gt", "lt", "gte", "lte"].map((than) => `${field}_${than}`))
    .join(" ");
  const expected: Record<string, { selects: string; shapes: string }> = {
    stories: {
      selects:
        "version from_release language content_type starts_with search_term by_slugs excluding_slugs by_uuids " +
        "by_uuids_ordered by_ids excluding_ids with_tag sort_by in_workflow_stages filter_query level is_startpage " +
        `only_variants ${storyDates}`,
      shapes: `${story} page per_page`,
    },
    story: { selects: "find_by version from_release language content_type", shapes: story },
    link: { selects: "version", shapes: "cv include_dates" },
    experiments: delivery,
    datasources: { selects: "version search by_ids", shapes: "cv page per_page" },
    datasource: delivery,
    spaceInfo: { selects: "", shapes: "" },
    oauthSpaceInfo: { selects: "", shapes: "" },
    webhookEndpoint: { selects: "", shapes: "" },
    links: { selects: "version starts_with with_parent by_uuid", shapes: "cv page per_page include_dates paginated" },
    datasourceEntries: { selects: "version datasource", shapes: "cv page per_page dimension" },
    tags: { selects: "version starts_with filter_query all_tags", shapes: "cv" },
    spaceMe: delivery,
  };
  for (const [name, { params }] of all) {
    const withEffect = (effect: string) => Object.keys(params).filter((each) => params[each]?.effect === effect);
    const names = (text: string | undefined) => (text ?? "").split(" ").filter((each) => each !== "");
    expect([name, withEffect("selects").sort()]).toEqual([name, names(expected[name]?.selects).sort()]);
    expect([name, withEffect("shapes").sort()]).toEqual([name, names(expected[name]?.shapes).sort()]);
  }
});

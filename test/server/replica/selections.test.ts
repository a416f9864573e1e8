import { describe, expect, test } from "vitest";
import type { Effect, Endpoint } from "../../../src/contract/endpoint.js";
import { endpoints, type LinksQuery, type StoriesQuery } from "../../../src/contract/endpoints.js";
import { createGate } from "../../../src/lib/concurrency/gate.js";
import { createGenerationView, type GenerationView } from "../../../src/server/replica/generation-view.js";
import { createColumnStore } from "../../../src/server/replica/query/columns.js";
import { createSliceRunner, type SliceRunner } from "../../../src/server/replica/query/slices.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

/** A value of every parameter that shapes the answer, and of some that select. */
const storyValues: StoriesQuery = {
  version: "draft",
  cv: 5,
  page: 2,
  per_page: 3,
  from_release: "2001",
  resolve_links: "url",
  resolve_links_level: 2,
  resolve_relations: [{ component: "page", field: "author" }],
  resolve_level: 2,
  resolve_assets: true,
  fallback_lang: "de",
  language: "de",
  content_type: "page",
  excluding_fields: ["text"],
  excluding_story_fields: ["name"],
  starts_with: "story",
  search_term: "1",
  by_slugs: ["story-1"],
  excluding_slugs: ["story-1"],
  by_uuids: [uuid(1)],
  by_uuids_ordered: [uuid(2), uuid(1)],
  by_ids: [1],
  excluding_ids: [1],
  with_tag: ["red"],
  by_taxonomy_term_ids: [["1"]],
  by_taxonomy_term_names: [["wood"]],
  with_taxonomy_subterms: true,
  with_taxonomy_terms: true,
  sort_by: [{ property: ["name"], cast: "string", direction: "desc", nulls: "last" }],
  in_workflow_stages: [1],
  filter_query: { all: [{ path: ["text"], operation: "in", values: ["a"], text: "a" }], any: [] },
  level: 1,
  is_startpage: true,
  only_variants: false,
  first_published_at_gt: 1,
  first_published_at_lt: 1,
  first_published_at_gte: 1,
  first_published_at_lte: 1,
  published_at_gt: 1,
  published_at_lt: 1,
  published_at_gte: 1,
  published_at_lte: 1,
  updated_at_gt: 1,
  updated_at_lt: 1,
  updated_at_gte: 1,
  updated_at_lte: 1,
};
const linkValues: LinksQuery = {
  version: "draft",
  cv: 5,
  page: 2,
  per_page: 3,
  include_dates: true,
  starts_with: "story",
  with_parent: 0,
  by_uuid: uuid(1),
  paginated: true,
};

/** A view of twelve stories, and how many selections were made in it. */
async function sampleView() {
  const content = { _uid: "u", component: "page", text: "a" };
  const stories = Array.from({ length: 12 }, (_, index) => story(index + 1, { content }));
  const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
  const runner = createSliceRunner();
  let made = 0;
  const slices: SliceRunner = {
    lazy: runner.lazy,
    run(work) {
      made += 1;
      return runner.run(work);
    },
  };
  const view = createGenerationView(reader, { columns: createColumnStore(), gate: createGate(4), slices });
  return { view, made: () => made };
}

const selectStories = (view: GenerationView, query: StoriesQuery) =>
  view.selectStories({ edition: "published/default", kind: "stories", query, language: "default" });
const selectLinks = (view: GenerationView, query: LinksQuery) => view.selectLinks("published", query);

const named = (endpoint: Endpoint, effect: Effect, values: object) =>
  Object.keys(endpoint.params).filter(
    (name) => endpoint.params[name]?.effect === effect && (effect === "shapes" || Object.hasOwn(values, name)),
  );

describe("a list is selected once for all requests that differ only in the shape of the answer", () => {
  test.each(named(endpoints.stories, "shapes", storyValues))("stories: %s", async (name) => {
    const { view, made } = await sampleView();
    expect(storyValues).toHaveProperty(name);
    const query: StoriesQuery = { starts_with: "story", sort_by: storyValues.sort_by };
    const plain = await selectStories(view, query);
    const shaped = { ...query, [name]: storyValues[name as keyof StoriesQuery] };
    expect(await selectStories(view, shaped)).toBe(plain);
    expect(made()).toBe(1);
    // Rightly so: selected by itself, it has the same rows.
    expect(await selectStories((await sampleView()).view, shaped)).toEqual(plain);
  });

  test.each(named(endpoints.stories, "selects", storyValues))("and again with another %s", async (name) => {
    const { view, made } = await sampleView();
    await selectStories(view, {});
    await selectStories(view, { [name]: storyValues[name as keyof StoriesQuery] });
    expect(made()).toBe(2);
  });

  test.each(named(endpoints.links, "shapes", linkValues))("links: %s", async (name) => {
    const { view, made } = await sampleView();
    expect(linkValues).toHaveProperty(name);
    const plain = await selectLinks(view, { starts_with: "story" });
    const shaped = { starts_with: "story", [name]: linkValues[name as keyof LinksQuery] };
    expect(await selectLinks(view, shaped)).toBe(plain);
    expect(made()).toBe(1);
  });

  test.each(named(endpoints.links, "selects", linkValues))("links, and again with another %s", async (name) => {
    const { view, made } = await sampleView();
    await selectLinks(view, {});
    await selectLinks(view, { [name]: linkValues[name as keyof LinksQuery] });
    expect(made()).toBe(2);
  });

  test("concurrent requests share the work, even if it is refused", async () => {
    const { view, made } = await sampleView();
    const query: StoriesQuery = { search_term: "1" };
    await Promise.all([1, 2, 3].map((page) => selectStories(view, { ...query, page })));
    expect(made()).toBe(1);
    expect(await selectStories(view, { search_term: "a".repeat(501) })).toEqual({
      refused: expect.stringMatching(/the limit is 500/),
    });
  });
});

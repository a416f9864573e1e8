import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { demoSpace } from "../../../demo/demo-space.js";
import { assetMetadataStep, imageSizeStep, sizeInAddress } from "../../../src/content/resolve/asset-fields.js";
import { assetUrlStep } from "../../../src/content/resolve/asset-urls.js";
import { type RelationOptions, relationStep } from "../../../src/content/resolve/relations.js";
import { type ContentSteps, resolveContent } from "../../../src/content/resolve/resolve-content.js";
import { storyLinkStep } from "../../../src/content/resolve/story-links.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { costLimits } from "../../../src/lib/cost-limits.js";
import { story as sample, uuid } from "../../support/sample-snapshot.js";

type Stories = ReadonlyMap<string, StoryRecord>;

/** What is done with a story, and what each step told. */
function stepsFor(stories: Stories, told: string[]) {
  const all = {
    metadata: assetMetadataStep((id) =>
      id % 2 === 0 ? { id, alt: "An asset", meta_data: { more: asset } } : undefined,
    ),
    links: storyLinkStep({
      target: (id) => (stories.has(id) ? { url: `/to/${id}`, full_slug: `to/${id}` } : undefined),
      dead: (id, path) => void told.push(`link ${path} ${id}`),
    }),
    sizes: imageSizeStep(sizeInAddress),
    assetUrls: assetUrlStep((url) => `/local/${url.length}`),
  } satisfies ContentSteps;
  const relations = (self: string, depth: number, shown: Pick<RelationOptions, "embed" | "refer">) =>
    relationStep(self, {
      fields: "all",
      depth,
      maxEmbedded: 20,
      reference: (id) => {
        const found = stories.get(id);
        if (found === undefined) return undefined;
        const { full_slug, name, content } = found;
        return {
          uuid: id,
          full_slug,
          name,
          component: content?.component ?? "",
          url: `https://site.example/${full_slug}`,
        };
      },
      story: (id) => stories.get(id),
      dangling: (id, path) => void told.push(`relation ${path} ${id}`),
      ...shown,
    });
  return { all, relations };
}

/** All steps in one walk. */
function inOneWalk(content: unknown, self: string, depth: number, stories: Stories): [unknown, string[]] {
  const told: string[] = [];
  const { all, relations } = stepsFor(stories, told);
  const { sizes, assetUrls, metadata } = all;
  const quiet = stepsFor(stories, []).all.links;
  const step = relations(self, depth, {
    embed: (story, inner) => ({
      ...(resolveContent({ ...story, content: undefined }, { sizes, assetUrls }) as object),
      content: resolveContent(story.content, { metadata, links: quiet, relations: inner, sizes, assetUrls }),
    }),
    refer: (reference) => resolveContent(reference, { assetUrls }),
  });
  return [resolveContent(content, { ...all, relations: step }), told.sort()];
}

/**
 * One step after the other, each in its own walk. The one difference: here, a story that is embedded in what a step put
 * there itself (in a block in the metadata of an asset) gets no sizes.
 */
function stepByStep(content: unknown, self: string, depth: number, stories: Stories): [unknown, string[]] {
  const told: string[] = [];
  const { all, relations } = stepsFor(stories, told);
  const { metadata, sizes, assetUrls } = all;
  const quiet = stepsFor(stories, []).all.links;
  const withLinks = (value: unknown, links: typeof quiet) =>
    resolveContent(resolveContent(value, { metadata }), { links });
  const step = relations(self, depth, {
    embed: (story, inner) => ({
      ...story,
      content: resolveContent(withLinks(story.content, quiet), { relations: inner }),
    }),
    refer: (reference) => reference,
  });
  const related = resolveContent(withLinks(content, all.links), { relations: step });
  return [resolveContent(resolveContent(related, { sizes }), { assetUrls }), told.sort()];
}

const asset = "https://a.storyblok.com/f/1/8x6/ab/lamp.png";
const known = [1, 2, 3, 4].map(uuid);
const ids = fc.constantFrom(...known, uuid(99));
const address = fc.constantFrom(asset, "//a.storyblok.com/f/1/x/ab/a.pdf", `${asset}/m/80x0`, "/page?a=b#c", "");
const texts = fc.oneof(ids, address, fc.constantFrom("plain", `See ${asset}, please`, "number 1"));

const mark = fc.record({ linktype: fc.constantFrom("story", "asset"), uuid: ids, href: address });

const { content } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5, depthIdentifier: "content" }, texts, fc.constantFrom(null, true, 7), tie("container")),
  container: fc.oneof(
    tie("content"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "url", "src", "story", "__proto__", "7"), tie("value"), { maxKeys: 3 }),
    fc.record(
      {
        fieldtype: fc.constant("asset"),
        id: fc.nat(5),
        filename: address,
        alt: fc.constantFrom("", "mine"),
        meta_data: fc.dictionary(fc.constantFrom("a", "url"), fc.oneof(texts, mark), { maxKeys: 2 }),
      },
      { requiredKeys: ["fieldtype"] },
    ),
    tie("link"),
    fc.record({ type: fc.constant("image"), attrs: fc.record({ src: address, alt: texts }) }),
    fc.record({
      type: fc.constant("link"),
      attrs: mark,
    }),
  ),
  link: fc.record(
    {
      linktype: fc.constant("story"),
      fieldtype: fc.constant("multilink"),
      id: ids,
      url: address,
      cached_url: address,
      story: tie("value"),
    },
    { requiredKeys: ["linktype", "fieldtype", "id"] },
  ),
  content: fc.record(
    {
      _uid: ids,
      component: fc.constantFrom("page", "quote"),
      one: texts,
      many: fc.array(tie("value"), { maxLength: 4 }),
      body: tie("value"),
    },
    { requiredKeys: ["_uid", "component"] },
  ),
}));

describe("resolving content in one walk", () => {
  test("gives the result of one step after the other, and never changes the original", () => {
    const contents = fc.tuple(content, content, content, content);
    fc.assert(
      fc.property(contents, fc.nat(2), (made, depth) => {
        const name = `Named like ${asset}`;
        const stories = new Map(made.map((one, at) => [uuid(at + 1), sample(at + 1, { name, content: one as never })]));
        const before = JSON.stringify([...stories]);
        const [value, told] = inOneWalk(made[0], uuid(1), depth, stories);
        const [expected, expectedTold] = stepByStep(made[0], uuid(1), depth, stories);
        expect([JSON.stringify(value), told]).toEqual([JSON.stringify(expected), expectedTold]);
        expect(JSON.stringify([...stories])).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  test("is the same in every story of the demo space", () => {
    const lines = demoSpace().parts["stories/published/default"] ?? [];
    const stories = new Map(
      lines.map((line) => JSON.parse(line) as StoryRecord).map((story) => [story.uuid, story] as const),
    );
    expect(stories.size).toBeGreaterThan(100);
    for (const { uuid: self, content } of stories.values()) {
      expect(JSON.stringify(inOneWalk(content, self, 1, stories))).toBe(
        JSON.stringify(stepByStep(content, self, 1, stories)),
      );
    }
  });
});

test("parts in which nothing is replaced are shared", () => {
  const value = { same: { a: ["b"] }, file: { fieldtype: "asset", filename: asset } };
  const result = resolveContent(value, { sizes: imageSizeStep(sizeInAddress) }) as typeof value;
  expect(result.same).toBe(value.same);
  expect(result.file).toEqual({ ...value.file, src: asset, width: 8, height: 6 });
});

test("a relation step gets the block's field and the path, a text step the key", () => {
  const id = uuid(1);
  const content = {
    component: "page",
    list: [[id], "x"],
    plugin: { value: id },
    body: [{ component: "teaser", text: id, src: "y" }],
  };
  const seen: unknown[] = [];
  resolveContent(content, {
    relations: (text, component, field, place) => {
      seen.push([component, field, place.path()]);
      return text;
    },
    assetUrls: (text, key) => {
      if (text.length === 1) seen.push([text, key]);
      return text;
    },
  });
  expect(seen).toEqual([
    ["page", "list", "list[0][0]"],
    ["x", 1],
    ["teaser", "text", "body[0].text"],
    ["y", "src"],
  ]);
});

test("content nested very deeply is resolved to its end, and the path of a value in it is the end of its path", () => {
  let value: unknown = { component: "page", gone: uuid(9), file: asset, list: [uuid(9)] };
  for (let level = 0; level < 5_000; level++) value = level % 2 === 0 ? [value, {}] : { component: "box", in: value };
  const paths: string[] = [];
  const steps: ContentSteps = {
    relations: (id, component, field, place) => {
      paths.push(place.path());
      return id === uuid(9) ? `${component}.${field}` : id;
    },
    assetUrls: (text) => text.toUpperCase(),
  };
  let result = resolveContent(value, steps);
  while (Array.isArray(result) || "in" in (result as object)) {
    result = Array.isArray(result) ? result[0] : (result as { in: unknown }).in;
  }
  expect(result).toEqual({ component: "PAGE", gone: "page.gone", file: asset.toUpperCase(), list: ["page.list"] });
  for (const [at, end] of ["[0].gone", "[0].list[0]"].entries()) {
    expect(paths[at]).toMatch(/^…/);
    expect(paths[at]?.endsWith(end)).toBe(true);
    expect(paths[at]?.length).toBeLessThan(costLimits.pathCharacters + 20);
  }
});

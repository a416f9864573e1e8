import { createStoryResolver } from "../../src/content/render/resolve-story.js";
import { targets } from "../../src/content/render/targets.js";
import { assetMetadataStep } from "../../src/content/resolve/asset-fields.js";
import { assetUrlStep, assetUrls } from "../../src/content/resolve/asset-urls.js";
import { pathOfAddress, siteUrl } from "../../src/content/resolve/link-pattern.js";
import { resolveContent } from "../../src/content/resolve/resolve-content.js";
import { storyPaths } from "../../src/content/tree/content-paths.js";
import type { StoryRecord } from "../../src/contract/records.js";
import type { GrowthCase, Work } from "./growth-case.js";
import { hostileTexts } from "./hostile-text.js";
import { configWith, recordOf, uuidOf } from "./sample-space.js";

/** Resolves stories of a space, one after the other. */
function resolved(stories: readonly StoryRecord[], depth: number, wanted = stories.length): Work {
  const byUuid = new Map(stories.map((story) => [story.uuid, story]));
  const bytes = new Map(stories.map((story) => [story.uuid, Buffer.from(JSON.stringify(story))]));
  const config = configWith({ depth });
  const resolver = createStoryResolver(
    {
      read: {
        story: (_, uuid) => byUuid.get(uuid),
        storyBytes: (_, uuid) => bytes.get(uuid),
        reference: (_, uuid) => {
          const story = byUuid.get(uuid);
          return story && { ...story, component: story.content?.component ?? "", is_startpage: false };
        },
        asset: () => undefined,
        assetMetadata: (id) => ({ id, meta_data: { note: "x".repeat(1_000) } }),
      },
      config,
      target: targets.plain,
      report: () => undefined,
    },
    { name: "published/default", language: "default" },
  );
  return () => {
    let length = 0;
    for (const { uuid } of stories.slice(0, wanted))
      length += JSON.stringify(resolver.story(uuid, () => undefined)).length;
    return length;
  };
}

const withQuery = assetUrlStep((address) => `${address}?x`);

/** Relations, links, URLs and paths: what a record takes from other records. */
export const resolvingCases: readonly GrowthCase[] = [
  {
    name: "resolve: ten large stories embedded by n others",
    size: 50,
    prepare: (n) => {
      const large = Array.from({ length: 10 }, (_, index) => recordOf(index, { text: "x".repeat(200_000) }));
      const others = Array.from({ length: n }, (_, index) =>
        recordOf(index + 10, { related: large.map(({ uuid }) => uuid) }),
      );
      return resolved([...others, ...large], 1, n);
    },
  },
  {
    name: "resolve: dangling relations at the bottom of nested lists",
    size: 2_000,
    prepare: (n) => {
      let list: unknown = Array.from({ length: n }, (_, index) => uuidOf(index + 1));
      for (let level = 0; level < Math.min(n, 2_000); level++) list = [list];
      return resolved([recordOf(0, { list })], 0);
    },
  },
  {
    name: "resolve: many different URLs of assets",
    size: 10_000,
    prepare: (n) => {
      const content = Array.from({ length: n }, (_, index) => ({
        fieldtype: "asset",
        filename: `https://a.storyblok.com/f/1/${index}.png`,
      }));
      return () => [assetUrls(content), resolveContent(content, { assetUrls: withQuery })];
    },
  },
  {
    name: "resolve: URLs in hostile texts",
    size: 500_000,
    prepare: (n) => {
      const texts = hostileTexts(n).flatMap((text) => [
        text,
        `//a.b/f/1/${text}`,
        `https://img2.storyblok.com/${text}/f/1/a`,
        `${text} /f/1/`,
      ]);
      return () => [assetUrls(texts), resolveContent({ texts, filename: texts.join("") }, { assetUrls: withQuery })];
    },
  },
  {
    name: "resolve: metadata of many assets",
    size: 10_000,
    prepare: (n) => {
      const content = Array.from({ length: n }, (_, id) => ({ fieldtype: "asset", id, filename: "//a.b/f/1/c.png" }));
      return () => resolveContent(content, { metadata: assetMetadataStep((id) => ({ id, alt: "a" })) });
    },
  },
  {
    name: "resolve: addresses of hostile slugs",
    size: 500_000,
    prepare: (n) => {
      const texts = hostileTexts(n);
      const links = { pattern: "/{language?}/{slug}", home: "home" };
      return () =>
        texts.map((text) => [siteUrl({ full_slug: text }, "de", links), pathOfAddress(`/${text}`, "de", links)]);
    },
  },
  {
    name: "resolve: paths of hostile slugs",
    size: 500_000,
    prepare: (n) => {
      const requests = hostileTexts(n).map((slug, index) => ({ uuid: uuidOf(index), slug, isStartpage: false }));
      return () => storyPaths(requests, ".md");
    },
  },
  {
    name: "resolve: paths of n stories with one slug",
    size: 5_000,
    prepare: (n) => {
      const requests = Array.from({ length: n }, (_, index) => ({
        uuid: uuidOf(index),
        slug: "a/b",
        isStartpage: index % 2 === 0,
      }));
      return () => storyPaths(requests, ".md");
    },
  },
];

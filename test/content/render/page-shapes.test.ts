import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoSpace } from "../../../demo/demo-space.js";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { createStoryResolver } from "../../../src/content/render/resolve-story.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { targets } from "../../../src/content/render/targets.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { sampleConfig } from "../../support/sample-config.js";

const { parts } = demoSpace();
const context: RenderContext = { storyUrl: (slug) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

function records(edition: string): Map<string, StoryRecord> {
  const lines = parts[`stories/${edition}`] ?? [];
  return new Map(lines.map((line) => JSON.parse(line) as StoryRecord).map((story) => [story.uuid, story]));
}

/** The pages below `pages/` as the export writes them, without what is told of every story. */
function pages(edition: string): [name: string, markdown: string][] {
  const stories = records(edition);
  const reader = {
    story: (_: string, uuid: string) => stories.get(uuid),
    reference: (_: string, uuid: string) => {
      const story = stories.get(uuid);
      if (story === undefined) return undefined;
      const { id, name, slug, full_slug, is_startpage = false } = story;
      return { uuid, id, name, slug, full_slug, is_startpage, component: story.content?.component ?? "" };
    },
    storyBytes: () => undefined,
    asset: () => undefined,
    assetMetadata: () => undefined,
  };
  const resolver = createStoryResolver(
    { read: reader, config: sampleConfig, target: targets.plain, report: () => undefined },
    { name: edition, language: "default" },
  );
  return [...stories.values()]
    .filter(({ full_slug }) => full_slug.startsWith("pages/") && full_slug !== "pages/")
    .map(({ uuid, slug }) => {
      const { name, full_slug, content } = resolver.story(uuid, () => undefined)!;
      const story = { name, full_slug, content } as StoryRecord;
      const url = resolver.url({ full_slug });
      return [slug, storyMarkdown(story, { url, setting: undefined, context: () => context })];
    });
}

describe("pages made of blocks", () => {
  const published = pages("published/default");

  test("come in twenty shapes and more", () => {
    expect(published.length).toBeGreaterThanOrEqual(20);
  });

  test.each(published)("%s reads as an editor would have written it", async (name, markdown) => {
    await expect(markdown).toMatchFileSnapshot(join(import.meta.dirname, "page-shapes", `${name}.md`));
  });

  test("are the same in every run", () => {
    expect(pages("published/default")).toEqual(published);
  });

  test("of a draft are the same: what is for the editor's page alone reaches no file", () => {
    expect(Object.fromEntries(pages("draft/default"))).toEqual(Object.fromEntries(published));
  });
});

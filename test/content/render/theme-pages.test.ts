import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { themePages } from "./theme-pages.js";

const context: RenderContext = { storyUrl: (slug) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

describe("pages of a bought theme", () => {
  test.each(Object.entries(themePages))("%s reads as an editor would have written it", async (slug, content) => {
    const story = { name: slug, full_slug: slug, content } as unknown as StoryRecord;
    const markdown = storyMarkdown(story, { url: `/${slug}`, setting: undefined, context: () => context });
    await expect(markdown).toMatchFileSnapshot(join(import.meta.dirname, "theme-pages", `${slug}.md`));
  });
});

import type { ContentTypeSetting, Version } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import { isObject } from "../resolve/content-shape.js";
import { fieldOutline, withoutEditorKeys } from "./block-outline.js";
import { technicalFields } from "./field-value.js";
import { frontMatter } from "./front-matter.js";
import type { RenderContext } from "./render-context.js";
import { bodyFields, storyBody } from "./story-body.js";
import type { StoryFacts } from "./story-facts.js";
import { type Target, targets } from "./targets.js";

export interface StoryMarkdownOptions {
  /** The site's URL of the story. */
  url: string;
  version?: Version;
  setting: ContentTypeSetting | undefined;
  /** What reads the file; default: nothing beyond CommonMark. */
  target?: Target;
  /** The context for one field of the content. */
  context: (field: string) => RenderContext;
}

/** The Markdown file of a resolved story: YAML front matter, then the body. */
export function storyMarkdown(story: StoryRecord, options: StoryMarkdownOptions): string {
  const { target = targets.plain } = options;
  const content = isObject(story.content) ? story.content : undefined;
  const fields = content === undefined ? [] : bodyFields(content, options.setting);
  const head = frontMatter(target.frontMatter(storyFacts(story, options, fields)));
  const body = content === undefined ? "" : storyBody(content, fields, options.context);
  if (body === "" || target.wrap === undefined) return head + body;
  return `${head}${target.wrap.before}\n\n${body}\n${target.wrap.after}\n`;
}

/** The title is the content's own, or the story's name. */
function storyFacts(story: StoryRecord, options: StoryMarkdownOptions, body: readonly string[]): StoryFacts {
  const content = isObject(story.content) ? story.content : undefined;
  const ownTitle = content?.title;
  const hasTitle = typeof ownTitle === "string" && ownTitle !== "" && !body.includes("title");
  const left = new Set([...(options.setting?.exclude ?? []), ...(hasTitle ? ["title"] : [])]);
  const fields = Object.keys(content ?? {}).flatMap((field): [string, unknown][] => {
    if (technicalFields.has(field) || left.has(field)) return [];
    const value = content?.[field];
    if (!body.includes(field)) return [[field, withoutEditorKeys(value)]];
    const outline = fieldOutline(value, options.context(field));
    return outline === undefined ? [] : [[field, outline]];
  });
  return {
    story,
    title: hasTitle ? ownTitle : story.name,
    url: options.url,
    version: options.version ?? "published",
    fields,
  };
}

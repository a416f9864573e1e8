import type { ContentTypeSetting } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import { isObject } from "../resolve/content-shape.js";
import { frontMatter } from "./front-matter.js";
import type { RenderContext } from "./render-context.js";
import { bodyFields, storyBody } from "./story-body.js";

export interface StoryMarkdownOptions {
  /** The site's URL of the story. */
  url: string;
  setting: ContentTypeSetting | undefined;
  /** The context for one field of the content. */
  context: (field: string) => RenderContext;
}

/** What is told of a story beside its content, by its upstream names, in this order; null is left out. */
const storyKeys = [
  "name",
  "slug",
  "full_slug",
  "uuid",
  "id",
  "lang",
  "published_at",
  "first_published_at",
  "created_at",
  "updated_at",
  "sort_by_date",
  "position",
  "is_startpage",
  "tag_list",
  "group_id",
  "translated_slugs",
  "alternates",
] as const;

const technical = new Set(["_uid", "_editable", "component"]);

/** The Markdown file of a resolved story: YAML front matter, then the body. */
export function storyMarkdown(story: StoryRecord, options: StoryMarkdownOptions): string {
  const content = isObject(story.content) ? story.content : undefined;
  const body = content === undefined ? [] : bodyFields(content, options.setting);
  const head = frontMatter(storyFrontMatter(story, options, body));
  return content === undefined ? head : head + storyBody(content, body, options.context);
}

/**
 * The front matter of a story: `title` (the content's own, or the story's name), `url`, `component`, the story's keys,
 * then every field of the content that is not in the body. A field that is named like one of the story's keys is
 * written as `content_<name>`.
 */
function storyFrontMatter(
  story: StoryRecord,
  options: Pick<StoryMarkdownOptions, "url" | "setting">,
  body: readonly string[],
): [key: string, value: unknown][] {
  const content = isObject(story.content) ? story.content : undefined;
  const ownTitle = content?.title;
  const hasTitle = typeof ownTitle === "string" && ownTitle !== "" && !body.includes("title");
  const entries = new Map<string, unknown>([
    ["title", hasTitle ? ownTitle : story.name],
    ["url", options.url],
    ["component", content?.component],
  ]);
  for (const key of storyKeys) if (story[key] !== undefined && story[key] !== null) entries.set(key, story[key]);
  const left = new Set([...body, ...(options.setting?.exclude ?? []), ...(hasTitle ? ["title"] : [])]);
  for (const field of Object.keys(content ?? {})) {
    if (technical.has(field) || left.has(field)) continue;
    entries.set(freeKey(field, entries, content ?? {}), content?.[field]);
  }
  return [...entries];
}

function freeKey(field: string, entries: ReadonlyMap<string, unknown>, content: object): string {
  if (!entries.has(field)) return field;
  let key = `content_${field}`;
  while (entries.has(key) || Object.hasOwn(content, key)) key = `content_${key}`;
  return key;
}

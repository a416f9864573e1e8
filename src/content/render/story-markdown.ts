import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok, StoryRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { blockKeys } from "../resolve/content-shape.js";
import type { Publication } from "../resolve/publication.js";
import { fieldOutline, withoutEditorKeys } from "./block-outline.js";
import { frontMatter } from "./front-matter.js";
import { frontMatterEntries } from "./front-matter-rules.js";
import { followedLinks } from "./markdown-links.js";
import type { RenderContext } from "./render-context.js";
import { bodyFields, storyBody } from "./story-body.js";
import type { StoryFacts } from "./story-facts.js";
import type { TargetProfile } from "./target-profile.js";
import { targets } from "./targets.js";
import { bodyBelowTitle } from "./title-heading.js";

export interface StoryMarkdownOptions {
  /** The site's URL of the story. */
  url: string;
  /** Default: `published`. */
  publication?: Publication;
  /** Whether the file is the page of a folder in which other stories are published; default: no. */
  hasPublishedBelow?: boolean;
  setting: ContentTypeSetting | undefined;
  /** What reads the file; default: nothing beyond CommonMark. */
  target?: TargetProfile;
  /** The context for one field of the content. */
  context: (field: string) => RenderContext;
}

/** The Markdown file of a resolved story: YAML front matter, then the body. */
export function storyMarkdown(story: StoryRecord, options: StoryMarkdownOptions): string {
  const { target = targets.plain } = options;
  const content = isObject(story.content) ? story.content : undefined;
  const fields = content === undefined ? [] : bodyFields(content, options.setting);
  const facts = storyFacts(story, options, fields);
  const head = frontMatter(frontMatterEntries(target.frontMatter, facts));
  const own = content === undefined ? "" : writtenBody(content, fields, options);
  const body = target.titleInBody ? bodyBelowTitle(own, facts.title, options.context("title")) : own;
  const { wrap } = target;
  if (body === "" || wrap === undefined || wrap.where?.test(body) === false) return head + body;
  const { before, after, endedBy } = wrap;
  const inner = endedBy === undefined ? body : body.replace(endedBy, (end) => `&#${end.charCodeAt(0)};${end.slice(1)}`);
  return `${head}${before}\n\n${inner}\n${after}\n`;
}

/** The body, with its links checked. */
function writtenBody(content: Blok, fields: readonly string[], { context }: StoryMarkdownOptions): string {
  const written = Object.fromEntries(fields.map((field) => [field, content[field]]));
  return followedLinks(storyBody(content, fields, context), written, context(fields[0] ?? ""));
}

/** The title is the content's own, or the story's name. */
function storyFacts(story: StoryRecord, options: StoryMarkdownOptions, body: readonly string[]): StoryFacts {
  const content = isObject(story.content) ? story.content : undefined;
  const ownTitle = content?.title;
  const hasTitle = typeof ownTitle === "string" && ownTitle !== "" && !body.includes("title");
  const left = new Set([...(options.setting?.exclude ?? []), ...(hasTitle ? ["title"] : [])]);
  const fields = Object.keys(content ?? {}).flatMap((field): [string, unknown][] => {
    if (blockKeys.has(field) || left.has(field)) return [];
    const value = content?.[field];
    if (!body.includes(field)) return [[field, withoutEditorKeys(value)]];
    const outline = fieldOutline(value, options.context(field));
    return outline === undefined ? [] : [[field, outline]];
  });
  return {
    story,
    title: hasTitle ? ownTitle : story.name,
    url: options.url,
    publication: options.publication ?? "published",
    hasPublishedBelow: options.hasPublishedBelow ?? false,
    fields,
  };
}

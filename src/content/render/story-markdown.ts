import type { Heading } from "mdast";
import type { ContentTypeSetting } from "../../config/config.js";
import type { Blok, StoryRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { blockKeys } from "../resolve/content-shape.js";
import { fieldOutline, withoutEditorKeys } from "./block-outline.js";
import { frontMatter, frontMatterEntries } from "./front-matter.js";
import { hasInk } from "./inline-edges.js";
import { inlineToMdast } from "./inline-to-mdast.js";
import { followedLinks } from "./markdown-links.js";
import { markdownText } from "./markdown-text.js";
import { markdownBlocks } from "./markdown-tree.js";
import { remembered } from "./remembered.js";
import type { RenderContext } from "./render-context.js";
import { readNode } from "./rich-text-node.js";
import { bodyFields, storyBody, titleField } from "./story-body.js";
import { storyDate } from "./story-date.js";
import type { Publication, StoryFacts } from "./story-facts.js";
import type { TargetProfile } from "./target-profile.js";
import { targets } from "./targets.js";

export interface StoryMarkdownOptions {
  /** The site's URL of the story. */
  url: string;
  /** Default: `published`. */
  publication?: Publication;
  /** True if the file is the page of a folder in which other stories are published; default: no. */
  hasPublishedBelow?: boolean;
  setting: ContentTypeSetting | undefined;
  /** What reads the file; default: nothing beyond CommonMark. */
  target?: TargetProfile;
  /** Takes what the body leaves out, by field of the content; default: the front matter has it. */
  takeOutline?(fields: readonly FieldValue[]): void;
  /** The context for one field of the content. */
  context: (field: string) => RenderContext;
}

type FieldValue = StoryFacts["fields"][number];

export function storyMarkdown(story: StoryRecord, given: StoryMarkdownOptions): string {
  const options = { ...given, context: remembered(given.context) };
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

function writtenBody(content: Blok, fields: readonly string[], { context }: StoryMarkdownOptions): string {
  const written = Object.fromEntries(fields.map((field) => [field, content[field]]));
  return followedLinks(storyBody(content, fields, context), written, context(fields[0] ?? ""));
}

/** The title is the content's own, or the story's name. A title of blanks is none. */
function storyFacts(story: StoryRecord, options: StoryMarkdownOptions, body: readonly string[]): StoryFacts {
  const content = isObject(story.content) ? story.content : undefined;
  const named = content && titleField(content, body);
  const ownTitle = named === undefined ? undefined : (content?.[named] as string);
  const left = new Set([...(options.setting?.exclude ?? []), ...(named === "title" ? [named] : [])]);
  const outlines: FieldValue[] = [];
  const fields = Object.keys(content ?? {}).flatMap((field): FieldValue[] => {
    if (blockKeys.has(field) || left.has(field)) return [];
    const value = content?.[field];
    if (!body.includes(field)) return [[field, withoutEditorKeys(value)]];
    const outline = fieldOutline(value, options.context(field));
    if (outline === undefined) return [];
    outlines.push([field, outline]);
    return options.takeOutline === undefined ? [[field, outline]] : [];
  });
  options.takeOutline?.(outlines);
  return {
    story,
    title: ownTitle !== undefined && hasInk(ownTitle) ? ownTitle : story.name,
    url: options.url,
    publication: options.publication ?? "published",
    hasPublishedBelow: options.hasPublishedBelow ?? false,
    date: storyDate(story, { setting: options.setting?.date, dateField: options.context("").dateField }),
    fields,
  };
}

/** For targets whose layout shows the body alone. @param title plain text; Markdown in it is escaped */
function bodyBelowTitle(body: string, title: string, context: RenderContext): string {
  if (title.trim() === "" || hasFirstRank(body)) return body;
  const heading: Heading = {
    type: "heading",
    depth: 1,
    children: inlineToMdast([readNode(title)!], context, { breaks: "html" }),
  };
  const text = markdownText([heading], context.target);
  return body === "" ? text : `${text}\n${body}`;
}

function hasFirstRank(body: string): boolean {
  if (!/^ {0,3}(?:#(?:\s|$)|=)|<h1/im.test(body)) return false;
  return markdownBlocks(body).children.some((node) => {
    return (node.type === "heading" && node.depth === 1) || (node.type === "html" && /<h1[\s>]/i.test(node.value));
  });
}

import type { StoryRecord } from "../contract/records.js";
import type { StoryFacts } from "./story-facts.js";

type Entry = [key: string, value: unknown];

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

/** `title`, `url`, `component`, the story's keys, then the fields of the content. */
export function plainFrontMatter(facts: StoryFacts): Entry[] {
  return withFields([...head(facts), ...storyEntries(facts.story, {})], facts, []);
}

/**
 * Dates as YAML dates, `tags`, `draft`. `slug` would replace the id of the entry, which has to differ from all others;
 * `layout` would be taken for a file to import.
 */
export function astroFrontMatter(facts: StoryFacts): Entry[] {
  const { story } = facts;
  const own: Entry[] = [
    ...head(facts),
    ["pubDate", yamlDate(story.first_published_at ?? story.published_at ?? story.created_at)],
    ["updatedDate", yamlDate(story.updated_at ?? story.published_at)],
    ["draft", facts.publication !== "published"],
    ["tags", story.tag_list ?? []],
    ...storyEntries(story, { slug: "story_slug", tag_list: null }),
  ];
  return withFields(own, facts, ["slug", "layout"]);
}

/**
 * `templateEngineOverride: md` keeps Liquid away from editors' text, `permalink` puts the page where links lead, `tags`
 * make collections. Keys that Eleventy reserves or runs as templates are never given a content field.
 */
export function eleventyFrontMatter(facts: StoryFacts): Entry[] {
  const { story } = facts;
  const own: Entry[] = [
    ["templateEngineOverride", "md"],
    ["permalink", folderPath(facts.url)],
    ["date", isoDate(story.first_published_at ?? story.published_at ?? story.created_at)],
    ["tags", story.tag_list ?? []],
    ...head(facts),
    ...storyEntries(story, { tag_list: null }),
  ];
  return withFields(own, facts, eleventyKeys);
}

/**
 * Every key stands at the top, where each version of Hugo reads it as `.Params.<key>`: versions before 0.123 take a
 * `params` of the front matter for a parameter of that name. Hugo does not tell upper from lower case in keys.
 */
export function hugoFrontMatter(facts: StoryFacts): Entry[] {
  const { story } = facts;
  // A folder whose own page is a draft is hidden by Hugo with all that is below it.
  const isHidden = facts.publication !== "published" && !facts.hasPublishedBelow;
  const component = story.content?.component;
  const own: Entry[] = [
    ["title", facts.title],
    ["date", isoDate(story.first_published_at ?? story.published_at ?? story.created_at)],
    ["lastmod", isoDate(story.updated_at ?? story.published_at)],
    ["draft", isHidden],
    ["url", folderPath(facts.url).replaceAll(":", "%3A")],
    ["type", component],
    ["translationKey", story.uuid],
    ["weight", story.position],
    ["tags", story.tag_list ?? []],
    ["component", component],
    ...storyEntries(story, { slug: "story_slug", lang: "story_lang", tag_list: null }),
  ];
  return withFields(own, facts, hugoKeys, { ignoresCase: true, textsOnly: hugoTextKeys });
}

/** As plain; keys that change how VitePress shows a page, or what stands in its head, are never given a content field. */
export function vitepressFrontMatter(facts: StoryFacts): Entry[] {
  return withFields([...head(facts), ...storyEntries(facts.story, {})], facts, vitepressKeys);
}

/** `path` puts the page where links lead; columns that Nuxt Content fills itself are never given a content field. */
export function nuxtFrontMatter(facts: StoryFacts): Entry[] {
  const { story } = facts;
  const own: Entry[] = [
    ["title", facts.title],
    ["path", pathOf(facts.url)],
    ["draft", facts.publication !== "published"],
    ["date", isoDate(story.first_published_at ?? story.published_at ?? story.created_at)],
    ["tags", story.tag_list ?? []],
    ["url", facts.url],
    ["component", story.content?.component],
    ...storyEntries(story, { id: "story_id", tag_list: null }),
  ];
  return withFields(own, facts, nuxtKeys);
}

const eleventyKeys = [
  "collections",
  "content",
  "dynamicPermalink",
  "eleventy",
  "eleventyAllowMissingExtension",
  "eleventyComputed",
  "eleventyDataSchema",
  "eleventyExcludeFromCollections",
  "eleventyImport",
  "eleventyNavigation",
  "layout",
  "page",
  "pagination",
  "pkg",
];

/** Keys of the front matter that mean something to Hugo, in any version, in lower case. */
const hugoKeys = [
  "_build",
  "aliases",
  "build",
  "cascade",
  "content",
  "date",
  "draft",
  "expirydate",
  "headless",
  "iscjklanguage",
  "kind",
  "lang",
  "lastmod",
  "layout",
  "linktitle",
  "markup",
  "menu",
  "menus",
  "modified",
  "outputs",
  "params",
  "path",
  "pubdate",
  "published",
  "publishdate",
  "resources",
  "sitemap",
  "slug",
  "summary",
  "type",
  "unpublishdate",
  "url",
  "weight",
];

/** Keys that Hugo and the templates that come with it read as a text or a list of texts. */
const hugoTextKeys = ["audio", "categories", "description", "images", "keywords", "locale", "series", "videos"];

const vitepressKeys = [
  "aside",
  "editLink",
  "features",
  "footer",
  "head",
  "hero",
  "isHome",
  "lastUpdated",
  "layout",
  "markdownStyles",
  "navbar",
  "next",
  "outline",
  "pageClass",
  "params",
  "prev",
  "search",
  "sidebar",
  "titleTemplate",
];

const nuxtKeys = ["__hash__", "body", "extension", "head", "id", "layout", "meta", "navigation", "seo", "stem"];

function head({ story, title, url }: StoryFacts): Entry[] {
  return [
    ["title", title],
    ["url", url],
    ["component", story.content?.component],
  ];
}

/** The story's keys under other names; null leaves one out. */
function storyEntries(story: StoryRecord, names: Partial<Record<(typeof storyKeys)[number], string | null>>): Entry[] {
  return storyKeys.flatMap((key): Entry[] => {
    const name = names[key] === undefined ? key : names[key];
    return name === null || story[key] === undefined || story[key] === null ? [] : [[name, story[key]]];
  });
}

/** What else a generator makes of the keys of its front matter. */
interface KeyRules {
  /** Whether keys that differ in case only are one key to it. */
  ignoresCase?: boolean;
  /** Keys that mean something to it, and that it reads as a text or a list of texts: free for fields that are one. */
  textsOnly?: readonly string[];
}

/** The entries, then the fields of the content. One whose name is taken or reserved is written as `content_<name>`. */
function withFields(
  own: readonly Entry[],
  { fields }: StoryFacts,
  reserved: readonly string[],
  { ignoresCase = false, textsOnly = [] }: KeyRules = {},
): Entry[] {
  const read = (key: string): string => (ignoresCase ? key.toLowerCase() : key);
  const entries = new Map<string, Entry>(own.map((entry) => [read(entry[0]), entry]));
  const names = new Set(fields.map(([name]) => read(name)));
  const isReserved = (field: string, value: unknown): boolean => {
    if (reserved.includes(read(field)) || (textsOnly.includes(read(field)) && !isTexts(value))) return true;
    // `override:tags` would replace `tags`.
    return reserved.length > 0 && field.includes(":");
  };
  for (const [field, value] of fields) {
    const isFree = !entries.has(read(field)) && !isReserved(field, value);
    let key = isFree ? field : `content_${field.replaceAll(":", "_")}`;
    while (!isFree && (entries.has(read(key)) || names.has(read(key)))) key = `content_${key}`;
    entries.set(read(key), [key, value]);
  }
  return [...entries.values()];
}

function isTexts(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"));
}

function isoDate(text: string | null | undefined): string | undefined {
  return yamlDate(text)?.toISOString();
}

function yamlDate(text: string | null | undefined): Date | undefined {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The path of a URL, with a slash at its end, as the generator makes a folder of it. */
function folderPath(url: string): string {
  const path = pathOf(url).split("/").map(decodedSegment).join("/");
  return path.endsWith("/") ? path : `${path}/`;
}

/** As it is called on disk; where that would lead elsewhere or be run as a template, it stays encoded. */
function decodedSegment(segment: string): string {
  let decoded = segment;
  try {
    decoded = decodeURIComponent(segment);
  } catch {
    // Not encoded by rule: as it is.
  }
  if (/^\.{1,2}$/.test(decoded)) return decoded.replaceAll(".", "%2E");
  return /[/\\{}\u0000-\u001f\u007f]/.test(decoded) ? segment.replace(/[\\{}]/g, encodeURIComponent) : decoded;
}

function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

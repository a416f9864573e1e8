import { createHash } from "node:crypto";
import { buildSnapshot } from "../../demo/build-snapshot.js";
import { startReplica } from "../../src/server/replica/http/server.js";
import { editionName, parts } from "../../src/snapshot/layout.js";
import { openReader } from "../../src/snapshot/reader/open-reader.js";
import type { Reader } from "../../src/snapshot/reader/reader.js";

/** A story of the space; everything else of its record follows from it. */
export interface EditableStory {
  name: string;
  /** Full slug; a start page ends with a slash. */
  slug: string;
  uuid?: string;
  headline?: string;
  component?: string;
  /** Names of stories that it names by a relation, and by language those that it names there. */
  relations?: string[];
  relationsIn?: Record<string, string[]>;
  tags?: string[];
  /** Ids of terms. */
  terms?: string[];
  group?: string;
  publishedAt?: string;
  /** Languages in which it exists, besides the default. */
  languages?: string[];
  /** In the index, but not a story. */
  folder?: boolean;
}

/** A taxonomy, or a term below one. */
export interface EditableTerm {
  id: string;
  name: string;
  children?: EditableTerm[];
}

export interface EditableContent {
  taxonomies: EditableTerm[];
  /** Whether the trees name the stories of their terms. */
  treesNameStories: boolean;
  /** Shown as the author of each term. */
  author: string;
  spaceId: number;
  cv: number;
  languages: string[];
  stories: EditableStory[];
  /** Slugs of stories whose record lacks the content. */
  bare: string[];
  datasources: { slug: string; dimensions: string[]; entries: Record<string, string> }[];
}

/** A small space over real HTTP that a test edits between two syncs. */
export interface EditableSpace {
  url: string;
  content: EditableContent;
  /** Paths and queries that arrived, tokens left out. */
  seen: string[];
  requests(): number;
  /** Changes the content; the cv stays. */
  change(change: (content: EditableContent) => void): Promise<void>;
  /** Changes the content and moves the cv. */
  publish(change?: (content: EditableContent) => void): Promise<void>;
  close(): Promise<void>;
}

export function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** @param tokens those that may read it; none: any */
export async function startEditableSpace(
  initial: Partial<EditableContent> = {},
  tokens: readonly string[] = [],
): Promise<EditableSpace> {
  const content: EditableContent = {
    spaceId: 77,
    cv: 1_700_000_000,
    languages: [],
    stories: [],
    datasources: [],
    taxonomies: [],
    treesNameStories: true,
    author: "somebody@example.com",
    bare: [],
    ...initial,
  };
  let current: Reader = await readerOf(content);
  const replica = await startReplica({ reader: () => current, tokens: { public: [], preview: tokens } });
  return {
    url: replica.url,
    content,
    seen: [],
    requests: () => replica.requests(),
    async change(change) {
      change(content);
      current = await readerOf(content);
    },
    async publish(change) {
      change?.(content);
      content.cv += 10;
      current = await readerOf(content);
    },
    close: () => replica.close(),
  };
}

async function readerOf(content: EditableContent): Promise<Reader> {
  const languages = ["default", ...content.languages];
  const lines: Record<string, string[]> = {};
  for (const version of ["published", "draft"]) {
    for (const language of languages) {
      const stories = content.stories.filter(
        (story) => !story.folder && (language === "default" || story.languages?.includes(language) !== false),
      );
      lines[parts.stories(editionName(version, null, language))] = stories.map((story) =>
        JSON.stringify(storyRecord(content, story, language), (key, value) =>
          key === "content" && content.bare.includes(story.slug) ? undefined : value,
        ),
      );
    }
    lines[parts.links(version)] = content.stories.map((story) => JSON.stringify(linkRecord(content, story)));
    lines[parts.tags(version)] = tagLines(content);
  }
  lines[parts.datasources] = content.datasources.map(({ slug, dimensions }) => {
    const id = idOf(slug);
    return JSON.stringify({
      id,
      name: slug,
      slug,
      dimensions: dimensions.map((name) => ({ id: idOf(slug + name), name, entry_value: name, datasource_id: id })),
    });
  });
  for (const { slug, dimensions, entries } of content.datasources) {
    for (const dimension of [null, ...dimensions]) {
      lines[parts.entries(idOf(slug), dimension === null ? null : idOf(slug + dimension))] = Object.entries(
        entries,
      ).map(([name, value]) =>
        JSON.stringify({
          id: idOf(slug + name),
          name,
          value,
          dimension_value: dimension === null ? null : `${value} ${dimension}`,
        }),
      );
    }
  }
  if (content.taxonomies.length > 0) {
    lines[parts.taxonomies] = content.taxonomies.map((one) =>
      JSON.stringify(termRecord(content, { ...one, children: [] })),
    );
    lines[parts.terms] = content.taxonomies.map((one) => JSON.stringify(treeOf(content, one, null)));
  }
  lines[parts.experiments] = [];
  lines[parts.space] = [
    JSON.stringify({
      me: {
        id: content.spaceId,
        name: "Test",
        domain: "https://example.com",
        version: content.cv,
        language_codes: content.languages,
      },
    }),
  ];
  const { store, manifest } = await buildSnapshot({
    space: { id: content.spaceId, name: "Test", languages: content.languages },
    cv: content.cv,
    parts: lines,
    editions: ["published", "draft"].flatMap((version) =>
      languages.map((language) => ({ version: version as "published" | "draft", release: null, language })),
    ),
  });
  return openReader(store, manifest);
}

function termRecord(content: EditableContent, { id, name }: EditableTerm, parentId: string | null = null) {
  const last_author = { id: 7, userid: content.author, friendly_name: content.author, avatar: null };
  return { id, name, display_name: name.toUpperCase(), parent_id: parentId, last_author_id: 7, last_author };
}

function treeOf(content: EditableContent, term: EditableTerm, parentId: string | null): object {
  const children = (term.children ?? []).map((child) => treeOf(content, child, term.id));
  const carriers = content.stories.filter(({ terms }) => terms?.includes(term.id));
  const named = carriers.map((story) => ({
    ...{ id: idOf(story.uuid ?? uuidOf(story.name)), type: "Story", name: story.name, full_slug: story.slug },
    updated_at: story.publishedAt ?? null,
  }));
  return {
    ...termRecord(content, term, parentId),
    children,
    ...(parentId !== null && content.treesNameStories ? { associated_content: named } : {}),
  };
}

/** The terms of a story, in the order of the trees; those that no tree has are archived. */
function termsOfStory(content: EditableContent, { terms = [] }: EditableStory): object[] {
  const found: object[] = [];
  const walk = (term: EditableTerm, root: EditableTerm, parent: EditableTerm | undefined): void => {
    if (terms.includes(term.id)) {
      const { id, name, display_name } = termRecord(content, term);
      const above = parent && { id: parent.id, name: parent.name, display_name: parent.name.toUpperCase() };
      found.push({ id, display_name, name, taxonomy_id: root.id, parent: above, taxonomy: termRecord(content, root) });
    }
    for (const child of term.children ?? []) walk(child, root, term);
  };
  for (const root of content.taxonomies) walk(root, root, undefined);
  return found;
}

function storyRecord(content: EditableContent, story: EditableStory, language: string) {
  const uuid = story.uuid ?? uuidOf(story.name);
  const translated = language === "default" ? "" : ` (${language})`;
  return {
    name: story.name,
    created_at: "2024-01-01T00:00:00.000Z",
    published_at: story.publishedAt ?? "2024-01-02T00:00:00.000Z",
    id: idOf(uuid),
    uuid,
    content: {
      _uid: uuidOf(`${uuid}content`),
      component: story.component ?? "page",
      headline: `${story.headline ?? story.name}${translated}`,
      ...relationsOf(story, language),
    },
    slug: story.slug.split("/").filter(Boolean).at(-1) ?? "home",
    full_slug: language === "default" ? story.slug : `${language}/${story.slug}`,
    sort_by_date: null,
    position: 0,
    tag_list: story.tags ?? [],
    is_startpage: story.slug.endsWith("/"),
    parent_id: 0,
    meta_data: null,
    group_id: uuidOf(`group ${story.group ?? story.name}`),
    first_published_at: "2024-01-02T00:00:00.000Z",
    release_id: null,
    lang: language,
    path: null,
    alternates: content.stories
      .filter((other) => story.group !== undefined && other !== story && other.group === story.group)
      .map((other) => ({
        id: idOf(other.uuid ?? uuidOf(other.name)),
        name: other.name,
        slug: other.slug,
        published: true,
        full_slug: other.slug,
        is_folder: false,
        parent_id: 0,
      })),
    default_full_slug: null,
    translated_slugs: null,
    ...(content.taxonomies.length === 0 ? {} : { taxonomy_terms: termsOfStory(content, story) }),
  };
}

/** The first as one value, the others as a list in a block. */
function relationsOf({ relations, relationsIn }: EditableStory, language: string) {
  const named = relationsIn?.[language] ?? relations;
  if (named === undefined) return {};
  const [first, ...others] = named.map(uuidOf);
  return { author: first ?? "", body: [{ _uid: uuidOf("block"), component: "teaser", items: others }] };
}

function linkRecord({ languages }: EditableContent, story: EditableStory) {
  const uuid = story.uuid ?? uuidOf(story.name);
  return {
    id: idOf(uuid),
    uuid,
    slug: story.slug,
    path: null,
    parent_id: 0,
    name: story.name,
    is_folder: story.folder === true,
    published: true,
    is_startpage: story.slug.endsWith("/"),
    position: 0,
    real_path: `/${story.slug}`,
    published_at: story.publishedAt ?? "2024-01-02T00:00:00.000Z",
    created_at: "2024-01-01T00:00:00.000Z",
    ...(languages.length === 0 ? {} : { alternates: languages.map((lang) => linkAlternate(story, lang)) }),
  };
}

function linkAlternate({ name, slug, languages }: EditableStory, lang: string) {
  return { path: slug, name, lang, published: languages?.includes(lang) !== false, translated_slug: slug };
}

function tagLines({ stories }: EditableContent): string[] {
  const counts = new Map<string, number>();
  for (const tag of stories.flatMap(({ tags }) => tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort().map(([name, taggings_count]) => JSON.stringify({ name, taggings_count }));
}

function idOf(text: string): number {
  return Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 10), 16);
}

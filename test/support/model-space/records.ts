import { type Content, type Dialect, folderPath, fullSlug, type SpaceState, type Story } from "./space-state.js";
import { termsOfStory } from "./terms.js";

export interface Reading {
  version: "published" | "draft";
  language: string;
  /** Release id; only with drafts. */
  release?: string;
  /** With the terms of each story; `stored`: without what a sync leaves out of them. */
  terms?: "served" | "stored";
}

const storyTexts = new WeakMap<SpaceState, Map<string, Map<string, string>>>();

/** Every story of an edition as the interface serves it: uuid → JSON, in the order of the space. */
export function storiesOf(state: SpaceState, dialect: Dialect, reading: Reading): Map<string, string> {
  return memo(
    storyTexts,
    state,
    `${reading.version} ${reading.language} ${reading.release ?? ""} ${reading.terms ?? ""}`,
    () => {
      const texts = new Map<string, string>();
      for (const story of inOrder(state)) {
        const record = storyRecord(state, dialect, story, reading);
        const terms = reading.terms && { taxonomy_terms: termsOfStory(state, story.uuid, reading.terms) };
        if (record !== undefined) texts.set(story.uuid, JSON.stringify({ ...record, ...terms }));
      }
      return texts;
    },
  );
}

/** Every line of the links listing: uuid → JSON. Folders are listed in every version. */
export function linksOf(state: SpaceState, dialect: Dialect, version: "published" | "draft"): Map<string, string> {
  return memo(storyTexts, state, `links ${version}`, () => {
    const texts = new Map<string, string>();
    for (const folder of state.folders.values()) {
      const slug = folderPath(state, folder.id).slice(0, -1);
      const line = {
        id: folder.id,
        uuid: folder.uuid,
        slug,
        path: null,
        parent_id: folder.parentId === 0 ? dialect.rootParent : folder.parentId,
        name: folder.name,
        is_folder: true,
        published: false,
        is_startpage: false,
        position: 0,
        real_path: `/${slug}`,
        created_at: iso(folder.createdMs),
        updated_at: iso(folder.createdMs),
        published_at: null,
      };
      texts.set(folder.uuid, JSON.stringify(line));
    }
    for (const story of state.stories.values()) {
      if (version === "published" && story.published === null) continue;
      texts.set(story.uuid, JSON.stringify(linkRecord(state, dialect, story, version)));
    }
    return texts;
  });
}

/** The tags of a version with how many stories carry them: JSON, in the order of their names. */
export function tagsOf(state: SpaceState, version: "published" | "draft"): string[] {
  const counts = new Map<string, number>();
  for (const story of state.stories.values()) {
    const content = version === "published" ? story.published : story.draft;
    for (const tag of content?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, taggings_count]) => JSON.stringify({ name, taggings_count }));
}

/** JSON of the datasources. */
export function datasourcesOf(state: SpaceState): string[] {
  return state.datasources.map(({ id, slug, dimensions }) =>
    JSON.stringify({
      id,
      name: slug,
      slug,
      dimensions: dimensions.map(({ id: dimensionId, code }) => ({
        id: dimensionId,
        name: code,
        entry_value: code,
        datasource_id: id,
      })),
    }),
  );
}

/** JSON of the entries of a datasource (slug or id; undefined: of all), with the values of a dimension. */
export function entriesOf(state: SpaceState, datasource: string | undefined, dimension: string | undefined): string[] {
  return state.datasources
    .filter(({ id, slug }) => datasource === undefined || slug === datasource || String(id) === datasource)
    .flatMap(({ entries }) => entries)
    .map(({ id, name, value, translated }) =>
      JSON.stringify({
        id,
        name,
        value,
        dimension_value: dimension === undefined ? null : (translated.get(dimension) ?? null),
      }),
    );
}

/** The tags that a story carries in a version; undefined where it has none of that version. */
export function tagsOfStory(story: Story, version: "published" | "draft"): readonly string[] | undefined {
  return (version === "published" ? story.published : story.draft)?.tags;
}

function iso(ms: number): string;
function iso(ms: number | null): string | null;
function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function storyRecord(state: SpaceState, dialect: Dialect, story: Story, { version, language, release }: Reading) {
  const content: Content | null = version === "published" ? story.published : story.draft;
  if (content === null) return undefined;
  const isDefault = language === "default";
  if (version === "published" && !isDefault && dialect.translationsIndividually) {
    if (!story.published?.languages.has(language)) return undefined;
  }
  const slug = fullSlug(state, story);
  const released = release === undefined ? undefined : state.releases.get(release)?.get(story.uuid);
  const headline = (isDefault ? undefined : content.translated.get(language)) ?? released ?? content.headline;
  return {
    name: content.name,
    created_at: iso(story.createdMs),
    published_at: iso(story.publishedMs),
    updated_at: iso(savedMs(dialect, story, version)),
    id: story.id,
    uuid: story.uuid,
    content: { _uid: story.uuid, component: componentOf(state, story), headline, ...namesOf(state, story, headline) },
    slug: story.slug,
    full_slug: isDefault ? slug : `${language}/${slug}`,
    sort_by_date: null,
    position: story.position,
    tag_list: [...content.tags],
    is_startpage: story.isStartpage,
    parent_id: story.parentId,
    meta_data: null,
    group_id: story.groupId,
    first_published_at: iso(story.firstPublishedMs),
    release_id: null,
    lang: language,
    path: null,
    alternates: alternates(state, story, version),
    default_full_slug: dialect.translatableSlugs ? slug : null,
    translated_slugs: dialect.translatableSlugs
      ? state.languages.map((lang) => ({ path: slug, name: null, lang, published: null }))
      : null,
  };
}

function componentOf({ pool }: SpaceState, { id, isStartpage }: Story): string {
  if (isStartpage) return "page";
  return pool === undefined || id % 2 === 0 ? "article" : "author";
}

/** The relations of a story follow from its headline, so that only an edit changes them. */
function namesOf({ pool }: SpaceState, { uuid }: Story, headline: string): { names?: string[] } {
  if (pool === undefined) return {};
  const number = Number(headline.split(" ").at(-1));
  const named = [pool[number % pool.length], pool[Math.floor(number / 7) % pool.length]] as string[];
  return { names: number % 3 === 0 ? [] : named.filter((one) => one !== uuid) };
}

/** The others of the group: those that are published too, for drafts all of them. */
function alternates(state: SpaceState, story: Story, version: "published" | "draft") {
  const others = [...state.stories.values()].filter(
    ({ groupId, uuid, published }) =>
      groupId === story.groupId && uuid !== story.uuid && (version === "draft" || published !== null),
  );
  return others
    .sort((a, b) => a.id - b.id)
    .map((other) => ({
      id: other.id,
      name: (version === "published" ? other.published : other.draft)?.name ?? "",
      slug: other.slug,
      published: other.published !== null,
      full_slug: fullSlug(state, other),
      is_folder: false,
      parent_id: other.parentId,
    }));
}

function linkRecord(state: SpaceState, dialect: Dialect, story: Story, version: "published" | "draft") {
  const content = (version === "published" ? story.published : story.draft) ?? story.draft;
  const slug = fullSlug(state, story);
  const shown = dialect.startpageSlashInLinks ? slug : slug.replace(/\/$/, "");
  return {
    id: story.id,
    uuid: story.uuid,
    slug: shown,
    path: null,
    parent_id: story.parentId === 0 ? dialect.rootParent : story.parentId,
    name: content.name,
    is_folder: false,
    published: story.published !== null,
    is_startpage: story.isStartpage,
    position: story.position,
    real_path: `/${shown}`,
    created_at: iso(story.createdMs),
    updated_at: iso(savedMs(dialect, story, version)),
    published_at: iso(story.publishedMs),
    ...(dialect.linkAlternates
      ? {
          alternates: state.languages.map((lang) => ({
            path: `${lang}/${shown}`,
            name: null,
            lang,
            published: dialect.translationsIndividually ? (story.published?.languages.has(lang) ?? false) : null,
            translated_slug: shown,
          })),
        }
      : {}),
  };
}

function savedMs(dialect: Dialect, story: Story, version: "published" | "draft"): number {
  return version === "published" && !dialect.savesShow
    ? (story.published?.savedMs ?? story.updatedMs)
    : story.updatedMs;
}

function inOrder(state: SpaceState): Story[] {
  return [...state.stories.values()].sort((a, b) => a.position - b.position || b.id - a.id);
}

function memo<T>(cache: WeakMap<SpaceState, Map<string, T>>, state: SpaceState, key: string, make: () => T): T {
  let values = cache.get(state);
  if (values === undefined) {
    values = new Map();
    cache.set(state, values);
  }
  let value = values.get(key);
  if (value === undefined) {
    value = make();
    values.set(key, value);
  }
  return value;
}

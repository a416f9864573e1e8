import type { Alternate, Blok, StoryRecord, TranslatedSlug } from "../src/contract/records.js";
import type { DemoStory } from "./demo-story.js";
import { blockUid, mix, numberOf, uuidOf } from "./identifiers.js";
import { type Language, space } from "./space.js";
import { inLanguage, isTranslated } from "./translated.js";

/** Which reading of a story a record is made for. */
export interface Reading {
  version: "published" | "draft";
  language: Language | "default";
  /** Whether the release's changes are applied. */
  release: boolean;
}

/** What a record needs to know of the tree around its story. */
export interface StoryPlace {
  story: DemoStory;
  id: number;
  /** Id of the folder that the story lies in; 0, or null, at the root. */
  parentId: number | null;
  /** Full path in each language, without the language's prefix and without trailing slash. */
  paths: Record<Language | "default", string>;
  group: readonly StoryPlace[];
}

/** The record of a story in a reading; undefined where that reading does not have it. */
export function storyRecord(place: StoryPlace, reading: Reading): StoryRecord | undefined {
  const { story } = place;
  if (!isReadable(story, reading)) return undefined;
  const edits = editsOf(story, reading);
  const times = timesOf(story, reading.version);
  const fullSlug = fullSlugOf(place, reading.language);
  return {
    id: place.id,
    uuid: uuidOf(story.path),
    name: inLanguage(edits.name, reading.language),
    slug: lastSegment(place.paths[reading.language]),
    full_slug: fullSlug,
    created_at: times.created,
    published_at: times.published,
    first_published_at: times.firstPublished,
    updated_at: times.updated,
    content: projectContent({ ...story.content, ...edits.content }, story.path, reading),
    sort_by_date: story.dated === true ? story.date : null,
    position: story.position ?? 0,
    tag_list: [...(story.tags ?? [])],
    is_startpage: story.startpage === true,
    parent_id: place.parentId,
    meta_data: story.metaData ?? null,
    group_id: uuidOf(`group ${story.group ?? story.path}`),
    release_id: edits.inRelease ? space.release : null,
    lang: reading.language,
    path: story.realPath ?? null,
    alternates: place.group.filter((other) => other !== place).map(alternate),
    default_full_slug:
      reading.language === "default" && story.slugs === undefined ? null : fullSlugOf(place, "default"),
    translated_slugs: translatedSlugs(place),
  };
}

/** Timestamps of a story in a version: fixed by its date and path. */
export function timesOf(story: DemoStory, version: Reading["version"]) {
  const seed = numberOf(`time ${story.path}`);
  const first = Date.parse(`${story.date}T00:00:00.000Z`) + 7 * hour + (seed % (10 * hour));
  const again = seed % 3 === 0 ? first + (1 + (seed % 9)) * day + (seed % hour) : first;
  const last = Math.min(again, space.cv * 1000 - hour - (seed % hour));
  const edited = Math.min(last + 2 * day + (seed % (5 * hour)), space.cv * 1000 - (seed % hour) - 1);
  const isPublished = story.state === undefined || story.state === "release";
  const isEdited = story.draft !== undefined || !isPublished;
  return {
    created: isoTime(first - (1 + (seed % 20)) * day - (seed % 7919)),
    published: isPublished ? isoTime(last) : null,
    firstPublished: story.state === "never" ? null : isoTime(Math.min(first, last)),
    updated: isoTime(version === "draft" && isEdited ? edited : last + 412),
  };
}

/** Full slug in a language: prefix, translated path, and the trailing slash of a start page. */
export function fullSlugOf(place: StoryPlace, language: Language | "default"): string {
  const prefix = language === "default" ? "" : `${language}/`;
  return `${prefix}${place.paths[language]}${place.story.startpage === true ? "/" : ""}`;
}

/** One row for each language of the space; a path that is not translated is the default one. */
export function translatedSlugs(place: StoryPlace): TranslatedSlug[] | null {
  if (place.story.slugs === undefined) return null;
  return space.languages.map((lang) => ({
    path: `${place.paths[lang]}${place.story.startpage === true ? "/" : ""}`,
    name: isTranslated(place.story.name) ? inLanguage(place.story.name, lang) : null,
    lang,
    published: translationState(place.story, lang),
  }));
}

const hour = 3_600_000;
const day = 24 * hour;

function isReadable(story: DemoStory, { version, language, release }: Reading): boolean {
  if (story.state === "release") return release && (version === "draft" || language === "default");
  if (version === "draft") return true;
  if (story.state !== undefined) return false;
  return language === "default" || (story.translations?.includes(language) ?? false);
}

function editsOf(story: DemoStory, reading: Reading) {
  const draft = reading.version === "draft" ? story.draft : undefined;
  const inRelease = reading.release && (story.release !== undefined || story.state === "release");
  const release = inRelease ? story.release : undefined;
  return {
    inRelease,
    name: release?.name ?? draft?.name ?? story.name,
    content: { ...draft?.content, ...release?.content },
  };
}

/**
 * Content in one language: translations chosen, every empty `_uid` filled in from the place of its block, and in drafts
 * each block marked as `_editable`.
 */
function projectContent(content: Record<string, unknown>, path: string, reading: Reading): Blok {
  return project(content, numberOf(`block ${path}`), reading) as Blok;
}

function project(value: unknown, place: number, reading: Reading): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isTranslated(value)) return project(inLanguage(value, reading.language), place, reading);
  if (Array.isArray(value)) return value.map((item, index) => project(item, mix(place, index), reading));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    copy[key] = key === "_uid" && item === "" ? blockUid(place) : project(item, mix(place, keyNumber(key)), reading);
  }
  if (reading.version === "draft" && typeof copy.component === "string") {
    copy._editable = `<!--#editor#{"name":"${copy.component}","space":"${space.id}","uid":"${copy._uid}","id":"${place}"}-->`;
  }
  return copy;
}

const keyNumbers = new Map<string, number>();

/** {@link numberOf} a field name; remembered, as there are few names and many fields. */
function keyNumber(key: string): number {
  const known = keyNumbers.get(key) ?? numberOf(key);
  keyNumbers.set(key, known);
  return known;
}

function alternate(place: StoryPlace): Alternate {
  return {
    id: place.id,
    name: inLanguage(place.story.name, "default"),
    slug: lastSegment(place.paths.default),
    published: place.story.state === undefined,
    full_slug: fullSlugOf(place, "default"),
    is_folder: false,
    parent_id: place.parentId ?? 0,
  };
}

/** True: published; false: published once and taken back; null: never published, or without a slug of its own. */
function translationState(story: DemoStory, language: Language): boolean | null {
  if (story.slugs?.[language] === undefined) return null;
  if (story.withdrawn?.includes(language)) return false;
  return story.state === undefined && story.translations?.includes(language) ? true : null;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

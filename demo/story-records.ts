import type { Alternate, StoryRecord } from "../src/contract/records.js";
import { contentText, type Reading } from "./content-text.js";
import type { DemoStory } from "./demo-story.js";
import { uuidOf } from "./identifiers.js";
import { space } from "./space.js";
import { fullSlugOf, lastSegment, type StoryPlace } from "./story-place.js";
import { storyTerms } from "./taxonomies.js";
import { inLanguage } from "./translated.js";
import { writtenSpace } from "./written-space.js";

/** The record of a story in a reading, as its canonical JSON, and what others need of it. */
export interface StoryLine {
  uuid: string;
  text: string;
  publishedAt: string | null;
  updatedAt: string;
}

/** The record of a story in a reading; undefined where that reading does not have it. */
export function storyLine(place: StoryPlace, reading: Reading): StoryLine | undefined {
  const { story } = place;
  if (!isReadable(story, reading)) return undefined;
  const edits = editsOf(story, reading);
  const times = place.times[reading.version];
  const uuid = uuidOf(story.path);
  const before: Omit<StoryRecord, "content"> = {
    id: place.id,
    uuid,
    name: inLanguage(edits.name, reading.language),
    slug: lastSegment(place.paths[reading.language]),
    full_slug: fullSlugOf(place, reading.language),
    created_at: times.created,
    published_at: times.published,
    first_published_at: times.firstPublished,
    updated_at: times.updated,
  };
  const after = {
    sort_by_date: story.dated === true ? story.date : null,
    position: story.position ?? 0,
    tag_list: story.tags ?? [],
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
    translated_slugs: place.translatedSlugs,
    taxonomy_terms: storyTerms(writtenSpace().taxonomies, story.path),
  };
  const content = contentText(story.content, edits.content, story.path, reading);
  const text = `${JSON.stringify(before).slice(0, -1)},"content":${content},${JSON.stringify(after).slice(1)}`;
  return { uuid, text, publishedAt: times.published, updatedAt: times.updated };
}

function isReadable(story: DemoStory, { version, language, release }: Reading): boolean {
  if (story.state === "release") return release;
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

function alternate(place: StoryPlace): Alternate {
  return {
    id: place.id,
    name: inLanguage(place.story.name, "default"),
    slug: lastSegment(place.paths.default),
    published: place.story.state === undefined,
    full_slug: fullSlugOf(place, "default"),
    is_folder: false,
    parent_id: place.parentId,
  };
}

import type { TranslatedSlug } from "../src/contract/records.js";
import type { DemoStory } from "./demo-story.js";
import { type Language, space } from "./space.js";
import type { timesOf } from "./story-times.js";
import { translationOf } from "./translated.js";

/** A story with its place in the tree. */
export interface StoryPlace {
  story: DemoStory;
  id: number;
  /** Id of the folder that the story lies in; 0 at the root. */
  parentId: number;
  /** Full path in each language, without the language's prefix and without trailing slash. */
  paths: Record<Language | "default", string>;
  times: ReturnType<typeof timesOf>;
  /** The rows of `translated_slugs`; null for a story without translated slugs. */
  translatedSlugs: readonly TranslatedSlug[] | null;
  /** The stories of its group, itself among them. */
  group: readonly StoryPlace[];
}

/** Full slug in a language: prefix, translated path, and the trailing slash of a start page. */
export function fullSlugOf(
  { story, paths }: Pick<StoryPlace, "story" | "paths">,
  language: Language | "default",
): string {
  const prefix = language === "default" ? "" : `${language}/`;
  return `${prefix}${paths[language]}${story.startpage === true ? "/" : ""}`;
}

/** One row for each language of the space; a path that is not translated is the default one. */
export function translatedSlugsOf(story: DemoStory, paths: StoryPlace["paths"]): TranslatedSlug[] | null {
  if (story.slugs === undefined) return null;
  return space.languages.map((lang) => ({
    path: `${paths[lang]}${story.startpage === true ? "/" : ""}`,
    name: translationOf(story.name, lang) ?? null,
    lang,
    published: translationState(story, lang),
  }));
}

/** True: published; false: published once and taken back; null: never published, or without a slug of its own. */
function translationState(story: DemoStory, language: Language): boolean | null {
  if (story.slugs?.[language] === undefined) return null;
  if (story.withdrawn?.includes(language)) return false;
  return story.state === undefined && story.translations?.includes(language) ? true : null;
}

/** `salt-road` of `books/salt-road`. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

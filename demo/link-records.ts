import type { LinkRecord } from "../src/contract/records.js";
import type { DemoFolder } from "./demo-story.js";
import { numberOf, uuidOf } from "./identifiers.js";
import { type Language, space } from "./space.js";
import { fullSlugOf, lastSegment, type StoryPlace } from "./story-place.js";
import { inLanguage } from "./translated.js";

/** A folder with its place in the tree. */
export interface FolderPlace {
  folder: DemoFolder;
  id: number;
  /** 0 at the root. */
  parentId: number;
  paths: Record<Language | "default", string>;
  /** When an editor renamed it, as an ISO 8601 time; undefined where nobody did. */
  renamedAt: string | undefined;
}

/** The row of a story in the links listing of a version, with dates; undefined where that version does not list it. */
export function storyLinkRecord(place: StoryPlace, version: "published" | "draft"): LinkRecord | undefined {
  const { story } = place;
  if (story.state === "release" || (version === "published" && story.state !== undefined)) return undefined;
  const times = place.times[version];
  const slug = fullSlugOf(place, "default");
  const name = version === "draft" ? (story.draft?.name ?? story.name) : story.name;
  return {
    id: place.id,
    uuid: uuidOf(story.path),
    slug,
    path: story.realPath ?? null,
    parent_id: place.parentId,
    name: inLanguage(name, "default"),
    is_folder: false,
    published: story.state === undefined,
    is_startpage: story.startpage === true,
    position: story.position ?? 0,
    real_path: story.realPath ?? `/${slug}`,
    created_at: times.created,
    updated_at: times.updated,
    published_at: times.published,
    ...linkAlternates(place),
  };
}

/** The row of a folder in the links listing: the same in every version, and never published. */
export function folderLinkRecord({ folder, id, parentId, paths, renamedAt }: FolderPlace): LinkRecord {
  const made = Date.parse(`${folder.date}T08:00:00.000Z`) + (numberOf(folder.path) % 3_000_000);
  return {
    id,
    uuid: uuidOf(`folder ${folder.path}`),
    slug: paths.default,
    path: null,
    parent_id: parentId,
    name: folder.name,
    is_folder: true,
    published: false,
    is_startpage: false,
    position: folder.position ?? 0,
    real_path: `/${paths.default}`,
    created_at: new Date(made).toISOString(),
    updated_at: renamedAt ?? new Date(made + 61_000).toISOString(),
    published_at: null,
    alternates:
      folder.slugs === undefined
        ? []
        : space.languages.map((lang) => ({
            path: paths[lang],
            name: folder.name,
            lang,
            published: false,
            translated_slug: folder.slugs?.[lang] ?? lastSegment(folder.path),
          })),
  };
}

/**
 * The languages of a story. Nothing is null here, unlike in `translated_slugs` of the story: a language without a name or a
 * slug of its own has those of the default language, and `published` of an unpublished one is false.
 */
function linkAlternates({ story, translatedSlugs }: StoryPlace): Pick<LinkRecord, "alternates"> {
  const rows = translatedSlugs ?? [];
  return {
    alternates: rows.map(({ path, name, lang }) => ({
      path,
      name: name ?? inLanguage(story.name, "default"),
      lang,
      published: story.state === undefined && story.translations?.includes(lang as Language) === true,
      translated_slug: story.slugs?.[lang as Language] ?? lastSegment(story.path),
    })),
  };
}

import type { LinkRecord, StoryHead } from "./records.js";

/** For an upstream without a links listing (seed section 2.3). A draft is published if it has a publication date. */
export function derivedLink(story: StoryHead, version: "published" | "draft"): LinkRecord {
  const { published_at, created_at, updated_at } = story;
  return {
    id: story.id,
    uuid: story.uuid,
    slug: story.full_slug,
    path: story.path ?? null,
    parent_id: story.parent_id ?? 0,
    name: story.name,
    is_folder: false,
    published: version === "published" || typeof published_at === "string",
    is_startpage: story.is_startpage ?? false,
    position: story.position ?? 0,
    real_path: `/${story.full_slug}`,
    ...(published_at !== undefined && { published_at }),
    ...(created_at !== undefined && { created_at }),
    ...(updated_at !== undefined && { updated_at }),
  };
}

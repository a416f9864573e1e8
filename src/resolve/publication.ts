import type { StoryRecord } from "../contract/records.js";

/** Saving and publishing are two moments of one click. */
const publishingMs = 10_000;

/** `changed`: something else is published; `unpublished`: nothing is. */
export type Publication = "published" | "changed" | "unpublished";

/**
 * How what a draft or a release says of a story stands to what is published.
 *
 * @param published the same story in the published edition of the same language; null where that edition lacks it;
 * undefined where the snapshot has no such edition: then the dates tell, and a story without `updated_at` that was
 * published counts as unchanged since
 */
export function publicationOf(story: StoryRecord, published: StoryRecord | null | undefined): Publication {
  if (published === null) return "unpublished";
  if (published !== undefined) return shown(story) === shown(published) ? "published" : "changed";
  const publishedAt = Date.parse(story.published_at ?? "");
  if (Number.isNaN(publishedAt)) return "unpublished";
  return Date.parse(story.updated_at ?? "") > publishedAt + publishingMs ? "changed" : "published";
}

/** What a page shows of a story, as text; drafts alone carry `_editable`, which only the editor's preview reads. */
function shown({ name, full_slug, tag_list, content }: StoryRecord): string {
  const shownParts = [name, full_slug, tag_list ?? [], content];
  return JSON.stringify(shownParts, (key, value: unknown) => (key === "_editable" ? undefined : value));
}

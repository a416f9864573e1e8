import type { StoryRecord } from "../contract/records.js";

/** Saving and publishing are two moments of one click. */
const publishingMs = 10_000;

/**
 * Whether a story as a draft or a release has it says what is published.
 *
 * @param published the same story in the published edition of the same language; null where that edition lacks it;
 * undefined where the snapshot has no such edition: then the dates tell, and a story without `updated_at` that was
 * published counts as unchanged since
 */
export function isPublishedSo(story: StoryRecord, published: StoryRecord | null | undefined): boolean {
  if (published === null) return false;
  if (published !== undefined) return shown(story) === shown(published);
  const publishedAt = Date.parse(story.published_at ?? "");
  const updatedAt = Date.parse(story.updated_at ?? "");
  return !Number.isNaN(publishedAt) && !(updatedAt > publishedAt + publishingMs);
}

/** What a page shows of a story, as text; drafts alone carry `_editable`, which only the editor's preview reads. */
function shown({ name, full_slug, tag_list, content }: StoryRecord): string {
  const shownParts = [name, full_slug, tag_list ?? [], content];
  return JSON.stringify(shownParts, (key, value: unknown) => (key === "_editable" ? undefined : value));
}

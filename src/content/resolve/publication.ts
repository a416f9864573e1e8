import type { StoryRecord } from "../../contract/records.js";

/** One click saves and publishes: `published_at` may be this much earlier than `updated_at`, in milliseconds. */
const publishingMs = 10_000;

/** `changed`: the story is published with other content. `unpublished`: it is not published. */
export type Publication = "published" | "changed" | "unpublished";

/**
 * Compares a story of a draft or release edition with what is published.
 *
 * @param published the same story in the published edition of the same language; null when that edition lacks it;
 * undefined when the snapshot has no such edition. Then the dates decide: the story counts as changed when `updated_at`
 * is later than `published_at`, and as unchanged when it has no `updated_at`
 */
export function publicationOf(story: StoryRecord, published: StoryRecord | null | undefined): Publication {
  if (published === null) return "unpublished";
  if (published !== undefined) return shown(story) === shown(published) ? "published" : "changed";
  const publishedAt = Date.parse(story.published_at ?? "");
  if (Number.isNaN(publishedAt)) return "unpublished";
  return Date.parse(story.updated_at ?? "") > publishedAt + publishingMs ? "changed" : "published";
}

/** What a page shows of a story, as text. Only drafts have `_editable`, which is for the editor's preview. */
function shown({ name, full_slug, tag_list, content }: StoryRecord): string {
  const shownParts = [name, full_slug, tag_list ?? [], content];
  return JSON.stringify(shownParts, (key, value: unknown) => (key === "_editable" ? undefined : value));
}

import type { StoryRecord } from "../../contract/records.js";
import { percentDecoded } from "../../lib/percent-decoded.js";
import { dateIn, type StoryDate } from "./story-date.js";

/** The sources of a story's front matter. */
export interface StoryFacts {
  /** The resolved story. */
  story: StoryRecord;
  title: string;
  /** The site's URL. */
  url: string;
  /** True if this very content is published: a production site shows nothing else. */
  publication: Publication;
  /** True if its file is the page of a folder in which other stories are published. */
  hasPublishedBelow: boolean;
  /** The date of its page; undefined if none can be read. */
  date?: StoryDate | undefined;
  /** Fields of the content that are not in the body, in order; without the one that is the title. */
  fields: readonly (readonly [name: string, value: unknown])[];
}

export function isDraft({ publication }: StoryFacts): boolean {
  return publication !== "published";
}

export function changedAt({ story }: StoryFacts): Date | undefined {
  return dateIn(story.updated_at ?? story.published_at);
}

/** The path of the story's URL with a slash at its end: `https://example.com/caf%C3%A9` → `/café/`. */
export function folderPath({ url }: Pick<StoryFacts, "url">): string {
  const path = urlPath({ url }).split("/").map(decodedSegment).join("/");
  return path.endsWith("/") ? path : `${path}/`;
}

/** The segment decoded, as the folder is called on disk; where that would be another path or a template, encoded. */
function decodedSegment(segment: string): string {
  const decoded = percentDecoded(segment);
  if (/^\.{1,2}$/.test(decoded)) return decoded.replaceAll(".", "%2E");
  return /[/\\{}\u0000-\u001f\u007f]/.test(decoded) ? segment.replace(/[\\{}]/g, encodeURIComponent) : decoded;
}

/** The path of the story's URL: `/blog/first`. */
export function urlPath({ url }: Pick<StoryFacts, "url">): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** One click saves and publishes: `published_at` may be this much earlier than `updated_at`, in milliseconds. */
const publishingMs = 10_000;

/** `changed`: the story is published with other content. `unpublished`: it is not published. */
export type Publication = "published" | "changed" | "unpublished";

/**
 * Compares a story of a draft or release edition with what is published.
 * @param published null: the published edition lacks it; undefined: the snapshot has no such edition. Then the
 * dates decide: it has changed when `updated_at` is later than `published_at`
 */
export function publicationOf(story: StoryRecord, published: StoryRecord | null | undefined): Publication {
  if (published === null) return "unpublished";
  if (published !== undefined) return shown(story) === shown(published) ? "published" : "changed";
  const publishedAt = Date.parse(story.published_at ?? "");
  if (Number.isNaN(publishedAt)) return "unpublished";
  return Date.parse(story.updated_at ?? "") > publishedAt + publishingMs ? "changed" : "published";
}

/** Only drafts have `_editable`, which is for the editor's preview. */
function shown({ name, full_slug, tag_list, content }: StoryRecord): string {
  const shownParts = [name, full_slug, tag_list ?? [], content];
  return JSON.stringify(shownParts, (key, value: unknown) => (key === "_editable" ? undefined : value));
}

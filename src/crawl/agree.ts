import type { Version } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import { defaultLanguage } from "./editions.js";
import type { IndexRow } from "./index-row.js";

/**
 * Why a record does not belong to its index line, or undefined when it does. A record from an edge's old copy, or one
 * that was written between the two reads, shows here and is asked for again.
 *
 * Compared are the date that the version moves (`published_at`; for drafts `updated_at`, where both tell one), the slug
 * in the default language (a start page's trailing slash aside) and the parent (0 and null are the same root).
 */
export function disagreement(
  record: StoryRecord,
  row: IndexRow,
  version: Version,
  language: string,
): string | undefined {
  const date = version === "published" ? "published_at" : "updated_at";
  const shown = version === "published" ? row.publishedAt : row.updatedAt;
  const told = record[date];
  if (shown !== undefined && told !== undefined && !sameInstant(shown, told)) {
    return `${date} is ${told} in the story and ${shown} in the index`;
  }
  if (language === defaultLanguage && bare(record.full_slug) !== bare(row.slug)) {
    return `full_slug is ${record.full_slug} in the story and ${row.slug} in the index`;
  }
  if ((record.parent_id ?? 0) !== row.parentId) {
    return `parent_id is ${record.parent_id} in the story and ${row.parentId} in the index`;
  }
  return undefined;
}

function sameInstant(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  return Date.parse(a) === Date.parse(b);
}

function bare(slug: string): string {
  return slug.endsWith("/") ? slug.slice(0, -1) : slug;
}

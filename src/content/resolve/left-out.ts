import type { Config } from "../../config/config.js";
import { matchesWildcard } from "../../contract/wildcard.js";

type Include = Config["source"]["include"];

/**
 * True if the configuration includes the story or folder with this full slug in the default
 * language: it starts with one of `startsWith` (a folder's own row counts with its trailing slash)
 * and matches none of `excludeSlugs`.
 */
export function isIncluded(slug: string, { startsWith, excludeSlugs }: Include): boolean {
  if (startsWith.length > 0 && !startsWith.some((prefix) => slug.startsWith(prefix) || `${slug}/` === prefix)) {
    return false;
  }
  return !excludeSlugs.some((pattern) => matchesWildcard(pattern, slug));
}

/** What is known of a story that an edition lacks. */
export interface LackedStory {
  /** Its row of the index; undefined if the snapshot has none. */
  row: { is_folder: boolean } | undefined;
  /** True if the default language has the story: then no rule left it out. */
  isInBase: boolean;
  /** The slug that a link was written with, without language and slashes at its ends; undefined for a relation. */
  written: string | undefined;
}

/**
 * True if `source.include` left out a story that something names, as far as the snapshot shows. It keeps the rows of
 * stories whose slug is included, so a rule about content types is certain. Without a row, the slug that the link was
 * written with decides, and a relation counts as left out where a rule about slugs is set.
 */
export function isLeftOut(include: Include, { row, isInBase, written }: LackedStory): boolean {
  if (isInBase || row?.is_folder === true) return false;
  if (row !== undefined) return include.contentTypes.length > 0;
  if (include.startsWith.length + include.excludeSlugs.length === 0) return false;
  if (written === undefined) return !include.related;
  return written !== "" && !isIncluded(written, include);
}

import type { Config } from "../../config/config.js";
import { wildcardTest } from "../../contract/wildcard.js";

type Include = Config["source"]["include"];

/** By its full slug in the default language. A folder's own row counts with its trailing slash. */
export function isIncluded(slug: string, { startsWith, excludeSlugs }: Include): boolean {
  if (startsWith.length > 0 && !startsWith.some((prefix) => slug.startsWith(prefix) || `${slug}/` === prefix)) {
    return false;
  }
  return !excludeSlugs.some((pattern) => wildcardTest(pattern)(slug));
}

export interface LackedStory {
  /** Its row of the index; undefined if the snapshot has none. */
  row: { is_folder: boolean } | undefined;
  /** True if the default language has the story: then no rule left it out. */
  isInBase: boolean;
  /** The slug that a link was written with, without language and slashes at its ends; undefined for a relation. */
  written: string | undefined;
}

/**
 * True if `source.include` left out a story that something names. Rows of stories whose slug is included are kept, so a
 * rule about content types is certain. Without a row, the written slug decides; a relation counts as left out.
 */
export function isLeftOut(include: Include, { row, isInBase, written }: LackedStory): boolean {
  if (isInBase || row?.is_folder === true) return false;
  if (row !== undefined) return include.contentTypes.length > 0;
  if (include.startsWith.length + include.excludeSlugs.length === 0) return false;
  if (written === undefined) return !include.related;
  return written !== "" && !isIncluded(written, include);
}

import type { Config } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import { matchesWildcard } from "../contract/wildcard.js";

/** Full slug in the default language, as far as a record tells it: without the Translatable Slugs app only the prefix is in the way. */
export function defaultSlug(
  { default_full_slug, full_slug }: Pick<StoryRecord, "default_full_slug" | "full_slug">,
  language: string,
): string {
  return default_full_slug ?? (full_slug.startsWith(`${language}/`) ? full_slug.slice(language.length + 1) : full_slug);
}

/**
 * Whether the configuration wants the story or folder with this full slug in the default language: it starts with one
 * of `startsWith` (a folder's own line counts with its trailing slash) and matches none of `excludeSlugs`.
 */
export function inScope(slug: string, include: Config["source"]["include"]): boolean {
  const { startsWith, excludeSlugs } = include;
  if (startsWith.length > 0 && !startsWith.some((prefix) => slug.startsWith(prefix) || `${slug}/` === prefix)) {
    return false;
  }
  return !excludeSlugs.some((pattern) => matchesWildcard(pattern, slug));
}

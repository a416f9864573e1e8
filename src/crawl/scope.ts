import type { Config } from "../config/config.js";
import { matchesWildcard } from "../contract/wildcard.js";

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

import type { EditionEntry, Manifest } from "../../snapshot/manifest.js";
import { chosenEdition } from "../../snapshot/reader/stored-story.js";

/**
 * The edition that the query of an address names with `language` and `version`; by default what is published in the default language.
 * @throws OffprintError `USAGE` where the generation has none
 */
export function editionOf(manifest: Manifest, query: URLSearchParams): EditionEntry {
  const version = query.get("version");
  return chosenEdition(manifest, {
    language: query.get("language") || undefined,
    version: version === "draft" || version === "published" ? version : undefined,
  });
}

/** The languages of the same version, the default language first. */
export function languagesOf({ editions }: Manifest, { version, release }: EditionEntry): string[] {
  const found = editions.filter((one) => one.version === version && one.release === release);
  return found
    .map(({ language }) => language)
    .sort((a, b) => Number(b === "default") - Number(a === "default") || (a < b ? -1 : 1));
}

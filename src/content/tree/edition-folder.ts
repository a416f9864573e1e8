import type { EditionEntry } from "../../snapshot/manifest.js";
import { safeSegment } from "./content-paths.js";

type EditionKeys = Pick<EditionEntry, "version" | "release" | "language">;

/** `de` for published stories, `draft/de`, `release-2001/de`, or `draft/release-2001/de`. */
export function editionFolder(edition: EditionKeys): string {
  const { version, release, language } = editionFolders(edition);
  return [...version, ...release, language].join("/");
}

/** The folders that tell an edition from others: for drafts, for a release, for the language. */
export function editionFolders({ version, release, language }: EditionKeys) {
  return {
    version: version === "draft" ? ["draft"] : [],
    release: release === null ? [] : [`release-${safeSegment(release)}`],
    language: languageFolder(language),
  };
}

/**
 * The folder of a language; a language called `draft` or `release-1` must not share a folder with drafts or a
 * release.
 */
function languageFolder(language: string): string {
  const name = safeSegment(language);
  if (!/^(?:draft$|release-)/i.test(name)) return name;
  return `%${name.charCodeAt(0).toString(16).toUpperCase()}${name.slice(1)}`;
}

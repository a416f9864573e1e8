import type { EditionEntry } from "../snapshot/manifest.js";
import { safeSegment } from "./content-paths.js";

/** `de` for published stories, `draft/de`, `release-2001/de`, or `draft/release-2001/de`. */
export function editionFolder({
  version,
  release,
  language,
}: Pick<EditionEntry, "version" | "release" | "language">): string {
  const folders = [
    ...(version === "draft" ? ["draft"] : []),
    ...(release === null ? [] : [`release-${safeSegment(release)}`]),
    languageFolder(language),
  ];
  return folders.join("/");
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

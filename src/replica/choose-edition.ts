import { editionName } from "../reader/part-names.js";
import type { Reader } from "../reader/reader.js";

/** Which stories a request asks for. */
export interface EditionRequest {
  version?: "published" | "draft" | undefined;
  from_release?: string | undefined;
  language?: string | undefined;
}

/** The edition that answers a request. */
export interface ChosenEdition {
  name: string;
  version: string;
  language: string;
  /** False when the snapshot lacks what was asked for and another edition stands in. */
  asked: boolean;
}

/** Tells in a response which edition stood in for one that the snapshot lacks. */
export const editionHeader = "X-Offprint-Edition";

/**
 * The edition that answers a request. What the snapshot lacks is answered from the nearest one that it has: a release
 * from the same version without it, a draft from what is published, and then a language (unknown to the space, or not
 * read) from the default language, with its own `lang`. A published request is never answered from drafts. Undefined
 * when nothing is near enough.
 */
export function chooseEdition(reader: Reader, request: EditionRequest): ChosenEdition | undefined {
  const version = request.version ?? "published";
  const language = request.language ?? "default";
  const release = request.from_release ?? null;
  const versions = version === "draft" ? ["draft", "published"] : ["published"];
  const releases = release === null ? [null] : [release, null];
  const languages = language === "default" ? ["default"] : [language, "default"];
  const asked = editionName(version, release, language);
  for (const candidateLanguage of languages) {
    for (const candidateVersion of versions) {
      for (const candidateRelease of releases) {
        const name = editionName(candidateVersion, candidateRelease, candidateLanguage);
        if (reader.edition(name) === undefined) continue;
        return { name, version: candidateVersion, language: candidateLanguage, asked: name === asked };
      }
    }
  }
  return undefined;
}

/** The header that names an edition which stands in for another one; none otherwise. */
export function editionHeaders(edition: ChosenEdition): Record<string, string> {
  return edition.asked ? {} : { [editionHeader]: edition.name };
}

/**
 * The version whose index, tags and other unkeyed parts answer a request: the one that was asked for, or `published`
 * for a snapshot without drafts.
 */
export function chooseVersion(reader: Reader, version: "published" | "draft" | undefined): "published" | "draft" {
  if (version !== "draft") return "published";
  return reader.manifest.editions.some((edition) => edition.version === "draft") ? "draft" : "published";
}

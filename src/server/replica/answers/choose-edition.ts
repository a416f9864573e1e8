import type { StoryQuery } from "../../../contract/endpoints.js";
import { editionName } from "../../../snapshot/layout.js";
import type { Reader } from "../../../snapshot/reader/reader.js";

export type EditionRequest = Pick<StoryQuery, "version" | "from_release" | "language">;

export interface ChosenEdition {
  name: string;
  version: "published" | "draft";
  language: string;
  /** The requested edition. Differs from `name` if the snapshot lacks it and `name` substitutes. */
  asked: string;
}

/** The header that names a substitute edition. */
export const editionHeader = "X-Offprint-Edition";

/**
 * For a missing edition takes the nearest: without the release, then published instead of draft, then the
 * default language with its own `lang`. Never answers a published request from drafts.
 */
export function chooseEdition(reader: Reader, request: EditionRequest, strict: boolean): ChosenEdition | undefined {
  const version = request.version ?? "published";
  const language = request.language ?? "default";
  const release = request.from_release ?? null;
  const versions = version === "draft" ? (["draft", "published"] as const) : (["published"] as const);
  const releases = release === null ? [null] : [release, null];
  const languages = language === "default" ? ["default"] : [language, "default"];
  const asked = editionName(version, release, language);
  for (const candidateLanguage of languages) {
    for (const candidateVersion of versions) {
      for (const candidateRelease of releases) {
        const name = editionName(candidateVersion, candidateRelease, candidateLanguage);
        if (reader.edition(name) === undefined || (strict && name !== asked)) continue;
        return { name, version: candidateVersion, language: candidateLanguage, asked };
      }
    }
  }
  return undefined;
}

/** For links and tags, which have no language. `published` substitutes for missing drafts. */
export function chooseVersion(
  reader: Reader,
  version: "published" | "draft" | undefined,
  strict: boolean,
): ChosenEdition | undefined {
  const asked = version ?? "published";
  const has = asked === "published" || reader.manifest.editions.some((edition) => edition.version === "draft");
  if (!has && strict) return undefined;
  const answered = has ? asked : "published";
  return { name: `${answered}/default`, version: answered, language: "default", asked: `${asked}/default` };
}

/** The header that lists parameters answered by an approximation. */
export const approximatedHeader = "X-Offprint-Approximated";

/**
 * The content source of an answer's stories. `asRead`: their records. `approximated`: another
 * `fallback_lang` than at reading; a field equal to the one in `base` is untranslated and takes
 * that of `taken`. `ignored`: the snapshot lacks `base` or `taken`. `defaultContent`:
 * `excluding_fields=component` asks for the default language, held by `taken`; `lacksDefault`: the
 * snapshot lacks it.
 */
export type Fallback =
  | { kind: "asRead" | "ignored" | "lacksDefault" }
  | { kind: "approximated"; base: string; taken: string }
  | { kind: "defaultContent"; taken: string };

/**
 * The default language has no fallback; an edition read without one contains it. Without `component` the
 * platform cannot translate (docs/interface-reference.md, section 4.1).
 */
export function chooseFallback(
  reader: Reader,
  { name, asked, language, version }: ChosenEdition,
  { fallback_lang: wanted, excluding_fields: excluded }: StoryQuery,
): Fallback {
  const isUntranslated = language !== "default" && excluded?.includes("component") === true;
  if (wanted === undefined && !isUntranslated) return { kind: "asRead" };
  const edition = reader.edition(name);
  const inLanguage = (code: string): string | undefined =>
    reader.manifest.editions.find(
      (other) =>
        other.version === version &&
        other.release === (edition?.release ?? null) &&
        underscored(other.language) === underscored(code),
    )?.name;
  if (isUntranslated || wanted === undefined) {
    const taken = inLanguage("default");
    return taken === undefined ? { kind: "lacksDefault" } : { kind: "defaultContent", taken };
  }
  const readWith = edition?.fallback ?? "default";
  if (language !== "default" && underscored(wanted) === readWith) return { kind: "asRead" };
  const [base, taken] = [inLanguage(readWith), inLanguage(wanted)];
  if (base === undefined || taken === undefined) return { kind: "ignored" };
  if (language === "default") return { kind: asked.endsWith("/default") ? "asRead" : "ignored" };
  return taken === name ? { kind: "ignored" } : { kind: "approximated", base, taken };
}

function underscored(language: string): string {
  return language.replaceAll("-", "_");
}

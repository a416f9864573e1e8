import type { StoryQuery } from "../../../contract/endpoints.js";
import { editionName } from "../../../snapshot/layout.js";
import type { Reader } from "../../../snapshot/reader/reader.js";

/** Which stories a request asks for. */
export interface EditionRequest {
  version?: "published" | "draft" | undefined;
  from_release?: string | undefined;
  language?: string | undefined;
}

/** The edition that answers a request. */
export interface ChosenEdition {
  name: string;
  version: "published" | "draft";
  language: string;
  /** The edition that was asked for. It differs from `name` where the snapshot lacks it, and `name` stands in. */
  asked: string;
}

/** The header that names the edition which stood in for one that the snapshot lacks. */
export const editionHeader = "X-Offprint-Edition";

/**
 * The edition that answers a request. What the snapshot lacks is answered from the nearest one that it has: a release
 * from the same version without it, a draft from what is published, and then a language (unknown to the space, or not
 * read) from the default language, with its own `lang`. A published request is never answered from drafts.
 *
 * @param strict Whether nothing may stand in.
 * @returns undefined where the snapshot has nothing to answer from
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

/**
 * The edition that answers for what has a version and no language: links and tags. As for stories, `published`
 * stands in for drafts that the snapshot lacks. A snapshot without any edition answers from `published`.
 */
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

/** The header that names the parameters which are answered by an approximation. */
export const approximatedHeader = "X-Offprint-Approximated";

/**
 * Which content the stories of an answer carry. `asRead`: that of their records. `approximated`: `fallback_lang` is another
 * one than they were read with; a field that equals the one in `base` is untranslated, and takes that of `taken`. `ignored`:
 * the snapshot lacks one of them. `defaultContent`: `excluding_fields=component` asks for the default language, which
 * `taken` holds; `lacksDefault`: the snapshot does not.
 */
export type Fallback =
  | { kind: "asRead" | "ignored" | "lacksDefault" }
  | { kind: "approximated"; base: string; taken: string }
  | { kind: "defaultContent"; taken: string };

/**
 * How an edition is answered with the `fallback_lang` of a request. One in the default language has nothing to fall back
 * from; one that was read without a fallback holds the default language. Without `component` the platform cannot translate
 * the content, and answers that of the default language (docs/interface-reference.md, section 4.1).
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

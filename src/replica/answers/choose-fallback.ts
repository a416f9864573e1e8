import type { StoryQuery } from "../../contract/endpoints.js";
import type { Reader } from "../../reader/reader.js";
import type { ChosenEdition } from "./choose-edition.js";

/** The header that names the parameters which are answered by an approximation. */
export const approximatedHeader = "X-Offprint-Approximated";

/**
 * How `fallback_lang` is answered. `asRead`: the records hold what it asks for. `approximated`: untranslated fields
 * are found with the help of two other editions: a field that equals the one in `base` is untranslated, and takes
 * the value that it has in `taken`. `ignored`: the snapshot lacks one of these editions.
 */
export type Fallback = { kind: "asRead" } | { kind: "ignored" } | { kind: "approximated"; base: string; taken: string };

/**
 * How the edition that answers a request is to be answered with the request's `fallback_lang`. An edition in the
 * default language has nothing to fall back from. One that was read without a fallback holds the default language
 * instead.
 */
export function chooseFallback(
  reader: Reader,
  { name, asked, language, version }: ChosenEdition,
  { fallback_lang: wanted }: StoryQuery,
): Fallback {
  if (wanted === undefined) return { kind: "asRead" };
  const edition = reader.edition(name);
  const readWith = edition?.fallback ?? "default";
  if (language !== "default" && underscored(wanted) === readWith) return { kind: "asRead" };
  const inLanguage = (code: string): string | undefined =>
    reader.manifest.editions.find(
      (other) =>
        other.version === version &&
        other.release === (edition?.release ?? null) &&
        underscored(other.language) === underscored(code),
    )?.name;
  const [base, taken] = [inLanguage(readWith), inLanguage(wanted)];
  if (base === undefined || taken === undefined) return { kind: "ignored" };
  if (language === "default") return { kind: asked.endsWith("/default") ? "asRead" : "ignored" };
  return taken === name ? { kind: "ignored" } : { kind: "approximated", base, taken };
}

function underscored(language: string): string {
  return language.replaceAll("-", "_");
}

import type { StoryQuery } from "../../../contract/endpoints.js";
import type { Reader } from "../../../snapshot/reader/reader.js";
import type { ChosenEdition } from "./choose-edition.js";

/** The header that names the parameters which are answered by an approximation. */
export const approximatedHeader = "X-Offprint-Approximated";

/**
 * Which content the stories of an answer carry. `asRead`: that of their records. `approximated`: `fallback_lang` asks
 * for another fallback than they were read with. A field that equals the one in the edition `base` is untranslated, and
 * takes the value that it has in the edition `taken`. `ignored`: the snapshot lacks one of these editions.
 * `defaultContent`: `excluding_fields=component` asks for the content of the default language, which `taken` holds.
 * `lacksDefault`: the snapshot does not hold it.
 */
export type Fallback =
  | { kind: "asRead" | "ignored" | "lacksDefault" }
  | { kind: "approximated"; base: string; taken: string }
  | { kind: "defaultContent"; taken: string };

/**
 * How the edition that answers a request is to be answered with the request's `fallback_lang`. An edition in the
 * default language has nothing to fall back from. One that was read without a fallback holds the default language
 * instead.
 *
 * Without `component` the platform cannot translate the content, and answers that of the default language
 * (docs/interface-reference.md, section 4.1). No other field of a story changes.
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

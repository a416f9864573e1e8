import type { StoryQuery } from "../contract/endpoints.js";
import { editionName } from "../reader/part-names.js";
import type { Reader } from "../reader/reader.js";
import type { ChosenEdition } from "./choose-edition.js";

/** Names the parameters that are answered by an approximation. */
export const approximatedHeader = "X-Offprint-Approximated";

/**
 * How `fallback_lang` is answered. `asRead`: the records hold what it asks for. `approximated`: untranslated fields are
 * looked for in two other editions, by name: what `base` holds is untranslated, what `taken` holds takes its place.
 * `ignored`: nothing at hand tells.
 */
export type Fallback = { kind: "asRead" } | { kind: "ignored" } | { kind: "approximated"; base: string; taken: string };

/**
 * What a request's `fallback_lang` comes to for the edition that answers it. Without a language there is nothing to fall
 * back from; the default language is what a record holds that was read without a fallback.
 */
export function chooseFallback(
  reader: Reader,
  { name, asked, language, version }: ChosenEdition,
  { fallback_lang: wanted }: StoryQuery,
): Fallback {
  if (wanted === undefined || (language === "default" && asked.endsWith("/default"))) return { kind: "asRead" };
  const edition = reader.edition(name);
  if (language === "default" || edition === undefined) return { kind: "ignored" };
  const readWith = edition.fallback ?? "default";
  if (underscored(wanted) === readWith) return { kind: "asRead" };
  const inLanguage = (code: string): string | undefined => {
    const known = reader.manifest.editions.find(
      (other) => other.version === version && other.release === edition.release && underscored(other.language) === code,
    );
    return known === undefined ? undefined : editionName(version, edition.release, known.language);
  };
  const [base, taken] = [inLanguage(readWith), inLanguage(underscored(wanted))];
  return base === undefined || taken === undefined || taken === name
    ? { kind: "ignored" }
    : { kind: "approximated", base, taken };
}

function underscored(language: string): string {
  return language.replaceAll("-", "_");
}

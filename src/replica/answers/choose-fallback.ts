import type { StoryQuery } from "../../contract/endpoints.js";
import type { Reader } from "../../reader/reader.js";
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

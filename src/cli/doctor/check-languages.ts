import type { Config } from "../../config/config.js";
import { namedLanguages, unlistedLanguages } from "../../sync/listed-languages.js";
import { languagesOf, type UpstreamFacts } from "./ask-upstream.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** Compares the configured languages with those the space lists. @param before those listed at the last generation */
export function checkSpaceLanguages(
  upstream: UpstreamFacts,
  { source }: Pick<Config, "source">,
  before: readonly string[] = [],
): Finding[] {
  const named = namedLanguages(source);
  if (named.length === 0 || upstream.space === undefined) return [];
  const listed = languagesOf(upstream);
  if (listed === undefined) {
    const hint = "Compare source.languages with the languages of the space.";
    return [finding("LANGUAGES_UNLISTED", `The upstream does not list its languages: ${named.join(", ")}?`, hint)];
  }
  const unlisted = unlistedLanguages(source, listed);
  if (unlisted.length === 0) return [finding("LANGUAGES_OK", `The space has ${named.join(", ")}.`)];
  return unlisted.map(({ code, message, hint }) =>
    finding(before.includes(code) ? "LANGUAGE_GONE" : "LANGUAGE_UNKNOWN", message, hint),
  );
}

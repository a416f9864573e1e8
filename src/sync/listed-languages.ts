import type { Config } from "../config/config.js";
import { nearestNamed } from "../config/schema/nearest-name.js";
import { OffprintError, type Problem } from "../lib/errors.js";
import { defaultLanguage } from "../snapshot/manifest.js";

/** A language of `source.languages` that the space does not list. */
export interface UnlistedLanguage {
  /** As the configuration spells it. */
  code: string;
  message: string;
  hint: string;
}

/** In the order of the file. The upstream answers them with texts of the default one: no answer shows the mistake. */
export function unlistedLanguages(
  { languages }: Pick<Config["source"], "languages">,
  listed: readonly string[],
): UnlistedLanguage[] {
  if (languages === "all") return [];
  const known = [...new Set([defaultLanguage, ...listed])];
  const fallbacks = new Set(known.map(withUnderscores));
  const unlisted = new Map<string, UnlistedLanguage>();
  for (const { code, fallback } of languages) {
    if (!known.includes(code)) unlisted.set(code, unlistedLanguage(code, "source.languages names", known));
    if (fallback === undefined || fallbacks.has(withUnderscores(fallback)) || unlisted.has(fallback)) continue;
    unlisted.set(fallback, unlistedLanguage(fallback, `source.languages names as the fallback of ${code}`, known));
  }
  return [...unlisted.values()];
}

/** The configured languages that can be misspelled: all except the default one. */
export function namedLanguages({ languages }: Pick<Config["source"], "languages">): string[] {
  if (languages === "all") return [];
  const named = languages.flatMap(({ code, fallback }) => (fallback === undefined ? [code] : [code, fallback]));
  return [...new Set(named)].filter((code) => code !== defaultLanguage);
}

/** @param listed undefined: unknown, a warning @throws `LANGUAGE_UNKNOWN`; `REMOVAL_BRAKE` if listed before */
export function checkLanguages(
  { source }: Pick<Config, "source">,
  listed: readonly string[] | undefined,
  before: readonly string[],
): Problem[] {
  if (listed === undefined) return unverified(source);
  const stops = unlistedLanguages(source, listed).map(({ code, message, hint }) =>
    before.includes(code)
      ? new OffprintError("REMOVAL_BRAKE", `The space no longer lists the language "${code}".`, {
          hint: "The previous generation was kept. If the language was removed on purpose, remove it from source.languages.",
        })
      : new OffprintError("LANGUAGE_UNKNOWN", message, { hint }),
  );
  const [first] = stops;
  if (first === undefined) return [];
  if (stops.length === 1) throw first;
  const problems = stops.map((stop) => stop.toProblem());
  throw new OffprintError(first.code, problems.map(({ message }) => message).join(" "), { problems });
}

function unverified(source: Config["source"]): Problem[] {
  const named = namedLanguages(source);
  if (named.length === 0) return [];
  const codes = named.map((code) => JSON.stringify(code)).join(", ");
  return [
    {
      code: "LANGUAGES_UNKNOWN",
      message: `The upstream does not list its languages, so ${codes} cannot be checked.`,
      hint: "Check the spelling in the space: the upstream answers an unknown language with texts of the default one.",
    },
  ];
}

function unlistedLanguage(code: string, where: string, known: readonly string[]): UnlistedLanguage {
  const meant = nearestNamed(code, known, languageNames);
  const hint = meant === undefined ? `source.languages may name: ${known.join(", ")}.` : `Did you mean ${meant}?`;
  return { code, message: `The space has no language "${code}", which ${where}.`, hint };
}

/** The interface writes a fallback with underscores; a configuration may, too. */
function withUnderscores(code: string): string {
  return code.replaceAll("-", "_");
}

/** Names of a language and its base, in English and in itself; none for an invalid code. */
function languageNames(code: string): string[] {
  const tag = code.replaceAll("_", "-");
  const [plain = tag] = tag.split("-");
  return [tag, plain].flatMap((language) => ["en", language].flatMap((locale) => languageName(language, locale)));
}

function languageName(tag: string, locale: string): string[] {
  try {
    return [new Intl.DisplayNames([locale], { type: "language", fallback: "none" }).of(tag) ?? ""];
  } catch {
    // Not a valid code: there is no name to compare with.
    return [];
  }
}

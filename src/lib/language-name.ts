const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** `German (de)`; a code that no language has as it is. `default` is the language a story is written in. */
export function languageName(language: string): string {
  if (language === "default") return "default language";
  try {
    const name = names.of(language);
    return name === undefined ? language : `${name} (${language})`;
  } catch {
    // The code is none that a language could have.
    return language;
  }
}

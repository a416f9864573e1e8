/** Returns `380 ms`, `12.3 s` or `4 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** Returns `2024-02-01 09:30` for an ISO date, and any other text unchanged. */
export function shortDate(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return "–";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? iso.slice(0, 16).replace("T", " ") : iso;
}

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

export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}

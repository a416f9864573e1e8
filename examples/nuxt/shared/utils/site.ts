export const origin = "https://lumenpress.example";
export const articlesPerPage = 12;

/** A language of the space as HTML names it. */
export function htmlLanguage(language: string): string {
  return { default: "en", "pt-br": "pt-BR" }[language] ?? language;
}

/** What the switcher calls it. */
export function languageName(language: string): string {
  return { default: "English", de: "Deutsch", "pt-br": "Português" }[language] ?? language;
}

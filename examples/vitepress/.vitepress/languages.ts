/** A language of the space as HTML names it. */
export function htmlLanguage(language: string): string {
  return { default: "en", "pt-br": "pt-BR" }[language] ?? language;
}

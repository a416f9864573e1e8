/** Where your site will be. */
export const origin = "https://www.example.com";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

export function codeOf(language/*: string */) {
  return language === "default" ? defaultLanguage : language;
}

/** The address of a page of the list. */
export function listUrl(language/*: string */, number = 1) {
  return `${language === "default" ? "" : `/${language}`}/stories/${number === 1 ? "" : `${number}/`}`;
}

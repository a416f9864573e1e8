import type { Snapshot } from "offprint";

/** Where your site will be. */
export const origin = "https://www.example.com";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
const storiesPerPage = 20;

export function codeOf(language: string): string {
  return language === "default" ? defaultLanguage : language;
}

/** The address of a page of the list. */
export function listUrl(language: string, number = 1): string {
  return `${language === "default" ? "" : `/${language}`}/stories/${number === 1 ? "" : `${number}/`}`;
}

/** The pages of the list in a language. */
export async function listPages(snapshot: Snapshot, language: string) {
  const all = await snapshot.references({ startsWith: folder, language, pages: true });
  const last = Math.max(1, Math.ceil(all.length / storiesPerPage));
  return Array.from({ length: last }, (_, at) => {
    const shown = all.slice(at * storiesPerPage, (at + 1) * storiesPerPage);
    const stories = shown.map(({ uuid, name, url }) => ({ uuid, name, url }));
    return { url: listUrl(language, at + 1), number: at + 1, last, stories };
  });
}

import { getCollection } from "astro:content";
import type { SitePage } from "offprint/astro";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
export const storiesPerPage = 20;

export function codeOf(language: string): string {
  return language === "default" ? defaultLanguage : language;
}

export function titleOf({ content, name }: SitePage): string {
  return String(content.title || name);
}

/** The address of the list in a language. */
export function listUrl(language: string): string {
  return language === "default" ? "/stories" : `/${language}/stories`;
}

export const pages: SitePage[] = (await getCollection("pages")).map(({ data }) => data);

export const languages = [...new Set(pages.map(({ language }) => language))];

export function listed(language: string): SitePage[] {
  const inFolder = ({ default_full_slug, full_slug }: SitePage) => (default_full_slug ?? full_slug).startsWith(folder);
  return pages.filter((page) => page.language === language && inFolder(page));
}

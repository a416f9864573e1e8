import { pathOf, siteSnapshot } from "offprint/next";
import { cache } from "react";
/*:: import type { Story } from "offprint"; */

/** Where your site will be. */
export const origin = "https://www.example.com";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
const storiesPerPage = 20;

export const content = siteSnapshot();

export function codeOf(language/*: string */) {
  return language === "default" ? defaultLanguage : language;
}

export function titleOf({ content, name }/*: Story */) {
  return String(content.title || name);
}

/** The address of a page of the list. */
export function listUrl(language/*: string */, number = 1) {
  return `${language === "default" ? "" : `/${language}`}/stories/${number === 1 ? "" : `${number}/`}`;
}

/** What is at a path: a story, a page of the list, or the address that a story had before. */
export const findPage = cache(async (segments/*: string[] | undefined */) => {
  const snapshot = await content();
  const path = pathOf(segments);
  const story = await snapshot.page(path, { body: true });
  const translations = story === undefined ? [] : await snapshot.translations(story.uuid);
  const isHere = (address/*: string */) => address.replace(/\/$/, "") === path;
  const list = story === undefined ? (await lists()).find(({ url }) => isHere(url)) : undefined;
  const moved = (await snapshot.redirects()).find(({ from }) => isHere(from));
  return { story, translations, list, moved, language: story?.language ?? list?.language ?? "default" };
});

/** The pages of the list, in each language. */
export const lists = cache(async () => {
  const snapshot = await content();
  const pages = [];
  for (const language of snapshot.languages) {
    const stories = await snapshot.references({ startsWith: folder, language, pages: true });
    const last = Math.max(1, Math.ceil(stories.length / storiesPerPage));
    for (let number = 1; number <= last; number++) {
      const shown = stories.slice((number - 1) * storiesPerPage, number * storiesPerPage);
      pages.push({ url: listUrl(language, number), language, number, last, stories: shown });
    }
  }
  return pages;
});

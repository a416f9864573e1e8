import { pathOf, siteSnapshot } from "offprint/next";
import { cache } from "react";

export const content = siteSnapshot();

/** Where the site will be. */
export const origin = "https://lumenpress.example";

/** Codes for `lang` and `hreflang`, and how a language calls itself. */
export const languages = {
  default: { code: "en", name: "English" },
  de: { code: "de", name: "Deutsch" },
  "pt-br": { code: "pt-BR", name: "Português" },
};

const articlesPerPage = 10;

/** What is at a path: a story, one of the journal's pages, or the address that a story had before. */
export const findPage = cache(async (segments) => {
  const snapshot = await content();
  const path = pathOf(segments);
  const [, address, number = "1"] = /^(.*?)(?:\/page\/(\d+))?$/.exec(path);
  const story = await snapshot.page(address, { depth: 1, richText: "html", body: true });
  if (story !== undefined) {
    const journal = isJournal(story) ? await journalPage(story, Number(number)) : undefined;
    return { story, journal, path, translations: await snapshot.translations(story.uuid) };
  }
  const moved = [{ from: "/blog", to: "/journal" }, ...(await snapshot.redirects())];
  return { redirect: moved.find(({ from }) => from === path)?.to };
});

/** The paths of the journal's pages after the first, and the addresses that stories had before. */
export async function otherPaths() {
  const snapshot = await content();
  const paths = ["/blog", ...(await snapshot.redirects()).map(({ from }) => from)];
  for (const language of snapshot.languages) {
    const { url } = (await pageAt("journal/", language)) ?? {};
    const { last } = await journalPage({ url, language }, 1);
    for (let number = 2; number <= last; number++) paths.push(`${url}/page/${number}`);
  }
  return paths;
}

function isJournal({ default_full_slug }) {
  return default_full_slug === "journal/";
}

async function journalPage({ url, language }, number) {
  const all = await articlesIn(language);
  const start = (number - 1) * articlesPerPage;
  const last = Math.max(1, Math.ceil(all.length / articlesPerPage));
  return { url, number, last, articles: all.slice(start, start + articlesPerPage) };
}

/** The journal, newest first. */
export const articlesIn = cache(async (language) => {
  const articles = [];
  for await (const article of (await content()).stories({ component: "article", language })) articles.push(article);
  return articles.sort((a, b) => (a.content.published_on < b.content.published_on ? 1 : -1));
});

/** The story at a slug of the default language, in a language, or in the default one. */
export const pageAt = cache(async (slug, language) => {
  const snapshot = await content();
  const story = await snapshot.story({ slug });
  const translations = story === undefined ? [] : await snapshot.translations(story.uuid);
  return translations.find((page) => page.language === language) ?? translations[0];
});

/** The stories right below a start page. */
export async function childrenOf({ is_startpage, full_slug, language }) {
  if (!is_startpage) return [];
  const startsWith = language === "default" ? full_slug : full_slug.slice(language.length + 1);
  const children = [];
  for await (const story of (await content()).stories({ startsWith, language })) {
    if (/^[^/]+\/?$/.test(story.full_slug.slice(full_slug.length))) children.push(story);
  }
  return children;
}

/** The values of a datasource in a language, by name. */
export const valuesOf = cache(async (datasource, language) => {
  const entries = (await (await content()).datasource(datasource)) ?? [];
  return Object.fromEntries(entries.map(({ name, value, dimensions }) => [name, dimensions[language] ?? value]));
});

export function titleOf({ content, name }) {
  return content?.title || content?.headline || content?.question || content?.term || content?.name || name;
}

export function introOf({ content }) {
  const intro = content?.intro || content?.teaser || content?.about || content?.line || content?.summary;
  return typeof intro === "string" && !intro.startsWith("<") ? intro : "";
}

export function dateIn(language, text) {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return new Intl.DateTimeFormat(languages[language].code, { dateStyle: "long", timeZone: "UTC" }).format(day);
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExpectedPage, SiteExpectations } from "./site-expectations.js";

/** The languages of the demo space as HTML names them. */
const languages: Readonly<Record<string, string>> = { default: "en", de: "de", "pt-br": "pt-BR" };

/** Texts that a reader has to see, by the slug of their story and the language of the page. */
const texts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Some generator would run these, or take them for markup.
  "style-guide/rich-text": {
    en: [
      "*Asterisks*, _underscores_, # hashes, <b>tags</b>, [brackets](and more), 1. numbers & ampersands are only text.",
      "// `ticks`, <tags> & all",
    ],
  },
  // The author is a relation, the binding an entry of a datasource.
  "books/shore/the-harbour-lights": {
    en: ["Mira Vossberg", "Cloth"],
    de: ["Mira Vossberg", "Leinen"],
    "pt-BR": ["Mira Vossberg", "Cloth"],
  },
};
const titles: Readonly<Record<string, string>> = {
  "style-guide/odd/quotes-and-colons": '"Quotes": & <colons>, #hashes — ‘and’ 100 % of the rest',
};

/**
 * What a site that shows every published story, or every draft, of the demo space has to be, told by the content tree of its sync alone.
 *
 * @param content the folder of the content tree, with `links.json` and `index.json`
 * @param own further addresses of pages that are of no story, beside the pages of the journal's list, `/blog` and `/en`, which
 *   lead on, and folders without a start page, which some generators list
 * @param origin where the site says that it is: `https://lumenpress.example`
 */
export async function expectedDemoSite(
  content: string,
  origin: string,
  own: readonly RegExp[] = [],
): Promise<SiteExpectations> {
  const read = async (name: string) => JSON.parse(await readFile(join(content, name), "utf8"));
  const { generation } = (await read("index.json")) as { generation: number };
  const links = (await read("links.json")) as { slug: string; editions: Record<string, { url: string }> }[];
  const pages = links.flatMap(({ slug, editions }) => pagesOf(slug, editions));
  return {
    origin,
    generation,
    pages,
    own: [
      /^(?:\/de\/journal|\/pt-br\/diario|\/journal)\/page\/\d+$/,
      /^\/blog$/,
      /^\/en$/,
      ...foldersOf(pages),
      ...own,
    ],
    deadLinks: [
      "/books/never-written",
      "/books/night-sky/the-withdrawn-comet",
      "/about/contact#tickets",
      "/de/ueber-uns/kontakt#tickets",
    ],
  };
}

/** The addresses above those of the pages. */
function foldersOf(pages: readonly ExpectedPage[]): RegExp[] {
  const above = pages.flatMap(({ url }) => {
    const segments = url.split("/").filter(Boolean).slice(0, -1);
    return segments.map((_, at) => `/${segments.slice(0, at + 1).join("/")}`);
  });
  return [...new Set(above)].map((path) => new RegExp(`^${path.replace(/[^\w/-]/g, "\\$&")}$`));
}

function pagesOf(slug: string, editions: Readonly<Record<string, { url: string }>>): ExpectedPage[] {
  const translations = Object.fromEntries(
    Object.entries(editions).flatMap(([edition, { url }]) => {
      const language = languages[edition.replace(/^(?:published|draft)\//, "")];
      return language === undefined ? [] : [[language, url]];
    }),
  );
  return Object.entries(translations).map(([language, url]) => {
    const title = language === "en" ? titles[slug] : undefined;
    const shown = texts[slug]?.[language] ?? [];
    return { url, language, translations, texts: shown, ...(title === undefined ? {} : { title }) };
  });
}

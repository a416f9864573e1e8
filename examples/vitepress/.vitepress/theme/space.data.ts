import { type DatasourceEntry, openSnapshot, type Snapshot, type Translation } from "offprint";
import { htmlLanguage } from "../languages";

export interface Article {
  title: string;
  url: string;
  teaser: string;
  day: string;
}

export interface MenuItem {
  label: string;
  url: string;
}

/** What every page may show of others, by the language of the page. */
export interface Space {
  languages: Record<string, { home: string; menu: MenuItem[]; articles: Article[] }>;
  datasources: Record<string, readonly DatasourceEntry[]>;
}

declare const data: Space;
export { data };

export default {
  // The development server loads this again for each generation.
  watch: ["../../.offprint/manifest.json"],
  async load(): Promise<Space> {
    await using snapshot = await openSnapshot();
    const languages: Space["languages"] = {};
    for (const language of snapshot.languages) {
      const articles: Article[] = [];
      for await (const { content, url } of snapshot.stories({ component: "article", language })) {
        const { headline, teaser, published_on } = content as unknown as Record<string, string>;
        articles.push({ title: headline, url, teaser, day: published_on.slice(0, 10) });
      }
      articles.sort((a, b) => (a.day < b.day ? 1 : -1));
      const menu: MenuItem[] = [];
      for (const slug of ["books", "authors", "journal", "shops"]) {
        const page = await inLanguage(snapshot, `${slug}/`, language);
        if (page !== undefined) menu.push({ label: `nav.${slug}`, url: page.url });
      }
      const home = (await inLanguage(snapshot, "home", language))?.url ?? "/";
      languages[htmlLanguage(language)] = { home, menu, articles };
    }
    const datasources: Space["datasources"] = {};
    for (const slug of ["labels", "bindings"]) datasources[slug] = (await snapshot.datasource(slug)) ?? [];
    return { languages, datasources };
  },
};

/** A story in another language, where its slug is another one too. */
async function inLanguage(snapshot: Snapshot, slug: string, language: string): Promise<Translation | undefined> {
  const story = await snapshot.story(slug);
  const translations = story === undefined ? [] : await snapshot.translations(story.uuid);
  return translations.find((translation) => translation.language === language);
}

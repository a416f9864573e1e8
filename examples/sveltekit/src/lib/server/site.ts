import type { Story, StoryReference } from "offprint";
import { snapshot } from "offprint:content";

export interface Article {
  title: string;
  url: string;
  teaser: string;
  day: string;
}

/** The value of a datasource's entry in a language. */
export async function entry(datasource: string, name: unknown, language: string): Promise<string> {
  const found = (await snapshot.datasource(datasource))?.find((one) => one.name === name || one.value === name);
  return found?.dimensions[language] ?? found?.value ?? String(name ?? "");
}

/** The story of a slug of the default language, in another one. */
export async function inLanguage(slug: string, language: string): Promise<string | undefined> {
  const story = await snapshot.story(slug);
  const translations = story === undefined ? [] : await snapshot.translations(story.uuid);
  return translations.find((one) => one.language === language)?.url;
}

/** The articles of a language, newest first. */
export async function articles(language: string): Promise<Article[]> {
  const found: Article[] = [];
  for await (const { content, url } of snapshot.stories({ component: "article", language })) {
    const { headline, teaser, published_on } = content as Record<string, unknown>;
    found.push({ title: String(headline), url, teaser: String(teaser), day: String(published_on).slice(0, 10) });
  }
  return found.sort((a, b) => (a.day < b.day ? 1 : -1));
}

/** How many articles a page of the journal has; undefined for a story that is no journal. */
export function journalSize({ content, full_slug }: Story): number | undefined {
  const { body } = content as { body?: { component: string; count?: string }[] };
  if (!Array.isArray(body) || !full_slug.endsWith("/")) return undefined;
  const block = body.find(({ component }) => component === "latest_articles");
  return block && Number(block.count);
}

/** What is in the folder of a start page, but not what is in folders below it. */
export async function inFolder(page: Story): Promise<StoryReference[]> {
  const { full_slug, is_startpage, language } = page;
  if (!is_startpage) return [];
  const folder = language === "default" ? full_slug : full_slug.slice(language.length + 1);
  const below = await snapshot.references({ startsWith: folder, language });
  return below.filter((one) => /^[^/]+\/?$/.test(one.full_slug.slice(full_slug.length)));
}

/** The stories that a field names; one that is not published is only a uuid, and is left out. */
export function references(field: unknown): StoryReference[] {
  return Array.isArray(field) ? field.filter((one) => typeof one === "object" && one !== null) : [];
}

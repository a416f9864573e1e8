import { getCollection } from "astro:content";
import type { SitePage } from "offprint/astro";

/** Codes for `lang` and `hreflang`, and how a language calls itself. */
export const languages: Record<string, { code: string; name: string }> = {
  default: { code: "en", name: "English" },
  de: { code: "de", name: "Deutsch" },
  "pt-br": { code: "pt-BR", name: "Português" },
};

export const articlesPerPage = 10;

const entries = await getCollection("pages");
export const pages: SitePage[] = entries.map(({ data }) => data);

export function titleOf({ content, name }: SitePage): string {
  return String(content.title || content.headline || content.question || content.term || content.name || name);
}

export function introOf({ content }: SitePage): string {
  const intro = content.intro || content.teaser || content.about || content.line || content.summary;
  return typeof intro === "string" && !intro.startsWith("<") ? intro : "";
}

/** What a card shows of a story. */
export function pictureOf({ content }: SitePage): { src?: string } | undefined {
  return (content.cover ?? content.portrait) as { src?: string } | undefined;
}

/** The page of a story in a language, or in the default one. `slug` is that of the default language. */
export function pageAt(slug: string, language: string): SitePage | undefined {
  const inDefault = pages.find((page) => page.language === "default" && page.full_slug === slug);
  return pages.find((page) => page.language === language && page.uuid === inDefault?.uuid) ?? inDefault;
}

export function pagesOf(component: string, language: string): SitePage[] {
  return pages.filter((page) => page.language === language && page.content.component === component);
}

/** The journal, newest first. */
export function articlesIn(language: string): SitePage[] {
  const day = ({ content }: SitePage) => String(content.published_on);
  return pagesOf("article", language).sort((a, b) => (day(a) < day(b) ? 1 : -1));
}

/** The stories right below a start page. */
export function childrenOf(page: SitePage): SitePage[] {
  if (!page.is_startpage) return [];
  const below = (slug: string) => slug.startsWith(page.full_slug) && /^[^/]+\/?$/.test(slug.slice(page.full_slug.length));
  return pages.filter((other) => other.language === page.language && below(other.full_slug));
}

/** The entries of a datasource in a language, by name. */
export async function entriesOf(datasource: "labels" | "bindings", language: string): Promise<Record<string, string>> {
  const all = await getCollection(datasource);
  return Object.fromEntries(all.map(({ data }) => [data.name, data.dimensions[language] ?? data.value]));
}

export function dateIn(language: string, date: string): string {
  const day = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return new Intl.DateTimeFormat(languages[language]?.code, { dateStyle: "long", timeZone: "UTC" }).format(day);
}

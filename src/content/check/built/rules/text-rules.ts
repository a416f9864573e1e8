import { inMap } from "../../../../lib/collections/in-map.js";
import { plural } from "../../../../lib/quantity-text.js";
import { type BuiltPage, type BuiltReport, type BuiltSite, type BuiltStory, groupOf } from "../built-site.js";
import { isDefault } from "../read-stories.js";

/** Pages without their story's title or longest paragraph, where three quarters show theirs, or all but one. */
export function pageTextMissing({ pages }: BuiltSite): BuiltReport[] {
  const shown = new Shown();
  const own = [...pages.values()].flatMap((page) => {
    const isRead = page.story !== undefined && page.unread === undefined && page.refresh === undefined;
    return isRead ? [{ page, story: page.story! }] : [];
  });
  for (const { page, story } of own) {
    if (story.titles.length > 0) shown.count(groupOf(story), page.showsTitle);
    for (const [at, { field }] of story.paragraphs.entries()) shown.count(field, page.shows[at] === true);
  }
  return own.flatMap(({ page, story }) => reportOf(page, story, shown) ?? []);
}

function reportOf(page: BuiltPage, story: BuiltStory, shown: Shown): BuiltReport | undefined {
  const { titles, paragraphs } = story;
  const told = { code: "PAGE_TEXT_MISSING", story } as const;
  if (paragraphs.length > 0 && !page.showsTitleInBody && !page.shows.includes(true)) {
    return {
      ...told,
      wrong: "all",
      message: "The page shows nothing of the story: neither its title nor one of its texts.",
    };
  }
  if (titles.length > 0 && !page.showsTitle && shown.isUsual(groupOf(story))) {
    return { ...told, wrong: "title", message: "The page does not have the story's title." };
  }
  const at = paragraphs.findIndex(({ field }) => shown.isUsual(field));
  const longest = paragraphs[at];
  if (longest === undefined || page.shows[at] === true) return undefined;
  const message = `The page does not have the story's longest paragraph, "${longest.begins} …".`;
  return { ...told, field: longest.path, wrong: "paragraph", message };
}

/** How many pages show what they should. */
class Shown {
  readonly #counts = new Map<string, { all: number; shown: number }>();

  count(what: string, isShown: boolean): void {
    const counts = inMap(this.#counts, what, () => ({ all: 0, shown: 0 }));
    counts.all += 1;
    if (isShown) counts.shown += 1;
  }

  isUsual(what: string): boolean {
    const { all, shown } = this.#counts.get(what) ?? { all: 0, shown: 0 };
    return all > 2 && shown >= Math.min(all * 0.75, all - 1);
  }
}

const sameShare = 0.9;

/** Pages of a language whose shell is in the default one; where nearly all are, one finding for the language. */
export function shellUntranslated({ pages, defaultLang }: BuiltSite): BuiltReport[] {
  const byEdition = new Map<string, OwnPage[]>();
  for (const page of pages.values()) {
    const { story, unread, refresh } = page;
    if (story === undefined || isDefault(story.edition) || unread !== undefined || refresh !== undefined) continue;
    inMap(byEdition, story.edition.name, () => []).push({ page, story, why: whyOf(page, story, defaultLang) });
  }
  return [...byEdition.values()].flatMap(reportsOf);
}

interface OwnPage {
  page: BuiltPage;
  story: BuiltStory;
  why: string | undefined;
}

function reportsOf(all: readonly OwnPage[]): BuiltReport[] {
  const found = all.filter(({ why }) => why !== undefined);
  const [first] = found;
  if (first !== undefined && found.length > 1 && found.length >= all.length * sameShare) {
    const { edition } = first.story;
    const message = `${found.length} of ${plural(all.length, "page")} in ${edition.language} have a shell in the default language: ${first.why} (${first.page.address}).`;
    return [{ code: "SHELL_UNTRANSLATED", subject: edition.name, wrong: "all", message }];
  }
  return found.map(({ story, page, why }) => {
    return {
      code: "SHELL_UNTRANSLATED",
      story,
      wrong: page.lang,
      message: `The page ${page.address} has a shell in the default language: ${why}.`,
    };
  });
}

function whyOf({ lang, shellShare }: BuiltPage, { edition }: BuiltStory, defaultLang: string): string | undefined {
  const isOther = primary(edition.language) !== primary(defaultLang);
  if (lang !== "" && isOther && primary(lang) === primary(defaultLang)) return `lang is "${lang}"`;
  return shellShare >= sameShare ? "its header, footer or labels are those of the default language" : undefined;
}

function primary(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0]!;
}

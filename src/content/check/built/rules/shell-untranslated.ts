import { inMap } from "../../../../lib/collections/in-map.js";
import { plural } from "../../../../lib/quantity-text.js";
import type { BuiltReport } from "../built-report.js";
import type { BuiltPage, BuiltSite, BuiltStory } from "../built-site.js";
import { isDefault } from "../read-stories.js";

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

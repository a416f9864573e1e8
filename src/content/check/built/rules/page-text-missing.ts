import { inMap } from "../../../../lib/collections/in-map.js";
import type { BuiltReport } from "../built-report.js";
import { type BuiltPage, type BuiltSite, type BuiltStory, groupOf } from "../built-site.js";

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

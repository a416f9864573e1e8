import { inMap } from "../../../../lib/collections/in-map.js";
import { plural } from "../../../../lib/quantity-text.js";
import { storyTitle } from "../../../names/story-title.js";
import type { CheckedBuild } from "../../run-check.js";
import { type BuiltReport, type BuiltSite, type BuiltStory, groupOf } from "../built-site.js";

/** Stories without their page; one finding for a type that has none in a language. */
export function pageMissing({ stories, files, addresses }: BuiltSite): BuiltReport[] {
  if (stories.length > 0 && stories.every(({ file }) => file === undefined)) return [noPages(stories, files.folder)];
  const groups = new Map<string, BuiltStory[]>();
  for (const story of stories) inMap(groups, groupOf(story), () => []).push(story);
  const typesWithPages = new Set(stories.flatMap(({ file, type }) => (file === undefined ? [] : [type])));
  return [...groups.values()].flatMap((group): BuiltReport[] => {
    const missing = group.filter(({ file, url }) => file === undefined && !isUnknown(url));
    if (missing.length > 0 && missing.length === group.length) return [noneOfType(group, typesWithPages)];
    return missing.map((story) => ({
      ...{ code: "PAGE_MISSING", story, wrong: story.url },
      message: `The built site has no page at ${story.url}.`,
    }));
  });

  function isUnknown(url: string): boolean {
    const path = addresses.pathOf(url, "/");
    return path !== undefined && files.isUnknown(path);
  }
}

function noPages(stories: readonly BuiltStory[], folder: string): BuiltReport {
  const many = plural(stories.length, "story", "stories");
  const message = `None of ${many} has a page in ${folder}, for example at ${stories[0]!.url}. It may be another folder, an empty build, or resolve.links.pattern may not be how the site spells addresses.`;
  return { code: "PAGE_MISSING", subject: "all", wrong: "all", message };
}

/** An error if another language has pages of the type, because then the site makes them. */
function noneOfType(group: readonly BuiltStory[], typesWithPages: ReadonlySet<string>): BuiltReport {
  const [{ type, edition, url }] = group as [BuiltStory];
  const many = plural(group.length, "story", "stories");
  const message = `None of ${many} of the type "${type}" (${edition.name}) has a page, for example at ${url}.`;
  const level = typesWithPages.has(type) ? "error" : "warning";
  return { code: "PAGE_MISSING", level, subject: groupOf(group[0]!), wrong: "type", message };
}

/** Pages at addresses that stories had once, except those that redirect. */
export function pageGone({ gone, pages, redirects, addresses }: BuiltSite): BuiltReport[] {
  const pathOf = (address: string) => addresses.pathOf(address, "/")?.replace(/(?<=.)\/$/, "");
  const redirected = new Set(redirects.map(({ from }) => pathOf(from)));
  return gone.flatMap((story): BuiltReport[] => {
    if (redirected.has(pathOf(story.url)) || pages.get(story.file)?.refresh !== undefined) return [];
    const { generation, movedTo, url } = story;
    const now = movedTo === undefined ? "was deleted or unpublished since" : `is at ${movedTo} now`;
    const message = `The built site still has a page at ${url}, of ${storyTitle(story)}, which generation ${generation} has there and which ${now}.`;
    return [{ code: "PAGE_GONE", story, wrong: url, message }];
  });
}

/** How many pages there are, by type and edition, and how many stories should have one. */
export type PageCounts = CheckedBuild["counts"];

/** The group of the pages that show no story. */
const ofNoStory = "";

const mostLost = 0.1;

export function countPages({ stories, pages }: BuiltSite): PageCounts {
  const counts = new Map<string, { pages: number; stories: number }>();
  const ofGroup = (group: string) => inMap(counts, group, () => ({ pages: 0, stories: 0 }));
  for (const story of stories) {
    const group = ofGroup(groupOf(story));
    group.stories += 1;
    if (story.file !== undefined) group.pages += 1;
  }
  for (const { story, refresh } of pages.values()) {
    if (story === undefined && refresh === undefined) ofGroup(ofNoStory).pages += 1;
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Types with over a tenth fewer pages than before, of which not as many stories are gone. */
export function pagesFewer(now: PageCounts, before: PageCounts): BuiltReport[] {
  return Object.entries(before).flatMap(([group, { pages: had, stories: hadStories }]): BuiltReport[] => {
    const { pages, stories } = now[group] ?? { pages: 0, stories: 0 };
    const lost = had - pages - Math.max(0, hadStories - stories);
    if (had === 0 || lost <= had * mostLost) return [];
    const [edition = "", ...type] = group.split(" ");
    const what =
      group === ofNoStory ? "pages that show no story" : `pages of the type "${type.join(" ")}" (${edition})`;
    const message = `The built site has ${pages} ${what}; the last checked build had ${had}.`;
    const level = group === ofNoStory ? ({ level: "warning" } as const) : {};
    return [{ code: "PAGES_FEWER", subject: group, wrong: "fewer", message, ...level }];
  });
}

export function pageUnread({ pages }: BuiltSite): BuiltReport[] {
  return [...pages.values()].flatMap(({ file, story, unread }): BuiltReport[] => {
    if (unread === undefined) return [];
    const message = `The file ${file} was not read to its end. ${unread}`;
    return [{ code: "PAGE_UNREAD", story, subject: file, wrong: file, message }];
  });
}

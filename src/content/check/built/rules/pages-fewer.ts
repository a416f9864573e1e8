import { inMap } from "../../../../lib/collections/in-map.js";
import type { BuiltReport } from "../built-report.js";
import { type BuiltSite, groupOf } from "../built-site.js";

/** How many pages there are, by type and edition, and how many stories should have one. */
export type PageCounts = Readonly<Record<string, { pages: number; stories: number }>>;

/** What is counted for pages of no story. */
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
    const what = group === ofNoStory ? "pages of no story" : `pages of the type "${type.join(" ")}" (${edition})`;
    const message = `The built site has ${pages} ${what}; the last checked build had ${had}.`;
    const level = group === ofNoStory ? ({ level: "warning" } as const) : {};
    return [{ code: "PAGES_FEWER", subject: group, wrong: "fewer", message, ...level }];
  });
}

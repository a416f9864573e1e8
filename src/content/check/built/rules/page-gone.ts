import { storyTitle } from "../../../names/story-title.js";
import type { BuiltReport } from "../built-report.js";
import type { BuiltSite } from "../built-site.js";

/** Pages at addresses that stories had once; a page that leads on is none. */
export function pageGone({ gone, pages, redirects, addresses }: BuiltSite): BuiltReport[] {
  const leadOn = new Set(redirects.map(({ from }) => addresses.pathOf(from, "/")?.replace(/(?<=.)\/$/, "")));
  return gone.flatMap((story): BuiltReport[] => {
    const isRedirect = leadOn.has(addresses.pathOf(story.url, "/")?.replace(/(?<=.)\/$/, ""));
    if (isRedirect || pages.get(story.file)?.refresh !== undefined) return [];
    const { generation, movedTo, url } = story;
    const now = movedTo === undefined ? "was deleted or unpublished since" : `is at ${movedTo} now`;
    const message = `The built site still has a page at ${url}, of ${storyTitle(story)}, which generation ${generation} has there and which ${now}.`;
    return [{ code: "PAGE_GONE", story, wrong: url, message }];
  });
}

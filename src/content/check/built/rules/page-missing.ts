import { inMap } from "../../../../lib/collections/in-map.js";
import { plural } from "../../../../lib/quantity-text.js";
import type { BuiltReport } from "../built-report.js";
import { type BuiltSite, type BuiltStory, groupOf } from "../built-site.js";

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

/** Where another language has pages of the type, the site makes them. */
function noneOfType(group: readonly BuiltStory[], typesWithPages: ReadonlySet<string>): BuiltReport {
  const [{ type, edition, url }] = group as [BuiltStory];
  const many = plural(group.length, "story", "stories");
  const message = `None of ${many} of the type "${type}" (${edition.name}) has a page, for example at ${url}.`;
  const level = typesWithPages.has(type) ? "error" : "warning";
  return { code: "PAGE_MISSING", level, subject: groupOf(group[0]!), wrong: "type", message };
}

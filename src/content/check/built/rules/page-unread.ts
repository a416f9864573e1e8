import type { BuiltReport } from "../built-report.js";
import type { BuiltSite } from "../built-site.js";

export function pageUnread({ pages }: BuiltSite): BuiltReport[] {
  return [...pages.values()].flatMap(({ file, story, unread }): BuiltReport[] => {
    if (unread === undefined) return [];
    const message = `The file ${file} was not read to its end. ${unread}`;
    return [{ code: "PAGE_UNREAD", story, subject: file, wrong: file, message }];
  });
}

import { inMap } from "../../../../lib/collections/in-map.js";
import type { BuiltReport } from "../built-report.js";
import type { BuiltPage, BuiltSite } from "../built-site.js";

/** Pages of stories that are named as a translation and do not name those that do, and names of pages that are not there. */
export function hreflangOneSided(site: BuiltSite): BuiltReport[] {
  const { addresses, files, pages } = site;
  const found: BuiltReport[] = [];
  const unanswered = new Map<BuiltPage, BuiltPage[]>();
  const namedBy = namedPages(site);
  for (const page of pages.values()) {
    // The second page of a list often names the first one of other languages.
    if (page.story === undefined) continue;
    for (const [language, address] of page.alternates) {
      const path = addresses.pathOf(address, page.address);
      if (path === undefined || files.isUnknown(path)) continue;
      const target = pages.get(files.fileAt(path) ?? "");
      if (target === undefined) {
        const message = `hreflang "${language}" of the page ${page.address} names ${address}, where the site has no page.`;
        found.push({ ...about(page), wrong: `${language} ${path}`, message });
      } else if (target !== page && target.unread === undefined && !namedBy(target).has(page.file)) {
        inMap(unanswered, target, () => []).push(page);
      }
    }
  }
  for (const [page, others] of unanswered) {
    const names = [...new Set(others.map(({ address }) => address))];
    const message = `hreflang on ${names.slice(0, 5).join(", ")} names the page ${page.address}, which does not name ${names.length === 1 ? "it" : "them"}.`;
    found.push({ ...about(page), wrong: "unanswered", message });
  }
  return found;
}

/** The files that a page names. */
function namedPages({ addresses, files }: BuiltSite): (page: BuiltPage) => ReadonlySet<string | undefined> {
  const known = new Map<BuiltPage, ReadonlySet<string | undefined>>();
  return (page) =>
    inMap(known, page, () => {
      const paths = page.alternates.map(([, address]) => addresses.pathOf(address, page.address));
      return new Set(paths.map((path) => (path === undefined ? undefined : files.fileAt(path))));
    });
}

function about(page: BuiltPage) {
  return { code: "HREFLANG_ONE_SIDED", story: page.story, subject: page.address } as const;
}

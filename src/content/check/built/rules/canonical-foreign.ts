import type { BuiltReport } from "../built-report.js";
import type { BuiltPage, BuiltSite } from "../built-site.js";

export function canonicalForeign(site: BuiltSite): BuiltReport[] {
  return [...site.pages.values()].flatMap((page): BuiltReport[] => {
    const { canonical, story, address } = page;
    if (canonical === undefined) return [];
    const found = wrongIn(site, page, canonical);
    if (found === undefined) return [];
    const message = `canonical of the page ${address} is ${canonical || '""'}, ${found}.`;
    return [{ code: "CANONICAL_FOREIGN", story, subject: address, wrong: canonical, message }];
  });
}

/** Why a canonical address is wrong. The page of another language of the story may be meant. */
function wrongIn({ addresses, files, pages }: BuiltSite, page: BuiltPage, canonical: string): string | undefined {
  const origin = addresses.foreignOrigin(canonical, page.address);
  if (origin !== undefined) return "which is another host";
  const path = addresses.pathOf(canonical, page.address);
  if (path === undefined || files.isUnknown(path)) return undefined;
  const target = pages.get(files.fileAt(path) ?? "");
  if (target === undefined) return "where the site has no page";
  const [own, other] = [page.story, target.story];
  if (own === undefined || other === undefined || own.uuid === other.uuid) return undefined;
  return `the page of another story, ${JSON.stringify(other.slug)}`;
}

import { inMap } from "../../../../lib/collections/in-map.js";
import { plural } from "../../../../lib/quantity-text.js";
import type { BuiltPage, BuiltReport, BuiltSite } from "../built-site.js";
import type { SiteRedirect } from "../site-files.js";

/** Each file that is not there once, at the first page that names it. */
export function pageAssetMissing({ missingAssets, redirects, addresses, stories }: BuiltSite): BuiltReport[] {
  const known = new Set([...redirects.map(({ from }) => from), ...stories.map(({ url }) => url)]);
  const answered = new Set([...known].map((address) => addresses.pathOf(address, "/")));
  return [...missingAssets].flatMap(([path, { page, count }]): BuiltReport[] => {
    if (answered.has(path)) return [];
    const others = count > 1 ? `, and so do ${plural(count - 1, "other page")}` : "";
    const message = `The page ${page.address} names ${path}, which the built site does not have${others}.`;
    return [{ code: "PAGE_ASSET_MISSING", story: page.story, subject: page.address, wrong: path, message }];
  });
}

const mostSteps = 20;

/** Redirects that end at no file of the site. Those that lead to another host are not judged. */
export function redirectDead(site: BuiltSite): BuiltReport[] {
  const { addresses, files, pages, redirects, stories } = site;
  const path = (address: string, from = "/") => withoutSlash(addresses.pathOf(address, from));
  const ofPages = [...pages.values()].flatMap(({ file, address, refresh }): SiteRedirect[] => {
    return refresh === undefined ? [] : [{ file, from: address, to: refresh }];
  });
  const all = [...redirects, ...ofPages];
  const next = new Map(all.map(({ from, to }) => [path(from), path(to, from)]));
  const byPath = new Map(stories.map((story) => [path(story.url), story]));
  return all.flatMap(({ file, from, to }): BuiltReport[] => {
    const first = path(to, from);
    const end = first === undefined ? undefined : endOf(first, next);
    if (end === undefined || (end !== circle && (files.fileAt(end) !== undefined || files.isUnknown(end)))) return [];
    const where = end === circle ? "and so in a circle" : "where the site has nothing";
    const message = `The redirect from ${from} (${file}) leads to ${to}, ${where}.`;
    return [
      { code: "REDIRECT_DEAD", story: byPath.get(first) ?? byPath.get(path(from)), subject: from, wrong: to, message },
    ];
  });
}

const circle = Symbol("circle");

/** Where a path leads in the end; undefined: to another host. */
function endOf(path: string, next: ReadonlyMap<string | undefined, string | undefined>) {
  let at = path;
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if (!next.has(at)) return at;
    const to = next.get(at);
    if (to === undefined) return undefined;
    at = to;
  }
  return circle;
}

function withoutSlash(path: string | undefined): string | undefined {
  return path?.replace(/(?<=.)\/$/, "");
}

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

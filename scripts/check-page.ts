import type { BuiltPage } from "./built-page.js";
import { addressOf, type BuiltSite, decoded, fileAt, resolved } from "./built-site.js";
import type { ExpectedPage, SiteExpectations, SiteProblem } from "./site-expectations.js";

/** What one page has to be by itself, and as the page of a story where it is one. */
export function checkPage(
  site: BuiltSite,
  expected: SiteExpectations,
  file: string,
  page: BuiltPage,
  story: ExpectedPage | undefined,
): SiteProblem[] {
  const problem = (kind: SiteProblem["kind"], message: string): SiteProblem => ({ kind, file, message });
  const links = page.links.flatMap(({ address }) => checkAddress(site, expected, file, address));
  const alternates = [...page.alternates.values()].flatMap((address) => checkAddress(site, expected, file, address));
  return [
    ...(page.title === "" ? [problem("title", "no title")] : []),
    ...(page.lang ? [] : [problem("language", "<html> has no lang")]),
    ...unique([...links, ...alternates]),
    ...page.foreign.map((what) => problem("foreign", what)),
    ...(story === undefined ? [] : checkStory(expected, file, page, story)),
  ];
}

function checkStory(expected: SiteExpectations, file: string, page: BuiltPage, story: ExpectedPage): SiteProblem[] {
  const problem = (kind: SiteProblem["kind"], message: string): SiteProblem => ({ kind, file, message });
  const { title = "", texts = [], language } = story;
  return [
    ...(page.lang?.toLowerCase() === language.toLowerCase()
      ? []
      : [problem("language", `lang is ${page.lang ?? "missing"} instead of ${language}`)]),
    ...(page.title.includes(plain(title)) ? [] : [problem("title", `"${page.title}" does not contain "${title}"`)]),
    ...texts.filter((text) => !page.text.includes(plain(text))).map((text) => problem("text", `no text "${text}"`)),
    ...checkAlternates(expected, file, story, page.alternates),
  ];
}

/** Whether links of kind `alternate` name each translation of a story, at its address, and nothing else. */
export function checkAlternates(
  { origin }: SiteExpectations,
  file: string,
  { url, translations }: ExpectedPage,
  alternates: ReadonlyMap<string, string>,
): SiteProblem[] {
  const wanted = new Map(Object.entries(translations).map(([language, address]) => [language.toLowerCase(), address]));
  const named = new Map([...alternates].filter(([language]) => language !== "x-default"));
  if (wanted.size < 2 && named.size === 0) return [];
  return [...new Set([...wanted.keys(), ...named.keys()])].flatMap((language): SiteProblem[] => {
    const [is, should] = [named.get(language), wanted.get(language)];
    if (is !== undefined && should !== undefined && samePath(is) === samePath(`${origin}${should}`)) return [];
    const message = `${url}: hreflang ${language} is ${is ?? "missing"} instead of ${should ?? "missing"}`;
    return [{ kind: "alternates", file, message }];
  });
}

/** Whether an address that a page names leads somewhere. Addresses of other sites are not judged. */
export function checkAddress(
  site: BuiltSite,
  expected: SiteExpectations,
  file: string,
  address: string,
): SiteProblem[] {
  const problem = (kind: SiteProblem["kind"], message: string): SiteProblem[] => [{ kind, file, message }];
  const target = resolved(address, `${expected.origin}${addressOf(file)}`);
  if (address === "") return problem("link", "an empty address");
  if (target === undefined) return problem("link", `${address} is no address`);
  if (/^(?:javascript|vbscript|data):/.test(target.protocol)) return runs(address) ? problem("foreign", address) : [];
  if (target.origin !== expected.origin) return [];
  const path = decoded(target.pathname);
  const fragment = decoded(target.hash.slice(1).replace(/:~:.*/, ""));
  const dead = [samePath(path), `${samePath(path)}#${fragment}`];
  if (expected.deadLinks?.some((link) => dead.includes(link))) return [];
  if (site.redirects.has(path)) return [];
  const found = fileAt(site, target.pathname);
  if (found === undefined) return problem("link", `${address} leads to no file`);
  const page = site.pages.get(found);
  if (fragment === "" || fragment === "top" || page === undefined || page.ids.has(fragment)) return [];
  return page.refresh === undefined ? problem("fragment", `${address}: ${found} has no id "${fragment}"`) : [];
}

/** An address, or a path, without the slash at its end. */
export function samePath(address: string): string {
  return decoded(address).replace(/(?<=.)\/$/, "");
}

/** A picture or a font that stands in the address itself does nothing. */
function runs(address: string): boolean {
  return !/^\s*data:(?:image|font)\//i.test(address);
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function unique(problems: readonly SiteProblem[]): SiteProblem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

import { addressOf, type BuiltSite, fileAt, readBuiltSite, resolved } from "./built-site.js";
import { checkAddress, checkAlternates, checkPage, samePath } from "./check-page.js";
import { checkPictures } from "./check-pictures.js";
import type { ExpectedPage, SiteExpectations, SiteProblem } from "./site-expectations.js";

/**
 * Looks at everything that a generator has built into a folder, as a crawler and a static host would.
 *
 * @returns every problem; none for a site that is as expected.
 */
export async function checkSite(folder: string, expected: SiteExpectations): Promise<SiteProblem[]> {
  const site = await readBuiltSite(folder);
  const stories = new Map(expected.pages.map((page) => [samePath(page.url), page]));
  const problems = [...checkPages(site, expected, stories), ...checkElements(site, expected)];
  for (const [file, page] of site.pages) {
    if (page.refresh !== undefined) problems.push(...checkAddress(site, expected, file, page.refresh));
    else problems.push(...checkPage(site, expected, file, page, stories.get(samePath(addressOf(file)))));
  }
  problems.push(...(await checkPictures(site, expected)));
  for (const target of site.redirects.values()) problems.push(...checkAddress(site, expected, "_redirects", target));
  return [
    ...problems,
    ...checkMoves(site, expected),
    ...checkSitemap(site, expected, stories),
    ...checkGenerations(site, expected, stories),
  ];
}

/** What hosts answer with where nothing is, also for a language, and where a page is made in the browser. */
const fallback = /^(?:\/[\w-]+)?\/(?:404|200)$/;

/** Every story has its page, and there is no page of another one. */
function checkPages(
  site: BuiltSite,
  { pages, own = [], moves = [] }: SiteExpectations,
  stories: ReadonlyMap<string, ExpectedPage>,
): SiteProblem[] {
  const built = new Map([...site.pages.keys()].map((file) => [samePath(addressOf(file)), file]));
  const missing = pages
    .filter(({ url }) => !built.has(samePath(url)))
    .map(({ url }): SiteProblem => ({ kind: "page", file: "", message: `no page at ${url}` }));
  const without404: SiteProblem[] = built.has("/404") ? [] : [{ kind: "page", file: "", message: "no 404.html" }];
  const known = new Set([...stories.keys(), ...moves.map(({ from }) => samePath(from))]);
  const others = [...built]
    .filter(([path]) => !fallback.test(path) && !known.has(path) && !own.some((pattern) => pattern.test(path)))
    .map(([path, file]): SiteProblem => ({ kind: "page", file, message: `no story is at ${path}` }));
  return [...missing, ...without404, ...others];
}

function checkElements(site: BuiltSite, { elements = ["table", "pre", "img"] }: SiteExpectations): SiteProblem[] {
  return elements
    .filter((element) => ![...site.pages.values()].some(({ inMain }) => inMain.has(element)))
    .map((element) => ({ kind: "element", file: "", message: `no page shows <${element}>` }));
}

/** Where the site leads a reader who asks for an address that a story had before. */
function checkMoves(site: BuiltSite, { origin, moves = [] }: SiteExpectations): SiteProblem[] {
  const pathOf = (address: string) => samePath(resolved(address, origin)?.pathname ?? "");
  const listed = new Set(site.sitemap.map(({ address }) => pathOf(address)));
  return moves.flatMap(({ from, to }): SiteProblem[] => {
    const led = site.redirects.get(from) ?? site.pages.get(fileAt(site, from) ?? "")?.refresh;
    const isLed = led !== undefined && pathOf(led) === samePath(to);
    return [
      ...(isLed ? [] : [{ kind: "link" as const, file: "", message: `${from} leads to ${led}, not to ${to}` }]),
      ...(listed.has(samePath(from)) ? [{ kind: "sitemap" as const, file: "", message: `${from} is listed` }] : []),
    ];
  });
}

/** The entries lead to pages, every story has one, and it names the story's translations. */
function checkSitemap(
  site: BuiltSite,
  expected: SiteExpectations,
  stories: ReadonlyMap<string, ExpectedPage>,
): SiteProblem[] {
  const file = "sitemap.xml";
  const listed = new Set<string>();
  const problems: SiteProblem[] = [];
  for (const { address, alternates } of site.sitemap) {
    if (!address.startsWith(`${expected.origin}/`)) {
      problems.push({ kind: "sitemap", file, message: `${address} is not below ${expected.origin}` });
      continue;
    }
    const path = samePath(address.slice(expected.origin.length));
    listed.add(path);
    problems.push(
      ...checkAddress(site, expected, file, address).map((problem) => ({ ...problem, kind: "sitemap" as const })),
    );
    const story = stories.get(path);
    if (story !== undefined) problems.push(...checkAlternates(expected, file, story, alternates));
  }
  const unlisted = [...stories].filter(([path]) => !listed.has(path));
  return [
    ...problems,
    ...unlisted.map(([path]) => ({ kind: "sitemap" as const, file, message: `${path} is not listed` })),
  ];
}

/** The pages of stories name one generation, and no page names another. */
function checkGenerations(
  site: BuiltSite,
  { generation }: SiteExpectations,
  stories: ReadonlyMap<string, ExpectedPage>,
): SiteProblem[] {
  const pages = [...site.pages].filter(([, page]) => page.refresh === undefined);
  const named = pages.find(([, page]) => page.generation !== undefined)?.[1].generation;
  const wanted = generation === undefined ? named : String(generation);
  return pages
    .filter(([file, page]) => page.generation !== undefined || stories.has(samePath(addressOf(file))))
    .filter(([, page]) => page.generation !== wanted)
    .map(([file, page]) => ({
      kind: "generation",
      file,
      message: `generation ${page.generation ?? "none"} instead of ${wanted}`,
    }));
}

import type { BuiltReport } from "../built-report.js";
import type { BuiltSite } from "../built-site.js";

interface Redirect {
  /** The file that it is written in. */
  file: string;
  from: string;
  to: string;
}

const mostSteps = 20;

/** Redirects that end at no file of the site. Those that lead to another host are not judged. */
export function redirectDead(site: BuiltSite): BuiltReport[] {
  const { addresses, files, pages, redirects, stories } = site;
  const path = (address: string, from = "/") => withoutSlash(addresses.pathOf(address, from));
  const ofPages = [...pages.values()].flatMap(({ file, address, refresh }): Redirect[] => {
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

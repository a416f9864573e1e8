import type { Problem } from "../../lib/errors.js";

/** A story's page in one edition. */
export interface PlacedUrl {
  edition: string;
  uuid: string;
  full_slug: string;
  url: string;
}

/** So many pairs are reported one by one. */
const mostReported = 20;

/**
 * The URLs that two different stories have on one site, in one language or across languages: a generator keeps one of
 * the pages, or ends. Editions of one version and release are one site.
 */
export function sharedUrls(pages: Iterable<PlacedUrl>): Problem[] {
  const first = new Map<string, PlacedUrl>();
  const found: Problem[] = [];
  let more = 0;
  for (const page of pages) {
    const site = page.edition.slice(0, page.edition.lastIndexOf("/"));
    const key = `${site}\n${page.url}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, page);
    else if (other.uuid !== page.uuid) {
      if (found.length < mostReported) found.push(sharedUrl(other, page));
      else more += 1;
    }
  }
  if (more > 0)
    found.push({ code: "URL_TWICE", message: `${more} more stories share their URL with another one.`, hint });
  return found;
}

const hint = "Give one of them another slug or real path. `offprint check` lists all of them.";

function sharedUrl(a: PlacedUrl, b: PlacedUrl): Problem {
  const [one, other] = [a, b].map(({ edition, full_slug }) => `${JSON.stringify(full_slug)} (${edition})`);
  return {
    code: "URL_TWICE",
    message: `Stories ${one} and ${other} have the same URL, ${b.url}: a site shows only one of them.`,
    hint,
  };
}

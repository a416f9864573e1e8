import { repeatedTexts } from "../../lib/collections/repeated-texts.js";
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
 *
 * @param pages gives all pages, in the same order in each call
 */
export function sharedUrls(pages: () => Iterable<PlacedUrl>): Problem[] {
  const repeated = repeatedTexts(function* () {
    for (const page of pages()) yield placeOnSite(page);
  });
  const found: Problem[] = [];
  let more = 0;
  if (repeated.size === 0) return found;
  const first = new Map<string, PlacedUrl>();
  for (const page of pages()) {
    const key = placeOnSite(page);
    if (!repeated.has(key)) continue;
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

function placeOnSite({ edition, url }: PlacedUrl): string {
  return `${edition.slice(0, edition.lastIndexOf("/"))}\n${url}`;
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

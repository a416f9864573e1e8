import { type LinkSettings, pathOfAddress, slugsAt } from "../content/resolve/link-pattern.js";
import { percentDecoded } from "../lib/percent-decoded.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import type { StoryRow } from "../snapshot/reader/index-rows.js";
import type { OpenEdition } from "./snapshot-editions.js";

export interface FoundPage {
  edition: OpenEdition;
  row: StoryRow;
}

export interface FindPageOptions {
  /** In search order. */
  editions: readonly EditionEntry[];
  /** Called only for an edition that can have the path. */
  open(edition: EditionEntry): Promise<OpenEdition>;
  links: LinkSettings;
}

/** The first story, in edition order, whose URL has this path. */
export async function findPage(
  path: string,
  { editions, open, links }: FindPageOptions,
): Promise<FoundPage | undefined> {
  const address = /^(?:[a-z][a-z0-9+.-]*:)?\//i.test(path) ? path : `/${path}`;
  for (const entry of editions) {
    const sitePath = pathOfAddress(address, entry.language, links);
    if (sitePath === undefined) continue;
    const edition = await open(entry);
    for await (const row of rowsAt(sitePath, edition, links)) {
      if (pathOf(edition.url(row)) === pathOf(address)) return { edition, row };
    }
  }
  return undefined;
}

/** The stories that may be at a path of the site. */
async function* rowsAt(path: string, edition: OpenEdition, links: LinkSettings): AsyncGenerator<StoryRow> {
  const { stories, entry } = edition;
  const real = links.use === "slug" ? undefined : await stories.rowByPath(path);
  if (real !== undefined) yield real;
  // A folder may have the name of the language: `/de/de/a` is the page `de/de/a`, `/de/a` is `de/a`.
  const slugs = slugsAt(path, links).flatMap((slug) => [`${entry.language}/${slug}`, slug]);
  for (const slug of path === "" ? [...slugs, ""] : slugs) {
    const row = await rowOfSlug(edition, slug, links);
    if (row !== undefined) yield row;
  }
}

/** Accepts a slug with language, outer slashes and percent-encoding; "" is the home page. */
export async function rowOfSlug(
  { stories, entry }: Pick<OpenEdition, "stories" | "entry">,
  slug: string,
  links: LinkSettings,
): Promise<StoryRow | undefined> {
  const trimmed = slug.replace(/^\/+|\/+$/g, "");
  const homes = slugsAt("", links);
  const isHome = trimmed === "" || homes.includes(trimmed) || trimmed === entry.language;
  const real = trimmed === "" && links.use !== "slug" ? await stories.rowByPath("") : undefined;
  if (real !== undefined) return real;
  const slugs = [slug, percentDecoded(slug), ...(isHome ? [...homes, ""] : [])];
  for (const one of new Set(slugs)) {
    const row = await stories.rowBySlug(one);
    if (row !== undefined) return row;
  }
  return undefined;
}

/** The decoded path of an address, without outer slashes. */
function pathOf(address: string): string {
  const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  return percentDecoded(path).split("/").filter(Boolean).join("/");
}

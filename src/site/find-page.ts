import { type LinkSettings, slugOfAddress } from "../content/resolve/link-pattern.js";
import { percentDecoded } from "../lib/percent-decoded.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import type { StoryRow } from "./index-file.js";
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
    const slug = slugOfAddress(address, entry.language, links);
    if (slug === undefined) continue;
    const edition = await open(entry);
    // A folder may have the name of the language: `/de/de/a` is the page `de/de/a`, `/de/a` is `de/a`.
    for (const one of slug === "" ? [slug] : [`${entry.language}/${slug}`, slug]) {
      const row = await rowOfSlug(edition, one, links);
      if (row !== undefined && pathOf(edition.url(row.full_slug)) === pathOf(address)) return { edition, row };
    }
  }
  return undefined;
}

/** Accepts a slug with language, outer slashes and percent-encoding; "" is the home page. */
export async function rowOfSlug(
  { stories, entry }: Pick<OpenEdition, "stories" | "entry">,
  slug: string,
  { home }: LinkSettings,
): Promise<StoryRow | undefined> {
  const trimmed = slug.replace(/^\/+|\/+$/g, "");
  const isHome = trimmed === "" || trimmed === home || trimmed === entry.language;
  const slugs = [slug, percentDecoded(slug), ...(isHome ? [home, ""] : [])];
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

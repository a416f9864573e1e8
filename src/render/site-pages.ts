import type { NotedReader } from "../reader/reader.js";
import { type LinkSettings, slugOfAddress } from "../resolve/link-pattern.js";
import type { EditionEntry } from "../snapshot/manifest.js";

/** What an address in an editor's Markdown leads to. */
export type AddressedPage =
  /** Another host, a file, a place on the same page, a path that the site's pattern does not make: not ours to judge. */
  | { kind: "elsewhere" }
  /** A story: `url` is its address on the site, without query and fragment. */
  | {
      kind: "page";
      url: string;
      /** False where the target finds pages by their files, and no file can have the name that the address says. */
      isThere: boolean;
    }
  /** The site's own, and no story is there. */
  | { kind: "dead" };

/** Finds the page behind an address, in any language of the site. */
export type FindPage = (address: string) => AddressedPage;

export interface SitePagesOptions {
  /** The editions of one site: one version and release, in all its languages. */
  editions: readonly Pick<EditionEntry, "name" | "language">[];
  links: LinkSettings;
  /** The path below which assets lie, `/cms/`; undefined: they are named by relative paths. */
  assetsPath: string | undefined;
  /** Where the story is, by its full slug and the language of its edition. */
  place(fullSlug: string, language: string): { url: string; isThere: boolean };
}

/**
 * Looks addresses up among the stories of a site. An address whose last segment ends like a file (`/feed.xml`) counts
 * as a page only where a story has that slug.
 */
export function createSitePages(
  reader: Pick<NotedReader, "uuidBySlug" | "reference">,
  { editions, links, assetsPath, place }: SitePagesOptions,
): FindPage {
  const pageOf = (slug: string, { name, language }: Pick<EditionEntry, "name" | "language">) => {
    const slugs = language === "default" ? [slug] : [`${language}/${slug}`, slug];
    if (slug === links.home) slugs.push(language === "default" ? "" : language);
    for (const fullSlug of slugs) {
      const uuid = reader.uuidBySlug(name, fullSlug);
      const found = uuid === undefined ? undefined : reader.reference(name, uuid);
      if (found !== undefined) return place(found.full_slug, language);
    }
    return undefined;
  };

  return (address) => {
    let isOwn = false;
    for (const edition of editions) {
      const slug = slugOfAddress(address, edition.language, links);
      if (slug === undefined) continue;
      isOwn = true;
      const found = pageOf(slug, edition) ?? pageOf(slug.replace(pageExtension, "") || links.home, edition);
      if (found !== undefined) return { kind: "page", ...found };
    }
    return isOwn && !isFile(address, assetsPath) ? { kind: "dead" } : { kind: "elsewhere" };
  };
}

/** What some sites put behind the address of a page. */
const pageExtension = /(?:(?:^|\/)index)?\.(?:html?|md)$/i;
const fileExtension = /\.[a-z][a-z0-9]{0,9}$/i;

function isFile(address: string, assetsPath: string | undefined): boolean {
  if (assetsPath !== undefined && address.startsWith(assetsPath)) return true;
  const path = /^[^?#]*/.exec(address)?.[0] ?? "";
  return fileExtension.test(path.replace(pageExtension, ""));
}

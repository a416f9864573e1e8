import type { EditionEntry } from "../../snapshot/manifest.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import { type LinkSettings, slugOfAddress } from "../resolve/link-pattern.js";

/** What is at an address of an editor's Markdown. */
export type AddressedPage =
  /** Not checked: another host, a file, a place on the same page, a path that the pattern of links cannot make. */
  | { kind: "elsewhere" }
  /** A story: `url` is its address on the site, without query and fragment. */
  | {
      kind: "page";
      url: string;
      /** False when the target finds pages by their files, and no file can have the name that this address needs. */
      isThere: boolean;
    }
  /** An address of the site without a story. */
  | { kind: "dead" };

/** Finds the page at an address, in any language of the site. */
export type FindPage = (address: string) => AddressedPage;

export interface SitePagesOptions {
  /** The editions of one site: one version and release, in all its languages. */
  editions: readonly Pick<EditionEntry, "name" | "language">[];
  links: LinkSettings;
  /** The path below which assets lie, `/cms/`; undefined: they are named by relative paths. */
  assetsPath: string | undefined;
  /** The address of a story, by its full slug and the language of its edition. */
  place(fullSlug: string, language: string): { url: string; isThere: boolean };
}

/**
 * Looks up addresses among the stories of a site. An address that ends like a file (`/feed.xml`) is a page only when
 * a story has that slug.
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

/** What some sites add to the address of a page: `/index.html`, `.html`. */
const pageExtension = /(?:(?:^|\/)index)?\.(?:html?|md)$/i;
const fileExtension = /\.[a-z][a-z0-9]{0,9}$/i;

function isFile(address: string, assetsPath: string | undefined): boolean {
  if (assetsPath !== undefined && address.startsWith(assetsPath)) return true;
  const path = /^[^?#]*/.exec(address)?.[0] ?? "";
  return fileExtension.test(path.replace(pageExtension, ""));
}

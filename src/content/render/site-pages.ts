import type { Config } from "../../config/config.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import {
  endsLikeFile,
  type LinkSettings,
  siteUrl,
  slugOfAddress,
  slugsOfPage,
  slugWithoutLanguage,
} from "../resolve/link-pattern.js";
import type { TargetProfile } from "./target-profile.js";
import { targets } from "./targets.js";

/** The target of an address in an editor's Markdown. */
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

/** Looks up addresses among a site's stories. One that ends like a file is a page only when a story has that slug. */
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
      for (const one of slugsOfPage(slug, links)) {
        const found = pageOf(one, edition);
        if (found !== undefined) return { kind: "page", ...found };
      }
    }
    const isAsset = assetsPath !== undefined && address.startsWith(assetsPath);
    return isOwn && !isAsset && !endsLikeFile(address) ? { kind: "dead" } : { kind: "elsewhere" };
  };
}

/** The site's URL of a full slug in a language, as content names it. */
export function storyAddress({ resolve, content }: Config): (fullSlug: string, language: string) => string {
  const target = targets[content.target];
  return (fullSlug, language) => pageUrl(fullSlug, language, resolve.links, target);
}

/** The address of a story's page on a site that the target builds. */
export function pageUrl(fullSlug: string, language: string, links: LinkSettings, target: TargetProfile): string {
  const address = siteUrl(fullSlug, language, links);
  // If addresses follow from files, the home page of a language is the index of its folder: `/de/`, not `/de`.
  const isHome = target.routesByFile === true && slugWithoutLanguage(fullSlug, language) === links.home;
  return isHome && !address.endsWith("/") ? `${address}/` : address;
}

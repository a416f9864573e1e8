import type { Config } from "../../config/config.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { NotedReader, StoryReference } from "../../snapshot/reader/reader.js";
import {
  endsLikeFile,
  type LinkSettings,
  pathOfAddress,
  pathsOfPage,
  type StoryAddress,
  sitePath,
  siteUrl,
  slugsAt,
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
      /** False when the target finds pages by their files, and the story has none, or none can have the name that this address needs. */
      isThere: boolean;
    }
  /** An address of the site without a story. */
  | { kind: "dead" };

export type FindPage = (address: string) => AddressedPage;

type Edition = Pick<EditionEntry, "name" | "language">;

export interface SitePagesOptions {
  /** The editions of one site: one version and release, in all its languages. */
  editions: readonly Edition[];
  links: LinkSettings;
  /** The path below which assets lie, `/cms/`; undefined: they are named by relative paths. */
  assetsPath: string | undefined;
  /** True if `source.include` leaves out stories with this slug, given without language: an address there is not dead. */
  isLeftOut(slug: string): boolean;
  place(story: StoryReference, edition: Edition): { url: string; isThere: boolean };
}

/** Looks up addresses among a site's stories. One that ends like a file is a page only when a story has that slug. */
export function createSitePages(
  reader: Pick<NotedReader, "uuidBySlug" | "uuidByPath" | "reference">,
  { editions, links, assetsPath, isLeftOut, place }: SitePagesOptions,
): FindPage {
  const storyAt = (path: string, { name, language }: Edition) => {
    const prefixed = withLanguage(path, language);
    const uuids = [
      ...(links.use === "slug" ? [] : prefixed.map((one) => reader.uuidByPath(name, one))),
      ...slugsAt(path, links).flatMap((slug) =>
        withLanguage(slug, language).map((one) => reader.uuidBySlug(name, one)),
      ),
      ...(path === "" ? [reader.uuidBySlug(name, language === "default" ? "" : language)] : []),
    ];
    for (const uuid of uuids) {
      const found = uuid === undefined ? undefined : reader.reference(name, uuid);
      // A story that has a real path is not where its slug would be.
      if (found !== undefined && isAt(found, path, language)) return place(found, { name, language });
    }
    return undefined;
  };
  const isAt = (story: StoryAddress, path: string, language: string) => {
    const own = sitePath(story, language, links);
    return own === path || own === sitePath({ full_slug: path }, "default", links);
  };

  return (address) => {
    // Without the language in the address, if it names one.
    let own: string | undefined;
    for (const edition of editions) {
      const path = pathOfAddress(address, edition.language, links);
      if (path === undefined) continue;
      if (own === undefined || path.length < own.length) own = path;
      for (const one of pathsOfPage(path)) {
        const found = storyAt(one, edition);
        if (found !== undefined) return { kind: "page", ...found };
      }
    }
    const isAsset = assetsPath !== undefined && address.startsWith(assetsPath);
    const isDead = own !== undefined && !isLeftOut(own) && !isAsset && !endsLikeFile(address);
    return { kind: isDead ? "dead" : "elsewhere" };
  };
}

function withLanguage(slug: string, language: string): string[] {
  return language === "default" ? [slug] : [`${language}/${slug}`, slug];
}

export function storyAddress({
  resolve,
  content,
}: Pick<Config, "resolve" | "content">): (story: StoryAddress, language: string) => string {
  const target = targets[content.target];
  return (story, language) => pageUrl(story, language, resolve.links, target);
}

export function pageUrl(story: StoryAddress, language: string, links: LinkSettings, target: TargetProfile): string {
  const address = siteUrl(story, language, links);
  // If addresses follow from files, the home page of a language is the index of its folder: `/de/`, not `/de`.
  const isHome = target.routesByFile === true && sitePath(story, language, links) === "";
  return isHome && !address.endsWith("/") ? `${address}/` : address;
}

import { slugWithoutLanguage, trimSlashes } from "../../contract/story-address.js";
import { percentDecoded } from "../../lib/percent-decoded.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import { type LinkSettings, slugsAt } from "./link-pattern.js";

/** The tag of one thing that a page read, and the tag of the group that stands for it on a page with too many tags. */
export type TagPair = readonly [own: string, group: string];

/** On each page that read anything. Named if every page may differ. */
export const siteTag = "offprint";
/** On a page whose groups are too many. Named by each generation. */
export const anyTag: TagPair = ["any", "any"];
/** Any story came, went, moved or got another name or type. */
const anyList = "list";
/** Which languages and versions there are. */
export const languagesTag: TagPair = ["languages", "languages"];
/** Of taxonomies, and of which stories carry a term. */
export const termsTag: TagPair = ["terms", "terms"];
/** Of lists of datasources. */
export const datasourcesTag: TagPair = ["datasources", "datasources"];
/** Of the metadata and the bytes of assets. */
export const assetsTag: TagPair = ["assets", "assets"];

/** The most tags of a page. */
const tagsOfPage = 64;
/** Of more changes than this, every page is named. */
const tagsOfChanges = 1_000;

/** What a page shows of a story's record. */
export function storyTag(uuid: string, component: string, language: string): TagPair {
  return [tagText("story", uuid), typeTag(component, language)[0]];
}

/** What a page shows of the records of a content type. */
export function typeTag(component: string, language: string): TagPair {
  const tag = tagText("type", component, language);
  return [tag, tag];
}

/** What a page shows of a story's row in the index: name, slug, URL and type. @param component undefined: unknown, or no such story */
export function linkTag(uuid: string, component: string | undefined, language: string): TagPair {
  return [tagText("link", uuid), component === undefined ? anyList : tagText("list", component, language)];
}

/** Which stories there are, by type. @param components undefined: of all types */
export function listTags(components: Iterable<string> | undefined, language: string): TagPair[] {
  const tags =
    components === undefined
      ? [tagText("list", language)]
      : [...components].map((component) => tagText("list", component, language));
  return tags.map((tag) => [tag, tag]);
}

/** Which stories there are below a folder. @param folder slug without language, with its final slash */
export function folderTag(folder: string, language: string): TagPair {
  return [tagText("in", folder.slice(0, -1), language), tagText("list", language)];
}

/** The folders that a story is in, from the top. @param slug without language; a folder's own page is in it */
export function foldersOf(slug: string): string[] {
  return Array.from(slug.matchAll(/\//g), ({ index }) => slug.slice(0, index + 1));
}

/** Which story is at a slug or path. @param address as {@link addressNamer} gives it */
export function addressTag(address: string): TagPair {
  return [tagText("at", address), anyList];
}

export function datasourceTag(slug: string): TagPair {
  return [tagText("datasource", slug), datasourcesTag[1]];
}

/** Where an asset is on the site, and its size. */
export function assetTag(url: string): TagPair {
  return [tagText("asset", shortHash(url.replace(/^(?:https?:)?\/\//i, ""))), assetsTag[1]];
}

/**
 * Gives one spelling for all slugs, paths and URLs that find the same story: decoded, without origin, query, outer
 * slashes, and languages in front; "" for a home page.
 */
export function addressNamer(
  editions: readonly { language: string }[],
  links: Pick<LinkSettings, "home">,
): (address: string) => string {
  const homes = slugsAt("", links);
  const languages = [...new Set(editions.map(({ language }) => language))].filter((one) => one !== "default").sort();
  return (address) => {
    const path = address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
    let plain = trimSlashes(path).replace(/\/+/g, "/");
    for (let before: string | undefined; before !== plain; ) {
      before = plain;
      plain = trimSlashes(percentDecoded(plain));
      for (const language of languages) plain = slugWithoutLanguage(plain, language);
    }
    return homes.includes(plain) ? "" : plain;
  };
}

/**
 * The tags of a page: at most {@link tagsOfPage}. If what it read has more tags of its own, those of the groups; if these
 * are too many too, {@link anyTag}. Every change names all three, so a purge reaches a page however it was folded.
 */
export class PageTags {
  readonly #owns = new Set<string>();
  readonly #groups = new Set<string>();

  add([own, group]: TagPair): void {
    if (this.#owns.size < tagsOfPage) this.#owns.add(own);
    if (this.#groups.size < tagsOfPage) this.#groups.add(group);
  }

  list(): string[] {
    if (this.#groups.size === 0) return [];
    const found = [this.#owns, this.#groups].find(({ size }) => size < tagsOfPage) ?? [anyTag[0]];
    return [siteTag, ...[...found].sort()];
  }
}

/** The tags to purge after changes. */
export function tagsToPurge(pairs: Iterable<TagPair>): string[] {
  const tags = new Set([anyTag[0]]);
  for (const [own, group] of pairs) {
    tags.add(own).add(group);
    if (tags.size > tagsOfChanges) return [siteTag];
  }
  return [...tags].sort();
}

/** Longer texts end in a hash: caches limit the length of a tag. */
const longestText = 120;

const plainName = /^[\w-]*$/;

/** Any content as a tag: no spaces or commas, which separate tags in headers. */
function tagText(kind: string, ...names: readonly string[]): string {
  let text = kind;
  for (const name of names) text += `:${plainName.test(name) ? name : encodeURIComponent(name.toWellFormed())}`;
  return text.length <= longestText ? text : `${text.slice(0, longestText - 23)}-${shortHash(text)}`;
}

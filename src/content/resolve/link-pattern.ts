import { realPath, slugWithoutLanguage, trimSlashes } from "../../contract/story-address.js";
import { percentDecoded } from "../../lib/percent-decoded.js";

/** How stories become the site's URLs: `resolve.links` of the configuration. */
export interface LinkSettings {
  /** `/{language?}/{slug}`: the language, empty for the default one, and the story's path on the site. */
  pattern: string;
  /**
   * The home pages, by their full slugs without language. One slug: the story at the root. With `*`, which is one
   * segment (`*\/home`), or in a list: each is the page of the folder that holds it.
   */
  home: string | readonly string[];
  /** `slug`: real paths of stories are ignored. Default: `path`, a story with a real path is there. */
  use?: "path" | "slug" | undefined;
}

export interface StoryAddress {
  /** As the edition has it, so with the language's prefix and, for a start page, a trailing slash. */
  full_slug: string;
  path?: string | null | undefined;
}

/** Segments percent-encoded, no trailing slash unless the pattern ends with one. @param language or `default` */
export function siteUrl(story: StoryAddress, language: string, settings: LinkSettings): string {
  return urlOfPath(sitePath(story, language, settings), language, settings);
}

function urlOfPath(path: string, language: string, settings: LinkSettings): string {
  const [before, after] = aroundPlainSlug(language, settings);
  if (after !== undefined && plainPath.test(path)) return before + path + after;
  return filledPattern(path, language, settings);
}

/** The real path of a story if it has one, else its slug, without language and outer slashes; "" for the home page. */
export function sitePath(story: StoryAddress, language: string, settings: LinkSettings): string {
  const slug = slugWithoutLanguage(story.full_slug, language);
  const real = settings.use === "slug" ? undefined : realPath(story.path);
  const path = real === undefined ? slug : slugWithoutLanguage(real, language);
  return path === slug ? (homeFolder(slug, settings) ?? slug) : path;
}

/** The folder whose page is the story with this slug: "" for the root; undefined for a story that is no home page. */
function homeFolder(slug: string, { home }: Pick<LinkSettings, "home">): string | undefined {
  if (isOneHome(home)) return slug === home ? "" : undefined;
  return homesOf(home).some((pattern) => matchesSegments(pattern, slug))
    ? slug.slice(0, Math.max(0, slug.lastIndexOf("/")))
    : undefined;
}

/** True for a home page: of the site in a language, or of a folder. */
export function isHomePage(story: StoryAddress, language: string, settings: LinkSettings): boolean {
  const slug = slugWithoutLanguage(story.full_slug, language);
  return sitePath(story, language, settings) === "" || homeFolder(slug, settings) !== undefined;
}

/** The slugs (without language) of the stories that may be at a path, real paths aside. */
export function slugsAt(path: string, { home }: Pick<LinkSettings, "home">): string[] {
  const own = path === "" ? [] : [path];
  if (isOneHome(home)) return path === "" ? [home] : own;
  const homes = homesOf(home).map((pattern) => {
    const name = pattern.slice(pattern.lastIndexOf("/") + 1);
    return { pattern, slug: path === "" ? name : `${path}/${name}` };
  });
  return [...own, ...homes.flatMap(({ pattern, slug }) => (matchesSegments(pattern, slug) ? [slug] : []))];
}

function isOneHome(home: LinkSettings["home"]): home is string {
  return typeof home === "string" && !home.includes("*");
}

function homesOf(home: LinkSettings["home"]): readonly string[] {
  return typeof home === "string" ? [home] : home;
}

/** True if the slug has the pattern's segments, where `*` is any one. */
function matchesSegments(pattern: string, slug: string): boolean {
  const [wanted, own] = [pattern.split("/"), slug.split("/")];
  return wanted.length === own.length && wanted.every((segment, at) => segment === "*" || segment === own[at]);
}

function filledPattern(path: string, language: string, settings: LinkSettings): string {
  const filled = settings.pattern
    .replaceAll("{language?}", language === "default" ? "" : encodeSegment(language))
    .replaceAll("{language}", encodeSegment(language))
    .replaceAll("{slug}", () => path.split("/").map(encodeSegment).join("/"));
  return withoutEmptySegments(filled, settings.pattern.endsWith("/"));
}

/** Most slugs are like this: nothing to encode, and no empty segment. */
const plainPath = /^[\w.~-]+(?:\/[\w.~-]+)*$/;

/** The texts before and after a slug; no second text if the pattern repeats the slug. */
type PlainUrl = readonly [before: string, after: string | undefined];

const around = new WeakMap<LinkSettings, Map<string, PlainUrl>>();

function aroundPlainSlug(language: string, settings: LinkSettings): PlainUrl {
  const known = around.get(settings) ?? new Map<string, PlainUrl>();
  around.set(settings, known);
  const found = known.get(language);
  if (found !== undefined) return found;
  const [before = "", after, ...more] = filledPattern(placeholder, language, settings).split(placeholder);
  const made: PlainUrl = [before, more.length > 0 ? undefined : after];
  known.set(language, made);
  return made;
}

/**
 * The inverse of {@link siteUrl}, see {@link sitePath}. @param address with or without the pattern's origin
 * @returns undefined for another host, an address that the pattern cannot make, and a relative one (`first`, `#c`)
 */
export function pathOfAddress(address: string, language: string, settings: LinkSettings): string | undefined {
  const pattern = urlOfPath(placeholder, language, settings);
  const origin = originOf(pattern);
  const path = ownPath(address, origin);
  if (path === undefined) return undefined;
  if (path === ownPath(urlOfPath("", language, settings), origin)) return "";
  const [before = "", after = ""] = trimSlashes(pattern.slice(origin.length)).split(placeholder);
  if (path.length < before.length + after.length || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  return percentDecoded(trimSlashes(path.slice(before.length, path.length - after.length)));
}

const placeholder = "~slug~";

function ownPath(address: string, origin: string): string | undefined {
  const isAbsolute = origin !== "" && address.toLowerCase().startsWith(origin.toLowerCase());
  const local = isAbsolute ? address.slice(origin.length) : address;
  if (isAbsolute ? /^[^/?#]/.test(local) : !/^\/(?![/\\])/.test(local)) return undefined;
  return trimSlashes(pathPart(local).replace(/\/+/g, "/"));
}

/** What some sites add to the address of a page: `/index.html`, `.html`. */
const pageExtension = /(?:(?:^|\/)index)?\.(?:html?|md)$/i;

export function pathsOfPage(path: string): string[] {
  const plain = path.replace(pageExtension, "");
  return plain === path ? [path] : [path, plain];
}

/** True if an address ends like that of a file, `/feed.xml`, and not like that of a page. */
export function endsLikeFile(address: string): boolean {
  return /\.[a-z][a-z0-9]{0,9}$/i.test(pathPart(address).replace(pageExtension, ""));
}

export function pathPart(address: string): string {
  return /^[^?#]*/.exec(address)?.[0] ?? "";
}

function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.exec(url)?.[0] ?? "";
}

/** Nothing to encode; most segments are like this. */
const plainSegment = /^[\w.~-]*$/;

/** Encodes what a path cannot hold; lone surrogates become U+FFFD. */
function encodeSegment(segment: string): string {
  if (plainSegment.test(segment)) return segment;
  return encodeURI(segment.toWellFormed()).replace(/[?#]/g, (character) => (character === "?" ? "%3F" : "%23"));
}

function withoutEmptySegments(url: string, trailingSlash: boolean): string {
  const origin = originOf(url);
  const rest = url.slice(origin.length);
  const segments = rest.split("/").filter((segment) => segment !== "");
  const lead = rest.startsWith("/") ? "/" : "";
  const tail = trailingSlash && segments.length > 0 ? "/" : "";
  return `${origin}${lead}${segments.join("/")}${tail}`;
}

import { percentDecoded } from "../../lib/percent-decoded.js";

/** How slugs become the site's URLs: `resolve.links` of the configuration. */
export interface LinkSettings {
  /** `/{language?}/{slug}`: the language, empty for the default one, and the full slug without language. */
  pattern: string;
  /** The full slug (without language) of the site's start page. */
  home: string;
}

/**
 * The site's URL of a story: path segments percent-encoded, no empty segments, no trailing slash unless the pattern
 * ends with one.
 *
 * @param fullSlug as the edition has it, so with the language's prefix and, for a start page, a trailing slash
 * @param language the edition's language; `default` for the default language
 */
export function siteUrl(fullSlug: string, language: string, settings: LinkSettings): string {
  const slug = slugWithoutLanguage(fullSlug, language);
  const path = slug === settings.home ? "" : slug;
  const [before, after] = aroundPlainSlug(language, settings);
  if (after !== undefined && plainPath.test(path)) return before + path + after;
  return filledPattern(path, language, settings);
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

/** The texts around a plain slug in the URLs of a language. */
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
 * The slug of the page at an address: the inverse of {@link siteUrl}.
 *
 * @param address `/de/blog/first/?a=b#c`, `https://example.com/de/blog/first`: with or without the pattern's origin
 * @param language as in {@link siteUrl}
 * @returns the full slug without language and without slashes at either end, for the root the slug of the home page;
 * undefined for an address on another host, one that the pattern cannot make, and a relative one (`first`, `#c`)
 */
export function slugOfAddress(address: string, language: string, settings: LinkSettings): string | undefined {
  const pattern = siteUrl(placeholder, language, settings);
  const origin = originOf(pattern);
  const path = pathOfAddress(address, origin);
  if (path === undefined) return undefined;
  const root = pathOfAddress(siteUrl(settings.home, language, settings), origin);
  if (path === root) return settings.home;
  const [before = "", after = ""] = trimSlashes(pattern.slice(origin.length)).split(placeholder);
  if (path.length < before.length + after.length || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  return percentDecoded(trimSlashes(path.slice(before.length, path.length - after.length))) || settings.home;
}

const placeholder = "~slug~";

/** The path of an address of this site without slashes at either end; undefined for any other address. */
function pathOfAddress(address: string, origin: string): string | undefined {
  const isAbsolute = origin !== "" && address.toLowerCase().startsWith(origin.toLowerCase());
  const local = isAbsolute ? address.slice(origin.length) : address;
  if (isAbsolute ? /^[^/?#]/.test(local) : !/^\/(?![/\\])/.test(local)) return undefined;
  return trimSlashes(pathPart(local).replace(/\/+/g, "/"));
}

/** What some sites add to the address of a page: `/index.html`, `.html`. */
const pageExtension = /(?:(?:^|\/)index)?\.(?:html?|md)$/i;

/** The slugs that a page at the address of this slug may have: the slug itself, and without what sites add to it. */
export function slugsOfPage(slug: string, { home }: Pick<LinkSettings, "home">): string[] {
  return [slug, slug.replace(pageExtension, "") || home];
}

/** True if an address ends like that of a file, `/feed.xml`, and not like that of a page. */
export function endsLikeFile(address: string): boolean {
  return /\.[a-z][a-z0-9]{0,9}$/i.test(pathPart(address).replace(pageExtension, ""));
}

/** An address without query and fragment. */
export function pathPart(address: string): string {
  return /^[^?#]*/.exec(address)?.[0] ?? "";
}

function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.exec(url)?.[0] ?? "";
}

/** `blog/first` for `de/blog/first` in `de`; without slashes at either end. */
export function slugWithoutLanguage(fullSlug: string, language: string): string {
  const slug = trimSlashes(fullSlug);
  if (language === "default") return slug;
  if (slug === language) return "";
  return slug.startsWith(`${language}/`) ? trimSlashes(slug.slice(language.length + 1)) : slug;
}

function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "/") start += 1;
  while (end > start && text[end - 1] === "/") end -= 1;
  return text.slice(start, end);
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

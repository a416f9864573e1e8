/** How slugs become the site's URLs: `resolve.links` of the configuration. */
export interface LinkSettings {
  /** `/{language?}/{slug}`: `{slug}` is the full slug without language, `{language?}` is empty for the default language. */
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
  const filled = settings.pattern
    .replaceAll("{language?}", language === "default" ? "" : encodeSegment(language))
    .replaceAll("{language}", encodeSegment(language))
    .replaceAll("{slug}", () => path.split("/").map(encodeSegment).join("/"));
  return withoutEmptySegments(filled, settings.pattern.endsWith("/"));
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

/** Keeps what is readable and legal in a path, encodes all else, lone surrogates as U+FFFD. */
function encodeSegment(segment: string): string {
  const wellFormed = segment.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    "\ufffd",
  );
  return encodeURI(wellFormed).replace(/[?#]/g, (character) => (character === "?" ? "%3F" : "%23"));
}

function withoutEmptySegments(url: string, trailingSlash: boolean): string {
  const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/]+/i.exec(url)?.[0] ?? "";
  const rest = url.slice(origin.length);
  const segments = rest.split("/").filter((segment) => segment !== "");
  const lead = rest.startsWith("/") ? "/" : "";
  const tail = trailingSlash && segments.length > 0 ? "/" : "";
  return `${origin}${lead}${segments.join("/")}${tail}`;
}

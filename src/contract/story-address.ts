import { percentDecoded } from "../lib/percent-decoded.js";

/**
 * Decoded, without outer slashes; "" for the root. Undefined for none and for what is no path of this site: a URL,
 * a segment `.` or `..`, a query, a control character. Such a story is where its slug says.
 */
export function realPath(path: string | null | undefined): string | undefined {
  // Upstream may send anything.
  const written = typeof path === "string" ? path.trim() : "";
  if (written === "") return undefined;
  const plain = percentDecoded(written);
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|[\\?#\u0000-\u001f\u007f-\u009f\u2028\u2029]/i.test(plain)) return undefined;
  const segments = plain.split("/").filter((segment) => segment !== "");
  return segments.some((segment) => /^\.{1,2}$/.test(segment.trim())) ? undefined : segments.join("/");
}

/** `blog/first` for `de/blog/first` in `de`; without slashes at either end. */
export function slugWithoutLanguage(fullSlug: string, language: string): string {
  const slug = trimSlashes(fullSlug);
  if (language === "default") return slug;
  if (slug === language) return "";
  return slug.startsWith(`${language}/`) ? trimSlashes(slug.slice(language.length + 1)) : slug;
}

/** The text without slashes at either end. */
export function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "/") start += 1;
  while (end > start && text[end - 1] === "/") end -= 1;
  return text.slice(start, end);
}

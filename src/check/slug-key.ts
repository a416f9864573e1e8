import { type LinkSettings, slugWithoutLanguage } from "../resolve/link-pattern.js";

/** The slug without language and slashes at its ends; of the root, the slug of the home page. */
export function slugKey(slug: string, language: string, { home }: Pick<LinkSettings, "home">): string {
  const plain = slugWithoutLanguage(slug, language);
  // As in URLs, which have no empty segments.
  return (plain.includes("//") ? plain.replace(/\/{2,}/g, "/") : plain) || home;
}

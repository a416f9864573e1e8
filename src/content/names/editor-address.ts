import type { Manifest } from "../../snapshot/manifest.js";

/** A story, with the values that an address in the editor may have. */
export interface EditedStory {
  id: number | string;
  uuid: string;
  full_slug: string;
  language: string;
}

/**
 * The address of a story in the platform's editor.
 *
 * @param pattern `editor.url` of the configuration
 * @returns undefined without a pattern, or if it needs the id of the space and that is unknown
 */
export function editorAddress(
  pattern: string | undefined,
  { id: space }: Pick<Manifest["space"], "id">,
  { id, uuid, full_slug, language }: EditedStory,
): string | undefined {
  if (pattern === undefined || (space === null && pattern.includes("{space}"))) return undefined;
  const values: Readonly<Record<string, string | number | null>> = { space, id, uuid, language };
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "slug") return full_slug.split("/").map(encodeURIComponent).join("/");
    return encodeURIComponent(String(values[name] ?? ""));
  });
}

/**
 * The address of a story's page on the site.
 *
 * @param site `site.url` of the configuration
 * @param url of the page, as content files have it
 * @returns undefined if nothing says where the site is
 */
export function pageAddress(site: string | undefined, url: string): string | undefined {
  if (/^https?:\/\//i.test(url)) return url;
  return site === undefined || !url.startsWith("/") ? undefined : site + url;
}

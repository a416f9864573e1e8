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

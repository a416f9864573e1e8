import { assetUrls, type RecordChange } from "../../content/resolve/asset-urls.js";

/**
 * Which stories name an asset.
 *
 * @param records all records, as changes with `after`
 * @returns full slugs by URL, each slug once, in the order of the records
 */
export async function assetUsers(
  urls: ReadonlySet<string>,
  records: AsyncIterable<RecordChange> | Iterable<RecordChange>,
): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>();
  // A record is parsed only when its text has the last segment of a URL: searching is faster than parsing.
  const ends = [...urls].map((url) => JSON.stringify(url.slice(url.lastIndexOf("/") + 1)).slice(1, -1));
  for await (const { after } of records) {
    if (after === null || !ends.some((end) => after.includes(end))) continue;
    const record = JSON.parse(after) as { full_slug?: unknown };
    const slug = typeof record.full_slug === "string" ? record.full_slug : "";
    for (const url of assetUrls(record)) {
      const known = users.get(url) ?? [];
      if (urls.has(url) && !known.includes(slug)) users.set(url, [...known, slug]);
    }
  }
  return users;
}

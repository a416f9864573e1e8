import { assetUrls } from "../resolve/asset-urls.js";
import type { RecordChange } from "./asset-uses.js";

/**
 * Which stories name an asset.
 *
 * @param records every record, as `after`
 * @returns full slugs by URL, each slug once, in the order of the records
 */
export async function assetUsers(
  urls: ReadonlySet<string>,
  records: AsyncIterable<RecordChange> | Iterable<RecordChange>,
): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>();
  // The last part of a URL stands in the text of a record as it is, or the record is read in vain.
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

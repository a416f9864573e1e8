import { parseRecord } from "../../contract/parse-record.js";
import { link as linkTable } from "../../contract/record-table.js";
import type { SparseLink } from "../../contract/records.js";
import { lowerBound } from "../../lib/collections/lower-bound.js";
import { parts } from "../layout.js";
import { comparePlaceToPrefix, placeOf } from "../shard-trie.js";
import type { LinkRow, Reader, ShardBytes } from "./reader.js";
import { recordText, uuidAt } from "./shard-bytes.js";

/**
 * A range of index rows by uuid, as the text of a key: two prefixes in binary digits. `0101-011` begins at the first
 * uuid that `0101` covers, and ends before the first one of `011`. An empty prefix: no border.
 */
export type LinkRange = `${string}-${string}`;

/** All rows. */
export const allLinks: LinkRange = "-";

/** The two prefixes of a range. */
export function bordersOf(range: string): { from: string; to: string } {
  const [from = "", to = ""] = range.split("-");
  return { from, to };
}

/** The rows of a range of a version's index, in key order. Parses no others. */
export function linkRowsOf({ manifest, shards }: Reader, version: string, range: string): LinkRow[] {
  const part = parts.links(version);
  const loaded = shards(part);
  const { from, to } = bordersOf(range);
  return (manifest.parts[part]?.shards ?? []).flatMap(({ prefix }, at) => {
    if (prefix < from.slice(0, prefix.length) || (to !== "" && prefix >= to)) return [];
    const shard = loaded[at]!;
    const firstAt = (border: string) =>
      lowerBound(shard.starts.length, (index) => comparePlaceToPrefix(placeOf(uuidAt(shard, index)), border) >= 0);
    return linkRowsIn(shard, from === "" ? 0 : firstAt(from), to === "" ? undefined : firstAt(to));
  });
}

/** A shard's rows, or those from one place up to another. */
export function linkRowsIn(shard: ShardBytes, start = 0, end = shard.starts.length): LinkRow[] {
  return Array.from({ length: end - start }, (_, at) => {
    return linkRow(parseRecord(linkTable, recordText(shard, start + at)));
  });
}

/** The uuids of a version's index, in key order. */
export function linkUuids({ shards }: Pick<Reader, "shards">, version: string): string[] {
  return shards(parts.links(version)).flatMap((shard) => Array.from(shard.starts, (_, at) => uuidAt(shard, at)));
}

/** What content shows of an index row. Without dates, which change with every edit. */
function linkRow({ uuid, id, name, slug, is_folder, is_startpage, parent_id }: SparseLink): LinkRow {
  return {
    uuid,
    id,
    name,
    slug,
    is_folder: is_folder ?? false,
    is_startpage: is_startpage ?? false,
    parent_id: parent_id ?? null,
  };
}

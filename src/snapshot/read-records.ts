import { lowerBound } from "../lib/collections/lower-bound.js";
import { memberText } from "../lib/json/member.js";
import type { PartEntry, ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";
import { readLines, withinShard } from "./read-part.js";
import { comparePieces, placeOf, shardOfKey } from "./shard-trie.js";
import type { Store } from "./store/store.js";

/** Reads only the shards that may have these records. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readRecords(
  store: Store,
  part: string,
  entry: PartEntry | undefined,
  keys: ReadonlySet<string>,
  read: ReadLines = readLines,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const field = partKey(part);
  if (field === null || entry === undefined) return found;
  for (const [shard, inside] of byShard(entry, keys)) {
    const lines = await read(store, part, shard);
    withinShard(part, shard, () => {
      for (const key of inside) {
        const place = findLine(lines, field, key);
        if (place.found) found.set(key, lines[place.at]!);
      }
    });
  }
  return found;
}

/** {@link readLines}, or a version with a cache. Do not change the result. */
export type ReadLines = (store: Store, part: string, shard: ShardEntry) => Promise<readonly string[]>;

function byShard({ shards }: PartEntry, keys: ReadonlySet<string>): Map<ShardEntry, string[]> {
  const grouped = new Map<ShardEntry, string[]>();
  for (const key of keys) {
    const index = shardOfKey(shards, key);
    if (index === undefined) continue;
    const shard = shards[index]!;
    const inside = grouped.get(shard);
    if (inside === undefined) grouped.set(shard, [key]);
    else inside.push(key);
  }
  return grouped;
}

/** Where a record is in a shard, or would be. */
export interface LinePlace {
  at: number;
  /** Whether the line at `at` has this key. */
  found: boolean;
}

/** Binary search by key. @param from all earlier lines precede the key @throws RangeError for a line without one */
export function findLine(lines: readonly string[], field: string, key: string, from = 0): LinePlace {
  const wanted = { key, place: placeOf(key) };
  const keyAt = (at: number): string => {
    const other = memberText(lines[at]!, field);
    if (other === undefined) throw new RangeError(`A record has no ${field}: ${lines[at]!.slice(0, 80)}`);
    return other;
  };
  const isBehind = (at: number): boolean => {
    const other = keyAt(at);
    return comparePieces({ key: other, place: placeOf(other) }, wanted) >= 0;
  };
  const at = from + lowerBound(lines.length - from, (one) => isBehind(from + one));
  return { at, found: at < lines.length && keyAt(at) === key };
}

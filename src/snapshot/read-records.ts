import type { Store } from "../store/store.js";
import type { PartEntry } from "./manifest.js";
import { readShardLines } from "./read-part.js";
import { comparePlaceToPrefix, placeOf } from "./shard-trie.js";

/**
 * Some records of a keyed part, by key; absent ones are missing from the map. Reads only the shards that can hold them.
 * @throws OffprintError `SNAPSHOT_DAMAGED` when one of these shards is not what the entry names.
 */
export async function readRecords(
  store: Store,
  part: string,
  entry: PartEntry,
  keys: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const places = [...keys].map(placeOf);
  for (const shard of entry.shards) {
    if (!places.some((place) => comparePlaceToPrefix(place, shard.prefix) === 0)) continue;
    for (const { key, line } of await readShardLines(store, part, shard)) {
      if (keys.has(key)) found.set(key, line);
    }
  }
  return found;
}

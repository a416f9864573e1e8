import type { Manifest, PartEntry } from "../../snapshot/manifest.js";
import { openReader } from "../../snapshot/reader/open-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";

/** Two generations, each without the shards that both have. */
export interface DifferingRecords {
  before: Reader;
  after: Reader;
}

/**
 * Reads the shards of two generations that are not the same in both. What the two readers answer differs exactly where
 * the generations' own answers differ: a record of a shard that both have is in neither, and is equal in both. One
 * exception errs to the safe side: a slug that two stories have, one of them in a shard that both generations have.
 */
export async function readDifferingRecords(store: Store, before: Manifest, after: Manifest): Promise<DifferingRecords> {
  const [old, now] = await Promise.all([
    openReader(store, { ...before, parts: withoutShared(before.parts, after.parts) }),
    openReader(store, { ...after, parts: withoutShared(after.parts, before.parts) }),
  ]);
  return { before: old, after: now };
}

function withoutShared(parts: Manifest["parts"], others: Manifest["parts"]): Manifest["parts"] {
  const left = Object.entries(parts).map(([part, entry]): [string, PartEntry] => {
    const other = Object.hasOwn(others, part) ? others[part] : undefined;
    const hashes = new Map(other?.shards.map(({ prefix, hash }) => [prefix, hash]));
    const shards = entry.shards.filter(({ prefix, hash }) => hashes.get(prefix) !== hash);
    return [part, { records: shards.reduce((sum, { records }) => sum + records, 0), shards }];
  });
  return Object.fromEntries(left);
}

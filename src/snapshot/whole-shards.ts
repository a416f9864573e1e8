import { isOffprintError } from "../errors.js";
import type { Store } from "../store/store.js";
import type { Manifest, PartEntry, ShardEntry } from "./manifest.js";
import { readShardLines } from "./read-part.js";

/**
 * The parts of a generation with only those shards that are whole.
 * @param known Names of parts that are whole and need not be read.
 */
export async function wholeShards(
  store: Store,
  { parts }: Pick<Manifest, "parts">,
  known: readonly string[],
): Promise<Record<string, PartEntry>> {
  const whole: Record<string, PartEntry> = {};
  for (const [part, entry] of Object.entries(parts)) {
    if (known.includes(part)) {
      whole[part] = entry;
      continue;
    }
    const shards: ShardEntry[] = [];
    for (const shard of entry.shards) {
      if (await isWhole(store, part, shard)) shards.push(shard);
    }
    whole[part] = { records: shards.reduce((sum, { records }) => sum + records, 0), shards };
  }
  return whole;
}

async function isWhole(store: Store, part: string, shard: ShardEntry): Promise<boolean> {
  try {
    await readShardLines(store, part, shard);
    return true;
  } catch (error) {
    if (isOffprintError(error, "SNAPSHOT_DAMAGED")) return false;
    throw error;
  }
}

import { isOffprintError } from "../../lib/errors.js";
import type { Manifest, PartEntry, ShardEntry } from "../manifest.js";
import { readShardLines } from "../read-part.js";
import type { Store } from "../store/store.js";

/** A generation's parts without damaged shards. @param known names that need no reading */
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

import { isOffprintError, type OffprintError } from "../lib/errors.js";
import type { Manifest } from "./manifest.js";
import { inTurn } from "./read-part.js";
import { readShard } from "./shard-file.js";
import { shapedRecords } from "./shard-records.js";
import type { Store } from "./store/store.js";

/**
 * The damage of a generation that may stand behind an error. Whoever reads records relies on what a sync keeps of each, and would
 * pay for a look at all of them; a snapshot whose hashes fit and whose records do not is one that somebody else wrote. So it is looked
 * at once something has failed, in one place for all readers: every shard is read, and every record of it parsed.
 *
 * @returns `SNAPSHOT_DAMAGED` with the file and the field; undefined: the error is one of ours, or the snapshot is whole
 */
export async function damageBehind(
  error: unknown,
  store: Store,
  manifest: Manifest,
): Promise<OffprintError | undefined> {
  if (isOffprintError(error)) return undefined;
  try {
    for (const [part, { shards }] of Object.entries(manifest.parts)) {
      const records = inTurn(shards, 1, async (shard) => {
        shapedRecords(part, shard, Buffer.from(await readShard(store, part, shard)));
      });
      for await (const _ of records);
    }
    return undefined;
  } catch (damage) {
    return isOffprintError(damage, "SNAPSHOT_DAMAGED") ? damage : undefined;
  }
}

import { mapBounded } from "../map-bounded.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import { shardFile } from "../snapshot/layout.js";
import type { Manifest, ShardEntry } from "../snapshot/manifest.js";
import { readShardBeside } from "../snapshot/shard-file.js";
import type { Store } from "../store/store.js";
import type { ShardBytes } from "./reader.js";
import { locateRecords } from "./shard-bytes.js";

/** How many files are read at the same time. */
const concurrency = 8;

/** The shards of every part of a manifest, in the manifest's order. */
export type LoadedParts = ReadonlyMap<string, readonly ShardBytes[]>;

/**
 * Reads and verifies all shards that a manifest names.
 *
 * @param earlier Shards by hash that are in memory already: they are not read again.
 * @throws OffprintError `SNAPSHOT_DAMAGED` when a file is missing or is not what the manifest names.
 */
export async function loadShards(
  store: Store,
  manifest: Manifest,
  earlier: ReadonlyMap<string, ShardBytes>,
): Promise<LoadedParts> {
  const loaded = new Map<string, ShardBytes[]>();
  const jobs: { part: string; place: number; entry: ShardEntry }[] = [];
  for (const [part, { shards }] of Object.entries(manifest.parts)) {
    loaded.set(part, []);
    shards.forEach((entry, place) => {
      jobs.push({ part, place, entry });
    });
  }
  await mapBounded(jobs, concurrency, async ({ part, place, entry }) => {
    loaded.get(part)![place] = earlier.get(entry.hash) ?? (await loadShard(store, part, entry));
  });
  return loaded;
}

async function loadShard(store: Store, part: string, entry: ShardEntry): Promise<ShardBytes> {
  const shard = locateRecords(entry.hash, await readShardBeside(store, part, entry), entry.records);
  if (shard === undefined) {
    throw damagedFile(shardFile(part, entry), `does not hold ${entry.records} records, one a line`);
  }
  return shard;
}

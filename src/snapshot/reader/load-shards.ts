import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { damagedFile } from "../damaged-file.js";
import { parts, shardFile } from "../layout.js";
import type { Manifest, ShardEntry } from "../manifest.js";
import { readShard, readShardNow, type StoreAtHand } from "../shard-file.js";
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

/** What was thrown where a shard was to be read on demand. */
const failures = new WeakSet<object>();

/** Whether an error comes from a shard that was read on demand, and not from whoever asked for something in it. */
export function isReadFailure(error: unknown): boolean {
  return typeof error === "object" && error !== null && failures.has(error);
}

/**
 * The shards of stories, each of which is read and verified when its bytes are first asked for.
 * @returns shards that throw OffprintError `SNAPSHOT_DAMAGED` then, when a file is missing or is not what the manifest names
 */
export function storiesOnDemand(store: StoreAtHand, manifest: Manifest): LoadedParts {
  const own = manifest.editions.map(({ name }) => parts.stories(name));
  return new Map(
    own.map((part) => {
      const { shards = [] } = manifest.parts[part] ?? {};
      return [
        part,
        shards.map((entry) => onDemand(entry, () => located(part, entry, readShardNow(store, part, entry)))),
      ];
    }),
  );
}

function onDemand({ hash }: ShardEntry, load: () => ShardBytes): ShardBytes {
  const shard = { hash } as ShardBytes;
  const loaded = (): ShardBytes => {
    try {
      return load();
    } catch (error) {
      if (error instanceof Error) failures.add(error);
      throw error;
    }
  };
  for (const name of ["bytes", "starts", "ends"] as const) {
    const get = (): unknown => {
      const { bytes, starts, ends } = loaded();
      for (const [own, value] of Object.entries({ bytes, starts, ends })) {
        Object.defineProperty(shard, own, { value, writable: true, configurable: true, enumerable: true });
      }
      return shard[name];
    };
    Object.defineProperty(shard, name, { get, configurable: true, enumerable: true });
  }
  return shard;
}

async function loadShard(store: Store, part: string, entry: ShardEntry): Promise<ShardBytes> {
  return located(part, entry, await readShard(store, part, entry));
}

function located(part: string, entry: ShardEntry, bytes: Uint8Array): ShardBytes {
  const shard = locateRecords(entry.hash, bytes, entry.records);
  if (shard === undefined) {
    throw damagedFile(shardFile(part, entry), `does not hold ${entry.records} records, one a line`);
  }
  return shard;
}

import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { damagedFile } from "../damaged-file.js";
import { parts, shardFile } from "../layout.js";
import type { Manifest, ShardEntry } from "../manifest.js";
import { readShard, readShardNow, type StoreAtHand } from "../shard-file.js";
import type { Store } from "../store/store.js";
import type { ShardBytes } from "./reader.js";
import { locateRecords } from "./shard-bytes.js";

/** Files read at a time. */
const concurrency = 8;

/** The shards of every part, in the manifest's order. */
export type LoadedParts = ReadonlyMap<string, readonly ShardBytes[]>;

/**
 * Reads and verifies all shards of a manifest.
 * @param earlier Shards in memory by hash: not read again.
 * @throws OffprintError `SNAPSHOT_DAMAGED` if a file is missing or does not match the manifest.
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
    loaded.get(part)![place] = earlier.get(entry.hash) ?? located(part, entry, await readShard(store, part, entry));
  });
  return loaded;
}

/** Errors of reading shards on demand. */
const failures = new WeakSet<object>();

/** Whether an error comes from reading a shard on demand, and not from the caller. */
export function isReadFailure(error: unknown): boolean {
  return typeof error === "object" && error !== null && failures.has(error);
}

/** Each is read and verified on first use, and may then throw `SNAPSHOT_DAMAGED`. */
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

function located(part: string, entry: ShardEntry, bytes: Uint8Array): ShardBytes {
  const shard = locateRecords(entry.hash, bytes, entry.records);
  if (shard === undefined) {
    throw damagedFile(shardFile(part, entry), `does not have ${entry.records} records, one per line`);
  }
  return shard;
}

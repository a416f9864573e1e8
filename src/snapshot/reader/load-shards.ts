import { Lru } from "../../lib/collections/lru.js";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { damagedFile } from "../damaged-file.js";
import { shardFile } from "../layout.js";
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
    loaded.get(part)![place] = earlier.get(entry.hash) ?? (await loadShard(store, part, entry));
  });
  return loaded;
}

/** Reads and verifies a shard. @throws OffprintError `SNAPSHOT_DAMAGED` as {@link loadShards} */
export async function loadShard(store: Store, part: string, entry: ShardEntry): Promise<ShardBytes> {
  return locatedShard(part, entry, await readShard(store, part, entry));
}

/**
 * Reads the shards of some parts, and keeps none.
 * @throws OffprintError `SNAPSHOT_DAMAGED` as {@link loadShards}
 */
export async function verifyShards(
  store: Store,
  { parts }: Manifest,
  isWanted: (part: string) => boolean = () => true,
): Promise<void> {
  const wanted = Object.entries(parts).filter(([part]) => isWanted(part));
  const jobs = wanted.flatMap(([part, { shards }]) => shards.map((entry) => ({ part, entry })));
  await mapBounded(jobs, concurrency, async ({ part, entry }) => {
    await loadShard(store, part, entry);
  });
}

/** Errors of reading shards on demand. */
const failures = new WeakSet<object>();

/** Whether an error comes from reading a shard on demand, and not from the caller. */
export function isReadFailure(error: unknown): boolean {
  return typeof error === "object" && error !== null && failures.has(error);
}

/**
 * Shards that are read and verified when they are used; reading one may throw `SNAPSHOT_DAMAGED`.
 * @param maxBytes of the shards used last, which stay in memory
 */
export function partsOnDemand(store: StoreAtHand, { parts }: Manifest, maxBytes: number): LoadedParts {
  const recent = new Lru<string, ShardBytes>(maxBytes, ({ bytes, starts }) => bytes.length + 8 * starts.length);
  /** Stays even if it is larger than the limit. */
  let last: ShardBytes | undefined;
  const load = (part: string, entry: ShardEntry): ShardBytes => {
    if (last?.hash === entry.hash) return last;
    const known = recent.get(entry.hash);
    last = known ?? locatedShard(part, entry, readNow(store, part, entry));
    if (known === undefined) recent.set(entry.hash, last);
    return last;
  };
  const all = Object.entries(parts);
  return new Map(all.map(([part, { shards }]) => [part, shards.map((entry) => onDemand(part, entry, load))]));
}

function onDemand(part: string, entry: ShardEntry, load: (part: string, entry: ShardEntry) => ShardBytes): ShardBytes {
  const shard = { hash: entry.hash } as ShardBytes;
  for (const name of ["bytes", "starts", "ends"] as const) {
    Object.defineProperty(shard, name, { get: () => load(part, entry)[name], configurable: true, enumerable: true });
  }
  return shard;
}

function readNow(store: StoreAtHand, part: string, entry: ShardEntry): Uint8Array {
  try {
    return readShardNow(store, part, entry);
  } catch (error) {
    if (error instanceof Error) failures.add(error);
    throw error;
  }
}

/** @throws OffprintError `SNAPSHOT_DAMAGED` if its records are not one per line */
export function locatedShard(part: string, entry: ShardEntry, bytes: Uint8Array): ShardBytes {
  const shard = locateRecords(entry.hash, bytes, entry.records);
  if (shard === undefined) {
    throw damagedFile(shardFile(part, entry), `does not have ${entry.records} records, one per line`);
  }
  return shard;
}

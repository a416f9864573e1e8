import { bufferOver } from "../lib/buffer-over.js";
import { contentHash, hashBeside } from "../lib/content-hash.js";
import type { OffprintError } from "../lib/errors.js";
import { linesBytes, linesOf } from "../lib/json/lines.js";
import { damagedFile } from "./damaged-file.js";
import { shardFile } from "./layout.js";
import type { ShardEntry } from "./manifest.js";
import type { Store } from "./store/store.js";

/** The records, in file order. @throws OffprintError `SNAPSHOT_DAMAGED` if they are not framed */
export function shardLines(bytes: Uint8Array, file: string): string[] {
  const lines = linesOf(bufferOver(bytes).toString());
  // An empty part has no shard.
  if (lines === undefined || lines.length === 0) throw notLines(file);
  return lines;
}

export function notLines(file: string): OffprintError {
  return damagedFile(file, "is not a JSON array with one record per line");
}

/** A shard's bytes, checked on another thread. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readShard(store: Pick<Store, "get">, part: string, shard: ShardEntry): Promise<Uint8Array> {
  const file = shardFile(part, shard);
  const bytes = ofSize(file, shard, await store.get(file));
  return ofHash(file, shard, bytes, await hashBeside(bytes));
}

/** {@link readShard}, synchronously. */
export function readShardNow(store: StoreAtHand, part: string, shard: ShardEntry): Uint8Array {
  const file = shardFile(part, shard);
  const bytes = ofSize(file, shard, store.getNow(file));
  return ofHash(file, shard, bytes, contentHash(bytes));
}

export type StoreAtHand = Required<Pick<Store, "getNow">>;

export function isAtHand(store: Store): store is Store & StoreAtHand {
  return store.getNow !== undefined;
}

function ofSize(file: string, shard: ShardEntry, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) throw damagedFile(file, `is missing: expected ${shard.records} records`);
  if (bytes.length !== shard.bytes) {
    throw damagedFile(file, `has ${bytes.length} bytes: expected ${shard.bytes}`);
  }
  return bytes;
}

function ofHash(file: string, shard: ShardEntry, bytes: Uint8Array, hash: string): Uint8Array {
  if (hash !== shard.hash) throw damagedFile(file, `has the hash ${hash}: expected ${shard.hash}`);
  return bytes;
}

/** Unless the store has it. @param lines canonical, in file order @param existing its bytes are read: may be lost */
export async function writeShard(
  store: Store,
  part: string,
  prefix: string,
  lines: readonly string[],
  existing: ReadonlyMap<string, ShardEntry> = new Map(),
): Promise<ShardEntry> {
  const broken = lines.find((line) => line.includes("\n"));
  if (broken !== undefined) throw new RangeError(`A record of ${part} contains a line feed: ${broken.slice(0, 80)}`);
  const bytes = linesBytes(lines);
  const shard: ShardEntry = { prefix, hash: await hashBeside(bytes), records: lines.length, bytes: bytes.length };
  const file = shardFile(part, shard);
  const there = existing.get(prefix)?.hash === shard.hash ? await store.get(file) : undefined;
  if (there === undefined || Buffer.compare(there, bytes) !== 0) await store.put(file, bytes);
  return shard;
}

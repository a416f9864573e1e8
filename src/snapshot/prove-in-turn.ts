import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { checkName } from "../store/store-name.js";
import { contentHash } from "./content-hash.js";
import { shardFile } from "./layout.js";
import type { ShardEntry } from "./manifest.js";
import { provesRecords } from "./prove-records.js";

/** A shard and the part that it is of. */
export interface PartShard {
  part: string;
  shard: ShardEntry;
}

/** Shards that several threads take one by one; the arrays lie in memory that they share. */
export interface ProofOrder {
  /** The folder of the store. */
  folder: string;
  shards: readonly PartShard[];
  /** One number: how many shards were taken. */
  taken: Int32Array;
  /** At the index of each shard: 1 once it is proved that its file holds what its entry says. */
  proved: Uint8Array;
}

/**
 * Takes shards until none is left, and notes those that are proved. Of any other nothing is noted, whatever the reason; so it
 * is also where the thread dies.
 */
export function proveInTurn({ folder, shards, taken, proved }: ProofOrder): void {
  const room = { bytes: Buffer.alloc(0) };
  for (;;) {
    const index = Atomics.add(taken, 0, 1);
    if (index >= shards.length) return;
    const { part, shard } = shards[index]!;
    const name = shardFile(part, shard);
    checkName(name);
    const bytes = contentOf(join(folder, ...name.split("/")), shard.bytes, room);
    if (bytes === undefined || contentHash(bytes) !== shard.hash) continue;
    if (provesRecords(part, shard, bytes)) Atomics.store(proved, index, 1);
  }
}

/**
 * The bytes of a file, up to the next call: one buffer is used again and again, so that none waits for the collection of
 * garbage. In a thread, waiting for the disk holds up nobody else.
 *
 * @returns undefined where it cannot be read, or has another size
 */
function contentOf(path: string, size: number, room: { bytes: Buffer }): Buffer | undefined {
  try {
    const file = openSync(path, "r");
    try {
      if (fstatSync(file).size !== size) return undefined;
      if (size > room.bytes.length) room.bytes = Buffer.allocUnsafeSlow(size);
      let filled = 0;
      for (let read = -1; read !== 0 && filled < size; filled += read) {
        read = readSync(file, room.bytes, filled, size - filled, filled);
      }
      return filled === size ? room.bytes.subarray(0, size) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

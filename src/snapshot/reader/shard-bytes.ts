import { textOf } from "../../lib/json/bytes.js";
import { locateLines } from "../../lib/json/lines.js";
import type { ShardBytes } from "./reader.js";

/** The shard with the places of its records; undefined when the bytes do not hold this number of records, one a line. */
export function locateRecords(hash: string, bytes: Uint8Array, records: number): ShardBytes | undefined {
  const positions = locateLines(bytes, records);
  return positions && { hash, bytes, ...positions };
}

/** The canonical JSON text of record `index` of a shard. */
export function recordText(shard: ShardBytes, index: number): string {
  return textOf(shard.bytes, shard.starts[index]!, shard.ends[index]!);
}

/** The bytes of record `index` of a shard: a view, not a copy. */
export function recordBytes(shard: ShardBytes, index: number): Uint8Array {
  return shard.bytes.subarray(shard.starts[index], shard.ends[index]);
}

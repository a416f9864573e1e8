import { encodePath, findPath, textOf, valueAt } from "../../lib/json/bytes.js";
import { locateLines } from "../../lib/json/lines.js";
import type { ShardBytes } from "./reader.js";

/** Locates a shard's records; undefined unless it has this number, one per line. */
export function locateRecords(hash: string, bytes: Uint8Array, records: number): ShardBytes | undefined {
  const positions = locateLines(bytes, records);
  return positions && { hash, bytes, ...positions };
}

export function recordText(shard: ShardBytes, index: number): string {
  return textOf(shard.bytes, shard.starts[index]!, shard.ends[index]!);
}

/** The bytes of a record: a view, not a copy. */
export function recordBytes(shard: ShardBytes, index: number): Uint8Array {
  return shard.bytes.subarray(shard.starts[index], shard.ends[index]);
}

export function recordsOf(shard: ShardBytes): Uint8Array[] {
  return Array.from(shard.starts, (_, index) => recordBytes(shard, index));
}

const uuidPath = encodePath(["uuid"]);

export function uuidAt(shard: ShardBytes, index: number): string {
  const uuid = valueAt(shard.bytes, findPath(shard.bytes, shard.starts[index]!, uuidPath));
  return typeof uuid === "string" ? uuid : "";
}

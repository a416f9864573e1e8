import type { Reader } from "../reader/reader.js";
import { recordBytes } from "../reader/shard-bytes.js";

/** The records of a part as they are stored, in its order; none for a part that the snapshot lacks. */
export function partRecords(reader: Reader, part: string): Uint8Array[] {
  return reader.shards(part).flatMap((shard) => Array.from(shard.starts, (_, index) => recordBytes(shard, index)));
}

import type { Store } from "../store/store.js";
import { damagedFile } from "./damaged-file.js";
import { partKey, shardFile } from "./layout.js";
import type { PartEntry, ShardEntry } from "./manifest.js";
import { recordKey } from "./record-key.js";
import { readShard, shardLines } from "./shard-file.js";

/** One record of a part: its canonical JSON and its key (`""` in a part that has none). */
export interface KeyedLine {
  key: string;
  line: string;
}

/**
 * All records of a part in the order of its shards, one shard in memory at a time. Each shard's hash is verified.
 * @throws OffprintError `SNAPSHOT_DAMAGED` naming the first file that is not what the entry names.
 */
export async function* readPart(store: Store, part: string, entry: PartEntry): AsyncGenerator<KeyedLine> {
  for (const shard of entry.shards) yield* await readShardLines(store, part, shard);
}

/** The records of one shard. */
export async function readShardLines(store: Store, part: string, shard: ShardEntry): Promise<KeyedLine[]> {
  const file = shardFile(part, shard);
  const lines = shardLines(await readShard(store, part, shard), file);
  try {
    return keyedLines(part, lines);
  } catch (error) {
    throw damagedFile(file, "holds a record without a key", error);
  }
}

/**
 * Records with their keys.
 * @throws RangeError for a record that lacks the key field of its part.
 */
export function keyedLines(part: string, lines: readonly string[]): KeyedLine[] {
  const field = partKey(part);
  return lines.map((line) => {
    const key = field === null ? "" : recordKey(line, field);
    if (key === undefined) throw new RangeError(`A record of ${part} has no ${field}: ${line.slice(0, 80)}`);
    return { key, line };
  });
}

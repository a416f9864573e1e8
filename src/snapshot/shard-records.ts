import { isOffprintError, type OffprintError } from "../lib/errors.js";
import { type LinePositions, locateLines } from "../lib/json/lines.js";
import { orUndefined } from "../lib/or-undefined.js";
import { isObject } from "../lib/shape.js";
import { damagedFile } from "./damaged-file.js";
import { shardFile } from "./layout.js";
import type { Manifest, PartEntry, ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";
import { inTurn, readShardLines, withinShard } from "./read-part.js";
import { recordFault } from "./record-fault.js";
import { notLines, readShard, shardLines } from "./shard-file.js";
import { comparePieces, comparePlaceToPrefix, placeOf } from "./shard-trie.js";
import type { Store } from "./store/store.js";

/** Each with its identifying fields, in place and order. @throws OffprintError `SNAPSHOT_DAMAGED` with the cause */
export function shapedRecords(part: string, shard: ShardEntry, bytes: Buffer): unknown[] {
  const file = shardFile(part, shard);
  const lines = locateInShard(part, shard, bytes);
  const values = Array.from(lines.starts, (start, index): unknown => {
    try {
      return JSON.parse(bytes.toString("utf8", start, lines.ends[index]));
    } catch (error) {
      throw damagedFile(file, `has invalid JSON in line ${index + 2}`, error);
    }
  });
  checkKeys(part, shard, values);
  for (const [index, value] of values.entries()) {
    const fault = recordFault(part, value);
    if (fault !== undefined) throw damagedFile(file, `has a record in line ${index + 2} ${fault}`);
  }
  return values;
}

/** The offsets of a shard's records. @throws OffprintError `SNAPSHOT_DAMAGED` */
export function locateInShard(part: string, shard: ShardEntry, bytes: Buffer): LinePositions {
  const lines = locateLines(bytes, shard.records);
  if (lines !== undefined) return lines;
  const file = shardFile(part, shard);
  const { length } = shardLines(bytes, file);
  if (length === shard.records) throw notLines(file);
  throw damagedFile(file, `has ${length} records: expected ${shard.records}`);
}

function checkKeys(part: string, shard: ShardEntry, values: readonly unknown[]): void {
  const field = partKey(part);
  if (field === null) return;
  const file = shardFile(part, shard);
  let before: { place: string; key: string } | undefined;
  for (const value of values) {
    const key = isObject(value) ? value[field] : undefined;
    if (typeof key !== "string") throw damagedFile(file, "has a record without a key");
    const now = withinShard(part, shard, () => ({ place: placeOf(key), key }));
    if (comparePlaceToPrefix(now.place, shard.prefix) !== 0) {
      throw damagedFile(file, `has the record ${key}, which belongs to another shard`);
    }
    if (before !== undefined && comparePieces(before, now) >= 0) {
      throw damagedFile(file, `has the records ${before.key} and ${key} in the wrong order`);
    }
    before = now;
  }
}

/** The damage that may have caused an error: readers trust stored records, so this parses all. Undefined if none. */
export async function damageBehind(
  error: unknown,
  store: Store,
  manifest: Manifest,
): Promise<OffprintError | undefined> {
  if (isOffprintError(error)) return undefined;
  try {
    for (const [part, { shards }] of Object.entries(manifest.parts)) {
      const records = inTurn(shards, 1, async (shard) => {
        shapedRecords(part, shard, Buffer.from(await readShard(store, part, shard)));
      });
      for await (const _ of records);
    }
    return undefined;
  } catch (damage) {
    return isOffprintError(damage, "SNAPSHOT_DAMAGED") ? damage : undefined;
  }
}

/** A generation's parts without damaged shards. @param known names that need no reading */
export async function wholeShards(
  store: Store,
  { parts }: Pick<Manifest, "parts">,
  known: readonly string[],
): Promise<Record<string, PartEntry>> {
  const whole: Record<string, PartEntry> = {};
  for (const [part, entry] of Object.entries(parts)) {
    if (known.includes(part)) {
      whole[part] = entry;
      continue;
    }
    const shards: ShardEntry[] = [];
    for (const shard of entry.shards) {
      if ((await orUndefined(readShardLines(store, part, shard), "SNAPSHOT_DAMAGED")) !== undefined) shards.push(shard);
    }
    whole[part] = { records: shards.reduce((sum, { records }) => sum + records, 0), shards };
  }
  return whole;
}

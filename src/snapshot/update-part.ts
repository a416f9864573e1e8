import { mapBounded } from "../store/map-bounded.js";
import type { Store } from "../store/store.js";
import { partKey } from "./layout.js";
import type { PartEntry, ShardEntry } from "./manifest.js";
import { keyedLines, readShardLines } from "./read-part.js";
import { recordKey } from "./record-key.js";
import { writeShard } from "./shard-file.js";
import {
  comparePieces,
  comparePlaceToPrefix,
  firstPlace,
  type Leaf,
  layOutShards,
  lineWeight,
  maxPrefix,
  type Piece,
  placeOf,
  weightOf,
} from "./shard-trie.js";

/** Shards that are read or written at the same time. */
const concurrency = 8;

/** A record whose line is known, or a shard of the previous entry that nothing touched: its size is known, not its lines. */
type PartPiece = Piece & ({ line: string } | { shard: ShardEntry });

/**
 * The part with some records added, changed or removed: the same shards as {@link replacePart} gives for all records,
 * whatever happened before. Reads only shards that a change falls into and shards that become too large or small to
 * stand alone; puts only shards that are new. The sizes of all others stand in `previous`.
 * @param previous The part before; undefined: it was empty.
 * @param changes By key: the canonical line of the record, or null to remove it. Removing what is not there is no change.
 * @param shardBytes May differ from the one that `previous` was made with.
 * @throws OffprintError `SNAPSHOT_DAMAGED` when a shard that has to be read is not what `previous` names.
 * @throws RangeError for a part without keys, a key that is not hexadecimal, or a line of another key.
 */
export async function updatePart(
  store: Store,
  part: string,
  previous: PartEntry | undefined,
  changes: ReadonlyMap<string, string | null>,
  shardBytes: number,
): Promise<PartEntry> {
  checkKeys(part, changes);
  const shards = previous?.shards ?? [];
  const { byShard, outside } = assignChanges(shards, changes);
  const pieces: PartPiece[] = outside.map(([key, line]) => recordPiece(key, line));
  const loaded = await mapBounded(shards, concurrency, async (shard, index): Promise<PartPiece[]> => {
    const inside = byShard.get(index);
    const tooLarge = shard.bytes > shardBytes && shard.records > 1 && shard.prefix.length < maxPrefix;
    if (inside === undefined && !tooLarge) return [shardPiece(shard)];
    return applyChanges(await readRecords(store, part, shard), inside ?? []);
  });
  for (const some of loaded) for (const piece of some) pieces.push(piece);
  return writeLeaves(store, part, pieces, shardBytes, shards);
}

/**
 * The part made of exactly these records.
 * @param lines Canonical records; of a part without keys in the order that they are to keep.
 * @throws RangeError when a record lacks its key, or two have the same.
 */
export async function replacePart(
  store: Store,
  part: string,
  lines: readonly string[],
  shardBytes: number,
): Promise<PartEntry> {
  if (partKey(part) === null) {
    const shards = lines.length === 0 ? [] : [await writeShard(store, part, "", lines)];
    return { records: lines.length, shards };
  }
  const records = new Map<string, string>();
  for (const { key, line } of keyedLines(part, lines)) {
    if (records.has(key)) throw new RangeError(`Two records of ${part} have the key ${key}`);
    records.set(key, line);
  }
  const pieces = [...records].map(([key, line]) => recordPiece(key, line));
  return writeLeaves(store, part, pieces, shardBytes, []);
}

/** A line under a key that is not its own would be written to a shard where nobody looks for it. */
function checkKeys(part: string, changes: ReadonlyMap<string, string | null>): void {
  const field = partKey(part);
  if (field === null) throw new RangeError(`The records of ${part} have no keys: the part is replaced as a whole`);
  for (const [key, line] of changes) {
    if (line !== null && recordKey(line, field) !== key) {
      throw new RangeError(`The ${field} of a record of ${part} is not ${key}: ${line.slice(0, 80)}`);
    }
  }
}

/** Which changes fall into which shard (by index), and the new records that no shard covers. */
function assignChanges(shards: readonly ShardEntry[], changes: ReadonlyMap<string, string | null>) {
  const byShard = new Map<number, [string, string | null][]>();
  const outside: [string, string][] = [];
  for (const [key, line] of changes) {
    const index = shardOf(shards, placeOf(key));
    if (index === undefined) {
      if (line !== null) outside.push([key, line]);
      continue;
    }
    const inside = byShard.get(index);
    if (inside === undefined) byShard.set(index, [[key, line]]);
    else inside.push([key, line]);
  }
  return { byShard, outside };
}

function shardOf(shards: readonly ShardEntry[], place: string): number | undefined {
  let low = 0;
  let high = shards.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = comparePlaceToPrefix(place, shards[middle]!.prefix);
    if (order === 0) return middle;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return undefined;
}

function applyChanges(records: Map<string, string>, changes: readonly [string, string | null][]): PartPiece[] {
  for (const [key, line] of changes) {
    if (line === null) records.delete(key);
    else records.set(key, line);
  }
  return [...records].map(([key, line]) => recordPiece(key, line));
}

/** Lays the pieces out and writes what is not there yet; shards that share a leaf with other pieces are read for it. */
async function writeLeaves(
  store: Store,
  part: string,
  pieces: PartPiece[],
  shardBytes: number,
  previous: readonly ShardEntry[],
): Promise<PartEntry> {
  pieces.sort(comparePieces);
  const existing = new Map(previous.map((shard) => [shard.prefix, shard]));
  const write = async ({ prefix, start, end }: Leaf): Promise<ShardEntry> => {
    const inside = pieces.slice(start, end);
    const only = inside.length === 1 ? inside[0]! : undefined;
    if (only !== undefined && "shard" in only && only.shard.prefix === prefix) return only.shard;
    const lines: string[] = [];
    for (const piece of inside) {
      if ("line" in piece) lines.push(piece.line);
      else for (const line of (await readRecords(store, part, piece.shard)).values()) lines.push(line);
    }
    return writeShard(store, part, prefix, lines, existing);
  };
  const shards = await mapBounded(layOutShards(pieces, shardBytes), concurrency, write);
  return { records: shards.reduce((sum, shard) => sum + shard.records, 0), shards };
}

/** The lines of a shard by key, in the order of the file. */
async function readRecords(store: Store, part: string, shard: ShardEntry): Promise<Map<string, string>> {
  const records = await readShardLines(store, part, shard);
  return new Map(records.map(({ key, line }) => [key, line]));
}

function recordPiece(key: string, line: string): PartPiece {
  return { place: placeOf(key), key, records: 1, weight: lineWeight(line), line };
}

function shardPiece(shard: ShardEntry): PartPiece {
  return { place: firstPlace(shard.prefix), key: "", records: shard.records, weight: weightOf(shard.bytes), shard };
}

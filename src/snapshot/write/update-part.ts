import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { isMemberText } from "../../lib/json/member.js";
import type { RecordChange } from "../diff-part.js";
import type { PartEntry, ShardEntry } from "../manifest.js";
import { partKey } from "../part-kinds.js";
import { keyedLines, readLines, withinShard } from "../read-part.js";
import { findLine } from "../read-records.js";
import { writeShard } from "../shard-file.js";
import {
  comparePieces,
  comparePlaceToPrefix,
  fileBytes,
  firstPlace,
  type Leaf,
  layOutShards,
  lineWeight,
  maxPrefix,
  type Piece,
  placeOf,
  shardFrom,
  weightOf,
} from "../shard-trie.js";
import type { Store } from "../store/store.js";

const concurrency = 8;

/** `lines`: a record, or all of a changed shard. `shard`: unchanged, unread. */
type PartPiece = Piece & ({ lines: readonly string[] } | { shard: ShardEntry });

export interface PartUpdate {
  /** The current part; undefined: empty. */
  previous: PartEntry | undefined;
  /** By key: the record's canonical line, or null to remove it, if there. */
  changes: ReadonlyMap<string, string | null>;
  /** May differ from that of `previous`. */
  shardBytes: number;
  /** Called with every record that differs from `previous`. */
  onChange?: (change: RecordChange) => void;
}

/**
 * The same shards as {@link replacePart} with all records. Reads only those that change, or become too large or small.
 * @throws OffprintError `SNAPSHOT_DAMAGED`; RangeError for a part without keys, or a key that is not its line's
 */
export async function updatePart(store: Store, part: string, update: PartUpdate): Promise<PartEntry> {
  const { previous, changes, shardBytes, onChange = () => {} } = update;
  const field = checkKeys(part, changes);
  const shards = previous?.shards ?? [];
  const { byShard, outside } = assignChanges(shards, changes);
  const pieces: PartPiece[] = outside.map(({ key, line, place }) => recordPiece(key, line, place));
  for (const { key, line } of outside) onChange({ key, before: null, after: line });
  const tooLarge = (shard: ShardEntry) =>
    shard.bytes > shardBytes && shard.records > 1 && shard.prefix.length < maxPrefix;
  const touched = shards.flatMap((shard, index) => (byShard.has(index) || tooLarge(shard) ? [{ shard, index }] : []));
  for (const [index, shard] of shards.entries()) {
    if (byShard.has(index) || tooLarge(shard)) continue;
    pieces.push({ ...placeOfShard(shard), records: shard.records, weight: weightOf(shard.bytes), shard });
  }
  const loaded = await mapBounded(touched, concurrency, async ({ shard, index }): Promise<PartPiece[]> => {
    const before = await readLines(store, part, shard);
    const { lines, weight } = withinShard(part, shard, () =>
      applyChanges(before, field, weightOf(shard.bytes), byShard.get(index) ?? [], onChange),
    );
    if (lines.length === 0) return [];
    const fits = fileBytes(weight) <= shardBytes || lines.length === 1 || shard.prefix.length === maxPrefix;
    if (!fits)
      return withinShard(part, shard, () => keyedLines(part, lines)).map(({ key, line }) => recordPiece(key, line));
    return [{ ...placeOfShard(shard), records: lines.length, weight, lines }];
  });
  for (const some of loaded) for (const piece of some) pieces.push(piece);
  return writeLeaves({ store, part, previous: shards, ...laidOut(pieces, shardBytes) });
}

/** Exactly these records, without keys in this order. @throws RangeError if one lacks its key, or two share one */
export async function replacePart(
  store: Store,
  part: string,
  lines: readonly string[],
  shardBytes: number,
  previous?: PartEntry,
): Promise<PartEntry> {
  const shardsBefore = previous?.shards ?? [];
  if (partKey(part) === null) {
    const existing = new Map(shardsBefore.map((shard) => [shard.prefix, shard]));
    const shards = lines.length === 0 ? [] : [await writeShard(store, part, "", lines, existing)];
    return { records: lines.length, shards };
  }
  const records = new Map<string, string>();
  for (const { key, line } of keyedLines(part, lines)) {
    if (records.has(key)) throw new RangeError(`Two records of ${part} have the key ${key}`);
    records.set(key, line);
  }
  const pieces = [...records].map(([key, line]) => recordPiece(key, line));
  return writeLeaves({ store, part, previous: shardsBefore, ...laidOut(pieces, shardBytes) });
}

/** Another key would put a line where nobody looks for it. @returns the field with the key */
function checkKeys(part: string, changes: ReadonlyMap<string, string | null>): string {
  const field = partKey(part);
  if (field === null) throw new RangeError(`The records of ${part} have no keys: the part is replaced as a whole`);
  for (const [key, line] of changes) {
    if (line !== null && !isMemberText(line, field, key)) {
      throw new RangeError(`The ${field} of a record of ${part} is not ${key}: ${line.slice(0, 80)}`);
    }
  }
  return field;
}

/** The changes by shard index, in line order, and new records that no shard covers. */
function assignChanges(shards: readonly ShardEntry[], changes: ReadonlyMap<string, string | null>) {
  const byShard = new Map<number, [string, string | null][]>();
  const outside: { key: string; line: string; place: string }[] = [];
  const placed: { key: string; line: string | null; place: string }[] = [];
  for (const [key, line] of changes) placed.push({ key, line, place: placeOf(key) });
  placed.sort(comparePieces);
  let index = 0;
  for (const { key, line, place } of placed) {
    // Both are sorted, and a fold's changes are close together.
    let beyond = index < shards.length ? comparePlaceToPrefix(place, shards[index]!.prefix) : -1;
    if (beyond > 0) {
      index = shardFrom(shards, place);
      beyond = index < shards.length ? comparePlaceToPrefix(place, shards[index]!.prefix) : -1;
    }
    if (beyond < 0) {
      if (line !== null) outside.push({ key, line, place });
      continue;
    }
    const inside = byShard.get(index);
    if (inside === undefined) byShard.set(index, [[key, line]]);
    else inside.push([key, line]);
  }
  return { byShard, outside };
}

function applyChanges(
  before: readonly string[],
  field: string,
  weight: number,
  changes: readonly [string, string | null][],
  onChange: (change: RecordChange) => void,
): { lines: string[]; weight: number } {
  const lines: string[] = [];
  let weighs = weight;
  let taken = 0;
  const take = (until: number) => {
    while (taken < until) lines.push(before[taken++]!);
  };
  for (const [key, after] of changes) {
    const { at, found } = findLine(before, field, key, taken);
    take(at);
    const old = found ? before[taken++]! : null;
    if (after !== null) lines.push(after);
    if (old === after) continue;
    weighs += (after === null ? 0 : lineWeight(after)) - (old === null ? 0 : lineWeight(old));
    onChange({ key, before: old, after });
  }
  take(before.length);
  return { lines, weight: weighs };
}

interface NewPart {
  store: Store;
  part: string;
  /** Sorted. */
  pieces: readonly PartPiece[];
  leaves: Leaf[];
  /** The part's shards in the store. */
  previous: readonly ShardEntry[];
}

function laidOut(pieces: PartPiece[], shardBytes: number): Pick<NewPart, "pieces" | "leaves"> {
  pieces.sort(comparePieces);
  return { pieces, leaves: layOutShards(pieces, shardBytes) };
}

/** Writes the shards that are not in the store yet. */
async function writeLeaves({ store, part, pieces, leaves, previous }: NewPart): Promise<PartEntry> {
  const existing = new Map(previous.map((shard) => [shard.prefix, shard]));
  const write = async ({ prefix, start, end }: Leaf): Promise<ShardEntry> => {
    const inside = pieces.slice(start, end);
    const only = inside.length === 1 ? inside[0]! : undefined;
    if (only !== undefined && "shard" in only && only.shard.prefix === prefix) return only.shard;
    if (only !== undefined && "lines" in only) return writeShard(store, part, prefix, only.lines, existing);
    const lines: string[] = [];
    for (const piece of inside) {
      for (const line of "lines" in piece ? piece.lines : await readLines(store, part, piece.shard)) lines.push(line);
    }
    return writeShard(store, part, prefix, lines, existing);
  };
  const shards = await mapBounded(leaves, concurrency, write);
  return { records: shards.reduce((sum, shard) => sum + shard.records, 0), shards };
}

function recordPiece(key: string, line: string, place = placeOf(key)): PartPiece {
  return { place, key, records: 1, weight: lineWeight(line), lines: [line] };
}

function placeOfShard({ prefix }: ShardEntry): Pick<Piece, "place" | "key"> {
  return { place: firstPlace(prefix), key: "" };
}

import { type LinePositions, locateLines } from "../lib/json/lines.js";
import { memberText } from "../lib/json/member.js";
import { damagedFile } from "./damaged-file.js";
import { shardFile } from "./layout.js";
import type { PartEntry, ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";
import { notLines, readShard, shardLines } from "./shard-file.js";
import type { Store } from "./store/store.js";

/** One record of a part: canonical JSON, and its key or `""`. */
export interface KeyedLine {
  key: string;
  line: string;
}

const shardsAhead = 2;

/** In shard order, a few shards in memory at a time; nothing if there is no such part. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function* readPart(store: Store, part: string, entry: PartEntry | undefined): AsyncGenerator<KeyedLine> {
  for await (const lines of readShards(store, part, entry)) yield* lines;
}

/** {@link readPart} by shard, several times faster for many small records. */
export async function* readShards(
  store: Store,
  part: string,
  entry: PartEntry | undefined,
): AsyncGenerator<KeyedLine[]> {
  yield* inTurn(entry?.shards ?? [], shardsAhead, (shard) => readShardLines(store, part, shard));
}

/** A shard's bytes, and the offsets of its lines. */
export interface LocatedLines {
  shard: ShardEntry;
  bytes: Uint8Array;
  lines: LinePositions;
}

/** {@link readShards} for a caller that decodes few lines. */
export async function* readLocated(
  store: Store,
  part: string,
  entry: PartEntry,
  readAhead: number,
): AsyncGenerator<LocatedLines> {
  yield* inTurn(entry.shards, readAhead, (shard) => locateShard(store, part, shard));
}

async function locateShard(store: Store, part: string, shard: ShardEntry): Promise<LocatedLines> {
  const bytes = await readShard(store, part, shard);
  const lines = locateLines(bytes, shard.records);
  if (lines === undefined) throw notLines(shardFile(part, shard));
  return { shard, bytes, lines };
}

/** Reads something of each item, in order, some of it ahead. */
export async function* inTurn<Item, T>(
  items: readonly Item[],
  readAhead: number,
  read: (item: Item) => Promise<T>,
): AsyncGenerator<T> {
  const ahead: Promise<T>[] = [];
  let next = 0;
  while (next < items.length || ahead.length > 0) {
    while (next < items.length && ahead.length <= readAhead) {
      const reading = read(items[next++]!);
      // A caller that stops early never awaits these: their failures must not be unhandled.
      reading.catch(() => undefined);
      ahead.push(reading);
    }
    const first = ahead.shift();
    if (first !== undefined) yield await first;
  }
}

export async function readShardLines(store: Pick<Store, "get">, part: string, shard: ShardEntry): Promise<KeyedLine[]> {
  const lines = await readLines(store, part, shard);
  return withinShard(part, shard, () => keyedLines(part, lines));
}

export async function readLines(store: Pick<Store, "get">, part: string, shard: ShardEntry): Promise<string[]> {
  return shardLines(await readShard(store, part, shard), shardFile(part, shard));
}

/** Runs a function that reads a shard's keys. A missing key becomes `SNAPSHOT_DAMAGED`. */
export function withinShard<T>(part: string, shard: ShardEntry, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw damagedFile(shardFile(part, shard), "has a record without a key", error);
  }
}

export function keyedLines(part: string, lines: readonly string[]): KeyedLine[] {
  const field = partKey(part);
  return lines.map((line) => {
    const key = field === null ? "" : memberText(line, field);
    if (key === undefined) throw new RangeError(`A record of ${part} has no ${field}: ${line.slice(0, 80)}`);
    return { key, line };
  });
}

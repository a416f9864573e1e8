import { memberText } from "../lib/json/member.js";
import { isObject } from "../lib/shape.js";
import type { PartEntry, ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";
import { type KeyedLine, readLines, readPart, readShards, withinShard } from "./read-part.js";
import { comparePieces, placeOf } from "./shard-trie.js";
import type { Store } from "./store/store.js";

/** A record that differs between two states; null if absent. */
export interface RecordChange {
  /** Key of the record. In a part without keys: its `id`, else its `name`, else its position. */
  key: string;
  before: string | null;
  after: string | null;
}

/** The records that differ, in key order. Without keys, a new order alone is no difference. */
export async function* diffPart(
  store: Store,
  part: string,
  before: PartEntry | undefined,
  after: PartEntry | undefined,
): AsyncGenerator<RecordChange> {
  const old = withoutShared(before, after);
  const now = withoutShared(after, before);
  const field = partKey(part);
  if (field === null) yield* diffUnkeyed(await linesOf(store, part, old), await linesOf(store, part, now));
  else yield* diffKeyed(store, part, old, now, field);
}

/** The part without shards that the other one shares: their records are equal. */
function withoutShared(part: PartEntry | undefined, other: PartEntry | undefined): PartEntry {
  const hashes = new Map(other?.shards.map((shard) => [shard.prefix, shard.hash]));
  const shards = (part?.shards ?? []).filter((shard) => hashes.get(shard.prefix) !== shard.hash);
  return { records: shards.reduce((sum, shard) => sum + shard.records, 0), shards };
}

/** Compares shards of the same prefix line by line, and split or merged shards as a range. */
async function* diffKeyed(
  store: Store,
  part: string,
  before: PartEntry,
  after: PartEntry,
  field: string,
): AsyncGenerator<RecordChange> {
  for (const { old, now } of ranges(before.shards, after.shards)) {
    const isPair = old.length === 1 && now.length === 1 && old[0]!.prefix === now[0]!.prefix;
    if (!isPair) {
      yield* merge(new Cursor(store, part, old), new Cursor(store, part, now));
      continue;
    }
    const [oldLines, nowLines] = await Promise.all([readLines(store, part, old[0]!), readLines(store, part, now[0]!)]);
    yield* withinShard(part, now[0]!, () => [...diffLines(oldLines, nowLines, field)]);
  }
}

interface ShardRange {
  old: ShardEntry[];
  now: ShardEntry[];
}

/** The shards of both states in order: paired by prefix, or else grouped with their neighbours. */
function* ranges(old: readonly ShardEntry[], now: readonly ShardEntry[]): Generator<ShardRange> {
  let open: ShardRange = { old: [], now: [] };
  let at = 0;
  for (const shard of old) {
    while (at < now.length && now[at]!.prefix < shard.prefix) open.now.push(now[at++]!);
    if (now[at]?.prefix !== shard.prefix) {
      open.old.push(shard);
      continue;
    }
    yield open;
    open = { old: [], now: [] };
    yield { old: [shard], now: [now[at++]!] };
  }
  open.now.push(...now.slice(at));
  yield open;
}

/** Compares sorted lines. Reads keys only where lines differ. */
function* diffLines(before: readonly string[], after: readonly string[], field: string): Generator<RecordChange> {
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const now = after[j];
    const order = old === now ? 0 : compareKeyed(keyedOf(old, field), keyedOf(now, field));
    if (old !== now)
      yield changeOf(order <= 0 ? keyedOf(old, field) : undefined, order >= 0 ? keyedOf(now, field) : undefined);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}

function keyedOf(line: string | undefined, field: string): KeyedLine | undefined {
  if (line === undefined) return undefined;
  const key = memberText(line, field);
  if (key === undefined) throw new RangeError(`A record has no ${field}: ${line.slice(0, 80)}`);
  return { key, line };
}

async function* merge(before: Cursor, after: Cursor): AsyncGenerator<RecordChange> {
  for (;;) {
    if (before.isEmpty) await before.fill();
    if (after.isEmpty) await after.fill();
    const old = before.peek();
    const now = after.peek();
    if (old === undefined && now === undefined) return;
    const order = compareKeyed(old, now);
    if (order !== 0 || old?.line !== now?.line)
      yield changeOf(order <= 0 ? old : undefined, order >= 0 ? now : undefined);
    if (order <= 0) before.advance();
    if (order >= 0) after.advance();
  }
}

/** The order of two records; undefined is last. */
function compareKeyed(old: KeyedLine | undefined, now: KeyedLine | undefined): number {
  if (old === undefined) return 1;
  return now === undefined ? -1 : comparePieces(placed(old), placed(now));
}

function changeOf(old: KeyedLine | undefined, now: KeyedLine | undefined): RecordChange {
  return { key: (now ?? old)?.key ?? "", before: old?.line ?? null, after: now?.line ?? null };
}

/** Steps through the records of shards, reading each shard when the previous one ends. */
class Cursor {
  readonly #shards: AsyncGenerator<KeyedLine[]>;
  #lines: KeyedLine[] = [];
  #at = 0;
  #ended = false;

  constructor(store: Store, part: string, shards: ShardEntry[]) {
    this.#shards = readShards(store, part, { records: 0, shards });
  }

  get isEmpty(): boolean {
    return this.#at >= this.#lines.length && !this.#ended;
  }

  async fill(): Promise<void> {
    const { value, done } = await this.#shards.next();
    this.#ended = done === true;
    this.#lines = done === true ? [] : value;
    this.#at = 0;
  }

  peek(): KeyedLine | undefined {
    return this.#lines[this.#at];
  }

  advance(): void {
    this.#at++;
  }
}

function placed({ key }: KeyedLine) {
  return { key, place: placeOf(key) };
}

function* diffUnkeyed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  for (const [key, line] of before) {
    const now = after.get(key) ?? null;
    if (now !== line) yield { key, before: line, after: now };
  }
  for (const [key, line] of after) {
    if (!before.has(key)) yield { key, before: null, after: line };
  }
}

async function linesOf(store: Store, part: string, entry: PartEntry): Promise<Map<string, string>> {
  const lines = new Map<string, string>();
  let position = 0;
  for await (const { line } of readPart(store, part, entry)) {
    const name = identityOf(line) ?? String(position);
    // The position separates records of the same name.
    lines.set(lines.has(name) ? `${name} (${position})` : name, line);
    position++;
  }
  return lines;
}

function identityOf(line: string): string | undefined {
  const record: unknown = JSON.parse(line);
  if (!isObject(record)) return undefined;
  const identity = record.id ?? record.name;
  return typeof identity === "string" || typeof identity === "number" ? String(identity) : undefined;
}

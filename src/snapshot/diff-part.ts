import { memberText } from "../lib/json/member.js";
import { isObject } from "../lib/shape.js";
import type { Manifest, PartEntry, ShardEntry } from "./manifest.js";
import { kindOf, partKey } from "./part-kinds.js";
import { inTurn, type KeyedLine, readLines, readPart, withinShard } from "./read-part.js";
import { comparePieces, placeOf } from "./shard-trie.js";
import type { Store } from "./store/store.js";

const shardsAhead = 2;

/** A record that differs between two states; null if absent. */
export interface RecordChange {
  /** Key of the record. In a part without keys: its `id`, else its `name`, else its position. */
  key: string;
  before: string | null;
  after: string | null;
}

/** How many records of a part differ. */
export interface PartDifferences {
  part: string;
  added: number;
  changed: number;
  removed: number;
}

type Parts = Pick<Manifest, "parts">;

/** The parts that either generation has, by name. */
export function partNames(before: Partial<Parts>, after: Parts): string[] {
  return [...new Set([...Object.keys(before.parts ?? {}), ...Object.keys(after.parts)])].sort();
}

/** Counts the records that differ, but for stories, which are listed one by one, and rows of an index, which change with these. */
export async function* differingParts(store: Store, before: Parts, after: Parts): AsyncGenerator<PartDifferences> {
  for (const part of partNames(before, after)) {
    if (["stories", "links"].includes(kindOf(part) ?? "")) continue;
    const counts = { part, added: 0, changed: 0, removed: 0 };
    for await (const { before: old, after: now } of diffPart(store, part, before.parts[part], after.parts[part])) {
      counts[old === null ? "added" : now === null ? "removed" : "changed"]++;
    }
    if (counts.added + counts.changed + counts.removed > 0) yield counts;
  }
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

/** Both are in key order: steps through them together. Reads keys only where lines differ. */
async function* diffKeyed(
  store: Store,
  part: string,
  before: PartEntry,
  after: PartEntry,
  field: string,
): AsyncGenerator<RecordChange> {
  const [left, right] = [new Cursor(store, part, before, field), new Cursor(store, part, after, field)];
  for (;;) {
    if (left.isEmpty) await left.fill();
    if (right.isEmpty) await right.fill();
    if (left.line === undefined && right.line === undefined) return;
    let order = 0;
    if (left.line !== right.line) {
      const [old, now] = [left.record(), right.record()];
      order = old === undefined ? 1 : now === undefined ? -1 : comparePieces(old, now);
      yield changeOf(order <= 0 ? old : undefined, order >= 0 ? now : undefined);
    }
    if (order <= 0) left.advance();
    if (order >= 0) right.advance();
  }
}

function changeOf(old: KeyedLine | undefined, now: KeyedLine | undefined): RecordChange {
  return { key: (now ?? old)?.key ?? "", before: old?.line ?? null, after: now?.line ?? null };
}

interface PlacedLine extends KeyedLine {
  place: string;
}

/** Steps through the records of shards, reading each shard when the previous one ends. */
class Cursor {
  readonly #part: string;
  readonly #field: string;
  readonly #shards: AsyncGenerator<{ shard: ShardEntry; lines: string[] }>;
  #open: { shard: ShardEntry; lines: string[] } | undefined;
  #at = 0;
  #ended = false;
  #record: PlacedLine | undefined;

  constructor(store: Store, part: string, { shards }: PartEntry, field: string) {
    this.#part = part;
    this.#field = field;
    this.#shards = inTurn(shards, shardsAhead, async (shard) => ({
      shard,
      lines: await readLines(store, part, shard),
    }));
  }

  get isEmpty(): boolean {
    return !this.#ended && this.line === undefined;
  }

  /** Undefined before the first {@link fill}, and after the last record. */
  get line(): string | undefined {
    return this.#open?.lines[this.#at];
  }

  async fill(): Promise<void> {
    const { value, done } = await this.#shards.next();
    this.#ended = done === true;
    this.#open = done === true ? undefined : value;
    this.#at = 0;
  }

  /** The current line with its key. @throws OffprintError `SNAPSHOT_DAMAGED` without one */
  record(): PlacedLine | undefined {
    const line = this.line;
    if (this.#open === undefined || line === undefined) return undefined;
    this.#record ??= withinShard(this.#part, this.#open.shard, () => {
      const key = memberText(line, this.#field);
      if (key === undefined) throw new RangeError(`A record has no ${this.#field}: ${line.slice(0, 80)}`);
      return { key, line, place: placeOf(key) };
    });
    return this.#record;
  }

  advance(): void {
    this.#at++;
    this.#record = undefined;
  }
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

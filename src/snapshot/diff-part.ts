import type { Store } from "../store/store.js";
import { partKey } from "./layout.js";
import type { PartEntry } from "./manifest.js";
import { type KeyedLine, readPart } from "./read-part.js";
import { comparePieces, placeOf } from "./shard-trie.js";

/** A record that differs: absent (null) before, absent after, or another line. */
export interface RecordChange {
  /** Key of the record; in a part without keys its `id`, else its `name`, else its position. */
  key: string;
  before: string | null;
  after: string | null;
}

/**
 * The records that differ between two states of a part, in key order. Shards that both states share are not read.
 * In a part without keys a changed order alone is no difference.
 * @throws OffprintError `SNAPSHOT_DAMAGED` when a shard that differs is not what its entry names.
 */
export async function* diffPart(
  store: Store,
  part: string,
  before: PartEntry | undefined,
  after: PartEntry | undefined,
): AsyncGenerator<RecordChange> {
  const old = withoutShared(before, after);
  const now = withoutShared(after, before);
  if (partKey(part) === null) yield* diffUnkeyed(await linesOf(store, part, old), await linesOf(store, part, now));
  else yield* diffKeyed(readPart(store, part, old), readPart(store, part, now));
}

/** The part without the shards that the other has too: their records are equal, and in no other shard. */
function withoutShared(part: PartEntry | undefined, other: PartEntry | undefined): PartEntry {
  const hashes = new Map(other?.shards.map((shard) => [shard.prefix, shard.hash]));
  const shards = (part?.shards ?? []).filter((shard) => hashes.get(shard.prefix) !== shard.hash);
  return { records: shards.reduce((sum, shard) => sum + shard.records, 0), shards };
}

/** Both come in the same order, so that one record of each is looked at at a time. */
async function* diffKeyed(
  before: AsyncGenerator<KeyedLine>,
  after: AsyncGenerator<KeyedLine>,
): AsyncGenerator<RecordChange> {
  let old = await nextRecord(before);
  let now = await nextRecord(after);
  while (old !== undefined || now !== undefined) {
    const order = old === undefined ? 1 : now === undefined ? -1 : comparePieces(placed(old), placed(now));
    if (order < 0 && old !== undefined) {
      yield { key: old.key, before: old.line, after: null };
      old = await nextRecord(before);
    } else if (order > 0 && now !== undefined) {
      yield { key: now.key, before: null, after: now.line };
      now = await nextRecord(after);
    } else if (old !== undefined && now !== undefined) {
      if (old.line !== now.line) yield { key: now.key, before: old.line, after: now.line };
      old = await nextRecord(before);
      now = await nextRecord(after);
    }
  }
}

async function nextRecord(records: AsyncGenerator<KeyedLine>): Promise<KeyedLine | undefined> {
  const { value, done } = await records.next();
  return done === true ? undefined : value;
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
    // Two records of one name are told apart by their position.
    lines.set(lines.has(name) ? `${name} (${position})` : name, line);
    position++;
  }
  return lines;
}

function identityOf(line: string): string | undefined {
  const record: unknown = JSON.parse(line);
  if (typeof record !== "object" || record === null) return undefined;
  const { id, name } = record as { id?: unknown; name?: unknown };
  const identity = id ?? name;
  return typeof identity === "string" || typeof identity === "number" ? String(identity) : undefined;
}

import { countAssetUses } from "../../../content/resolve/asset-urls.js";
import type { PartEntry } from "../../../snapshot/manifest.js";
import { type ChangeNotes, noteChanges, type PartChanges } from "../../../snapshot/part-changes.js";
import { kindOf } from "../../../snapshot/part-kinds.js";
import { type KeyedLine, type LocatedLines, readLines, readLocated, readPart } from "../../../snapshot/read-part.js";
import { type ReadLines, readRecords } from "../../../snapshot/read-records.js";
import type { Store } from "../../../snapshot/store/store.js";
import { replacePart, updatePartButLast } from "../../../snapshot/write/update-part.js";

/** Shards read ahead: fast enough for the pages of a sweep. */
const shardsAhead = 24;
const foldChars = 4 * 1024 * 1024;
/** Waiting lines that a fold may leave: more than so many shards, or so much of all. */
const leftShards = 1.5;
const leftChars = 2 * 1024 * 1024;
/** The most shards to cache, in bytes: for a few changes; a first sync reads nothing twice. */
const rememberedBytes = 16 * 1024 * 1024;

/** The parts of the previous generation and what was read since. No manifest names its new shards yet. */
export class Workspace {
  readonly #store: Store;
  readonly #shardBytes: number;
  readonly #parts: Record<string, PartEntry>;
  readonly #pending = new PendingLines();
  readonly #recent = new RecentShards();
  readonly #notes = new Map<string, ChangeNotes>();
  #folding: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  constructor(store: Store, base: Readonly<Record<string, PartEntry>>, shardBytes: number) {
    this.#store = store;
    this.#shardBytes = shardBytes;
    this.#parts = { ...base };
  }

  /** The parts as of the last fold. */
  get parts(): Readonly<Record<string, PartEntry>> {
    return this.#parts;
  }

  /** True once enough lines wait in memory for a fold to pay off. */
  get full(): boolean {
    return this.#pending.chars >= foldChars;
  }

  /** Adds, replaces or (null) removes a record of a keyed part. */
  set(part: string, key: string, line: string | null): void {
    this.#pending.set(part, key, line);
  }

  /** Replaces a whole part; do not fold it at the same time. Equal lines keep their shards. */
  async replace(part: string, lines: readonly string[]): Promise<void> {
    this.#pending.drop(part);
    this.#parts[part] = await replacePart(this.#store, part, lines, this.#shardBytes, this.#parts[part]);
  }

  /** Takes a part over, or (undefined) removes it; do not fold it at the same time. */
  adopt(part: string, entry: PartEntry | undefined): void {
    this.#pending.drop(part);
    if (entry === undefined) delete this.#parts[part];
    else this.#parts[part] = entry;
  }

  async lines(part: string, keys: ReadonlySet<string>): Promise<Map<string, string>> {
    await this.#folding;
    const found = new Map<string, string>();
    const missing = new Set(keys);
    for (const [key, line] of this.#pending.of(part)) {
      if (missing.delete(key) && line !== null) found.set(key, line);
    }
    const entry = this.#parts[part];
    if (missing.size === 0 || entry === undefined) return found;
    const stored = await readRecords(this.#store, part, entry, missing, this.#recent.read);
    for (const [key, line] of stored) found.set(key, line);
    return found;
  }

  /** All lines of a part, as of the last fold. */
  async *all(part: string): AsyncGenerator<KeyedLine> {
    await this.#folding;
    const entry = this.#parts[part];
    if (entry !== undefined) yield* readPart(this.#store, part, entry);
  }

  /** {@link all} as bytes, by shard, with the positions of the lines; reads many shards ahead. */
  async *located(part: string): AsyncGenerator<LocatedLines> {
    await this.#folding;
    const entry = this.#parts[part];
    if (entry !== undefined) yield* readLocated(this.#store, part, entry, shardsAhead);
  }

  fold(): Promise<void> {
    this.#folding = this.#folding.then(() => this.#foldNow(0));
    return this.#folding;
  }

  /** {@link fold}, but new records of a part's last shards wait for those that will share them. */
  foldButLast(): Promise<void> {
    // Many callers may ask for it during one fold.
    this.#queued ??= this.#folding = this.#folding.then(() => {
      this.#queued = undefined;
      return this.#foldNow(leftChars);
    });
    return this.#queued;
  }

  /** By part, the known changes since the beginning; for stories also the assets that they gain. */
  changes(): Map<string, PartChanges> {
    const all = new Map<string, PartChanges>();
    for (const [part, noted] of this.#notes) {
      const changes = noted.to === this.#parts[part] ? noted.changes() : undefined;
      if (changes !== undefined) all.set(part, changes);
    }
    return all;
  }

  async #foldNow(mostLeft: number): Promise<void> {
    let mayLeave = mostLeft;
    for (const [part, changes] of this.#pending.take()) {
      const noted = this.#notesFor(part);
      const update = {
        previous: this.#parts[part],
        changes,
        shardBytes: this.#shardBytes,
        read: this.#recent.read,
        onChange: noted.note,
      };
      const most = Math.min(mayLeave, leftShards * this.#shardBytes);
      const { entry, left } = await updatePartButLast(this.#store, part, update, most);
      this.#parts[part] = entry;
      noted.to = entry;
      for (const line of left.values()) mayLeave -= line.length;
      this.#pending.putBack(part, left);
    }
    this.#recent.forget();
  }

  /** The notes of a part; new ones if the part was replaced without notes. */
  #notesFor(part: string): ChangeNotes {
    const known = this.#notes.get(part);
    if (known !== undefined && known.to === this.#parts[part]) return known;
    const fresh = noteChanges(this.#parts[part], kindOf(part) === "stories" ? countAssetUses() : undefined);
    this.#notes.set(part, fresh);
    return fresh;
  }
}

/** By part and key, the lines that wait to be folded; null: remove the record. */
class PendingLines {
  #parts = new Map<string, Map<string, string | null>>();
  #chars = 0;

  /** Characters of the lines that were set since the last `take`. */
  get chars(): number {
    return this.#chars;
  }

  of(part: string): ReadonlyMap<string, string | null> {
    return this.#parts.get(part) ?? new Map();
  }

  set(part: string, key: string, line: string | null): void {
    this.#open(part).set(key, line);
    this.#chars += line?.length ?? 0;
  }

  drop(part: string): void {
    this.#parts.delete(part);
  }

  /** Removes and returns all lines. */
  take(): ReadonlyMap<string, Map<string, string | null>> {
    const taken = this.#parts;
    this.#parts = new Map();
    this.#chars = 0;
    return taken;
  }

  /** Returns taken lines to the queue. Lines that were set in between are newer. */
  putBack(part: string, lines: ReadonlyMap<string, string>): void {
    if (lines.size === 0) return;
    const since = this.#open(part);
    for (const [key, line] of lines) if (!since.has(key)) since.set(key, line);
  }

  #open(part: string): Map<string, string | null> {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const opened = new Map<string, string | null>();
    this.#parts.set(part, opened);
    return opened;
  }
}

/** A batch is compared with a shard, and soon folded into it. Named by hash, the cache is never outdated. */
class RecentShards {
  readonly #lines = new Map<string, Promise<readonly string[]>>();
  #bytes = 0;

  readonly read: ReadLines = (store, part, shard) => {
    const name = `${part} ${shard.prefix} ${shard.hash}`;
    const known = this.#lines.get(name);
    if (known !== undefined) return known;
    const reading = readLines(store, part, shard);
    if (this.#bytes + shard.bytes > rememberedBytes) return reading;
    this.#bytes += shard.bytes;
    this.#lines.set(name, reading);
    return reading;
  };

  forget(): void {
    this.#lines.clear();
    this.#bytes = 0;
  }
}

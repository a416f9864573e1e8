import { countAssetUses } from "../../../content/resolve/asset-urls.js";
import { inMap } from "../../../lib/collections/in-map.js";
import type { PartEntry } from "../../../snapshot/manifest.js";
import { type ChangeNotes, noteChanges, type PartChanges } from "../../../snapshot/part-changes.js";
import { kindOf } from "../../../snapshot/part-kinds.js";
import { type KeyedLine, type LocatedLines, readLocated, readPart } from "../../../snapshot/read-part.js";
import { readRecords } from "../../../snapshot/read-records.js";
import type { Store } from "../../../snapshot/store/store.js";
import { replacePart, updatePart } from "../../../snapshot/write/update-part.js";

/** Shards read ahead: fast enough for the pages of a sweep. */
const shardsAhead = 24;
const foldChars = 4 * 1024 * 1024;

/** The parts of the previous generation and what was read since. No manifest names its new shards yet. */
export class Workspace {
  readonly #store: Store;
  readonly #shardBytes: number;
  readonly #parts: Record<string, PartEntry>;
  /** By part and key, the lines that wait to be folded; null: remove the record. */
  #pending = new Map<string, Map<string, string | null>>();
  /** Characters of these lines. */
  #chars = 0;
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
    return this.#chars >= foldChars;
  }

  /** Adds, replaces or (null) removes a record of a keyed part. */
  set(part: string, key: string, line: string | null): void {
    inMap(this.#pending, part, () => new Map()).set(key, line);
    this.#chars += line?.length ?? 0;
  }

  /** Replaces a whole part; do not fold it at the same time. Equal lines keep their shards. */
  async replace(part: string, lines: readonly string[]): Promise<void> {
    this.#pending.delete(part);
    this.#parts[part] = await replacePart(this.#store, part, lines, this.#shardBytes, this.#parts[part]);
  }

  /** Takes a part over, or (undefined) removes it; do not fold it at the same time. */
  adopt(part: string, entry: PartEntry | undefined): void {
    this.#pending.delete(part);
    if (entry === undefined) delete this.#parts[part];
    else this.#parts[part] = entry;
  }

  async lines(part: string, keys: ReadonlySet<string>): Promise<Map<string, string>> {
    await this.#folding;
    const found = new Map<string, string>();
    const missing = new Set(keys);
    for (const [key, line] of this.#pending.get(part) ?? []) {
      if (missing.delete(key) && line !== null) found.set(key, line);
    }
    const entry = this.#parts[part];
    if (missing.size === 0 || entry === undefined) return found;
    const stored = await readRecords(this.#store, part, entry, missing);
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

  /** Writes the waiting lines. A call that meets another which has not begun yet shares it. */
  fold(): Promise<void> {
    this.#queued ??= this.#folding = this.#folding.then(() => {
      this.#queued = undefined;
      return this.#foldNow();
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

  async #foldNow(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    this.#chars = 0;
    for (const [part, changes] of pending) {
      const noted = this.#notesFor(part);
      const update = {
        previous: this.#parts[part],
        changes,
        shardBytes: this.#shardBytes,
        onChange: noted.note,
      };
      const entry = await updatePart(this.#store, part, update);
      this.#parts[part] = entry;
      noted.to = entry;
    }
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

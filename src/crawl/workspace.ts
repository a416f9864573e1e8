import { countAssetUses } from "../resolve/asset-uses.js";
import { partFolder } from "../snapshot/layout.js";
import type { PartEntry, ShardEntry } from "../snapshot/manifest.js";
import { type ChangeNotes, noteChanges, type PartChanges } from "../snapshot/part-changes.js";
import { kindOf } from "../snapshot/part-kinds.js";
import { type KeyedLine, type LocatedLines, readLocated, readPart, readShards } from "../snapshot/read-part.js";
import { readRecords } from "../snapshot/read-records.js";
import { replacePart, updatePart } from "../snapshot/update-part.js";
import type { Store, StoreEntry } from "../store/store.js";
import { recentShards } from "./recent-shards.js";

/** Shards that are read at once: their reading has to keep up with the pages of a sweep. */
const shardsAhead = 24;
/** Lines in memory before they are folded into shards. */
const foldBytes = 4 * 1024 * 1024;

/**
 * The generation being built: the parts of the one before, and on top of them what was read since. Lines are kept in
 * memory until {@link Workspace.fold} writes them into shards, which no manifest names yet and no reader sees.
 */
export interface Workspace {
  /** The parts as of the last fold. */
  readonly parts: Readonly<Record<string, PartEntry>>;
  /** True when enough lines wait in memory that folding pays. */
  readonly full: boolean;
  /** Adds, replaces or (null) removes a record of a keyed part. */
  set(part: string, key: string, line: string | null): void;
  /** Replaces a whole part; where the lines are the same the shards stay the same. */
  replace(part: string, lines: readonly string[]): Promise<void>;
  /** Takes a part over, or (undefined) leaves it out. */
  adopt(part: string, entry: PartEntry | undefined): void;
  /** The lines of some records; absent ones are missing from the map. */
  lines(part: string, keys: ReadonlySet<string>): Promise<Map<string, string>>;
  /** All lines of a part, as of the last fold. */
  all(part: string): AsyncGenerator<KeyedLine>;
  /** The same, shard by shard, or of some shards; many are read ahead, for a caller who keeps all lines. */
  shards(part: string, some?: readonly ShardEntry[]): AsyncGenerator<KeyedLine[]>;
  /** The same as bytes, with where the lines stand in them. */
  located(part: string): AsyncGenerator<LocatedLines>;
  /** The files of a part, of all generations. */
  files(part: string): Promise<StoreEntry[]>;
  /** Writes the waiting lines into shards. */
  fold(): Promise<void>;
  /**
   * By part: the changes between its state when the generation began and the last fold, where they are known; of stories,
   * the uses of assets that they gain.
   */
  changes(): Map<string, PartChanges>;
}

export function createWorkspace(
  store: Store,
  base: Readonly<Record<string, PartEntry>>,
  shardBytes: number,
): Workspace {
  const parts: Record<string, PartEntry> = { ...base };
  let waiting = new Map<string, Map<string, string | null>>();
  let waitingBytes = 0;
  let folding: Promise<void> = Promise.resolve();
  const recent = recentShards();
  const notes = new Map<string, ChangeNotes>();

  /** The notes of a part. They begin anew where the part was replaced without notes. */
  function notesFor(part: string): ChangeNotes {
    const known = notes.get(part);
    if (known !== undefined && known.to === parts[part]) return known;
    const fresh = noteChanges(parts[part], kindOf(part) === "stories" ? countAssetUses() : undefined);
    notes.set(part, fresh);
    return fresh;
  }

  async function foldNow(): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    waitingBytes = 0;
    for (const [part, changes] of taken) {
      const noted = notesFor(part);
      const onChange = noted.note;
      parts[part] = await updatePart(store, part, {
        previous: parts[part],
        changes,
        shardBytes,
        read: recent.read,
        onChange,
      });
      noted.to = parts[part];
    }
    recent.forget();
  }

  return {
    parts,
    get full() {
      return waitingBytes >= foldBytes;
    },
    set(part, key, line) {
      let changes = waiting.get(part);
      if (changes === undefined) {
        changes = new Map();
        waiting.set(part, changes);
      }
      changes.set(key, line);
      waitingBytes += line?.length ?? 0;
    },
    async replace(part, lines) {
      waiting.delete(part);
      parts[part] = await replacePart(store, part, lines, shardBytes, parts[part]);
    },
    adopt(part, entry) {
      waiting.delete(part);
      if (entry === undefined) delete parts[part];
      else parts[part] = entry;
    },
    async lines(part, keys) {
      await folding;
      const found = new Map<string, string>();
      const missing = new Set(keys);
      for (const [key, line] of waiting.get(part) ?? []) {
        if (!missing.delete(key)) continue;
        if (line !== null) found.set(key, line);
      }
      const entry = parts[part];
      if (missing.size === 0 || entry === undefined) return found;
      for (const [key, line] of await readRecords(store, part, entry, missing, recent.read)) found.set(key, line);
      return found;
    },
    async *all(part) {
      await folding;
      const entry = parts[part];
      if (entry !== undefined) yield* readPart(store, part, entry);
    },
    async *shards(part, some) {
      await folding;
      const shards = [...(some ?? parts[part]?.shards ?? [])];
      yield* readShards(store, part, { records: 0, shards }, shardsAhead);
    },
    async *located(part) {
      await folding;
      const entry = parts[part];
      if (entry !== undefined) yield* readLocated(store, part, entry, shardsAhead);
    },
    files: (part) => store.list(partFolder(part)),
    changes() {
      const all = new Map<string, PartChanges>();
      for (const [part, noted] of notes) {
        const changes = noted.to === parts[part] ? noted.changes() : undefined;
        if (changes !== undefined) all.set(part, changes);
      }
      return all;
    },
    fold() {
      folding = folding.then(foldNow);
      return folding;
    },
  };
}

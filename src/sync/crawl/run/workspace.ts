import { countAssetUses } from "../../../content/resolve/asset-urls.js";
import type { PartEntry } from "../../../snapshot/manifest.js";
import { type ChangeNotes, noteChanges, type PartChanges } from "../../../snapshot/part-changes.js";
import { kindOf } from "../../../snapshot/part-kinds.js";
import { type KeyedLine, type LocatedLines, readLocated, readPart } from "../../../snapshot/read-part.js";
import { readRecords } from "../../../snapshot/read-records.js";
import type { Store } from "../../../snapshot/store/store.js";
import { replacePart, updatePartButLast } from "../../../snapshot/write/update-part.js";
import { recentShards } from "./recent-shards.js";

/** Shards that are read at once: their reading has to keep up with the pages of a sweep. */
const shardsAhead = 24;
/** Lines in memory before they are folded into shards, in characters. */
const foldChars = 4 * 1024 * 1024;
/** Lines that may go on waiting then, in characters: of each part more than a shard has, and of all together. */
const leftShards = 1.5;
const leftChars = 2 * 1024 * 1024;

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
  /** Replaces a whole part, which nothing folds meanwhile; where the lines are the same the shards stay the same. */
  replace(part: string, lines: readonly string[]): Promise<void>;
  /** Takes a part over, or (undefined) leaves it out; nothing folds it meanwhile. */
  adopt(part: string, entry: PartEntry | undefined): void;
  /** The lines of some records; absent ones are missing from the map. */
  lines(part: string, keys: ReadonlySet<string>): Promise<Map<string, string>>;
  /** All lines of a part, as of the last fold. */
  all(part: string): AsyncGenerator<KeyedLine>;
  /** The same as bytes, shard by shard, with where the lines stand in them; many shards are read ahead. */
  located(part: string): AsyncGenerator<LocatedLines>;
  /** Writes the waiting lines into shards. */
  fold(): Promise<void>;
  /** The same, but new records of a part's last shards go on waiting for those that will share them. */
  foldButLast(): Promise<void>;
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
  let waitingChars = 0;
  let folding: Promise<void> = Promise.resolve();
  /** A fold of all but the last that is still to begin. */
  let queued: Promise<void> | undefined;
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

  function waitingOf(part: string): Map<string, string | null> {
    let changes = waiting.get(part);
    if (changes === undefined) {
      changes = new Map();
      waiting.set(part, changes);
    }
    return changes;
  }

  /** @param mostLeft how much may be left waiting, in characters */
  async function foldNow(mostLeft: number): Promise<void> {
    const taken = waiting;
    waiting = new Map();
    waitingChars = 0;
    let mayLeave = mostLeft;
    for (const [part, changes] of taken) {
      const noted = notesFor(part);
      const update = { previous: parts[part], changes, shardBytes, read: recent.read, onChange: noted.note };
      const { entry, left } = await updatePartButLast(store, part, update, Math.min(mayLeave, leftShards * shardBytes));
      parts[part] = entry;
      noted.to = entry;
      for (const [key, line] of left) {
        mayLeave -= line.length;
        // What was set meanwhile is newer.
        const since = waitingOf(part);
        if (!since.has(key)) since.set(key, line);
      }
    }
    recent.forget();
  }

  return {
    parts,
    get full() {
      return waitingChars >= foldChars;
    },
    set(part, key, line) {
      waitingOf(part).set(key, line);
      waitingChars += line?.length ?? 0;
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
    async *located(part) {
      await folding;
      const entry = parts[part];
      if (entry !== undefined) yield* readLocated(store, part, entry, shardsAhead);
    },
    changes() {
      const all = new Map<string, PartChanges>();
      for (const [part, noted] of notes) {
        const changes = noted.to === parts[part] ? noted.changes() : undefined;
        if (changes !== undefined) all.set(part, changes);
      }
      return all;
    },
    fold() {
      folding = folding.then(() => foldNow(0));
      return folding;
    },
    foldButLast() {
      // Many ask for it while one fold is under way.
      queued ??= folding = folding.then(() => {
        queued = undefined;
        return foldNow(leftChars);
      });
      return queued;
    },
  };
}

import type { RecordChange } from "./diff-part.js";
import type { PartEntry } from "./manifest.js";
import { comparePieces, placeOf } from "./shard-trie.js";

/** The changes between two states of a part, kept so that the shards need not be compared. */
export interface PartChanges {
  from: PartEntry | undefined;
  to: PartEntry;
  /** In key order; undefined if too many to keep. */
  changes: readonly RecordChange[] | undefined;
  /** Their total; undefined if not counted, or with too many names to keep. */
  gains: ReadonlyMap<string, number> | undefined;
}

export type RecordTexts = Pick<RecordChange, "before" | "after">;

/** Counts something by name in records. Gains add up in any order. */
export interface ChangeCount {
  note(change: RecordTexts): void;
  add(gains: ReadonlyMap<string, number>): void;
  readonly gains: ReadonlyMap<string, number>;
}

/** Collects a part's changes, update by update. */
export interface ChangeNotes {
  /** The state after the last update; undefined before the first. */
  to: PartEntry | undefined;
  note(change: RecordChange): void;
  /** Undefined before the first update. */
  changes(): PartChanges | undefined;
}

/** Changes with more text than this are dropped; in characters. */
const keptChars = 8 * 1024 * 1024;
/** Counts with more names are dropped: a name takes about 150 bytes per edition. */
const keptNames = 50_000;

/** @param count counts every change, even of too many to keep */
export function noteChanges(from: PartEntry | undefined, count?: ChangeCount): ChangeNotes {
  let counted = count;
  let noted: Map<string, RecordChange> | undefined = new Map();
  let chars = 0;
  const notes: ChangeNotes = {
    to: undefined,
    note({ key, before, after }) {
      counted = withNoted(counted, { before, after });
      if (noted === undefined) return;
      chars += (before?.length ?? 0) + (after?.length ?? 0);
      const earlier = noted.get(key);
      noted.set(key, { key, before: earlier === undefined ? before : earlier.before, after });
      if (chars > keptChars) noted = undefined;
    },
    changes() {
      if (notes.to === undefined) return undefined;
      const changes = noted && inOrder([...noted.values()].filter(({ before, after }) => before !== after));
      return { from, to: notes.to, changes, gains: counted?.gains };
    },
  };
  return notes;
}

function withNoted(count: ChangeCount | undefined, change: RecordTexts): ChangeCount | undefined {
  try {
    count?.note(change);
  } catch {
    // An unreadable record must not stop the staging of others: whoever needs the count fails over it.
    return undefined;
  }
  return count !== undefined && count.gains.size <= keptNames ? count : undefined;
}

function inOrder(changes: readonly RecordChange[]): RecordChange[] {
  const placed = changes.map((change) => ({ key: change.key, place: placeOf(change.key), change }));
  return placed.sort(comparePieces).map(({ change }) => change);
}

import type { RecordChange } from "./diff-part.js";
import type { PartEntry } from "./manifest.js";
import { comparePieces, placeOf } from "./shard-trie.js";

/** The changes that led from one state of a part to another, kept so that the shards need not be read to compare them. */
export interface PartChanges {
  from: PartEntry | undefined;
  to: PartEntry;
  /** In key order; undefined where there were too many to keep. */
  changes: readonly RecordChange[] | undefined;
  /** What they come to together; undefined where that was not counted, or there were too many names to keep. */
  gains: ReadonlyMap<string, number> | undefined;
}

/** Counts something by name in records. What each change gains adds up to what all gain, in whatever order they come. */
export interface ChangeCount {
  note(change: Pick<RecordChange, "before" | "after">): void;
  /** Adds what was counted of other changes. */
  add(gains: ReadonlyMap<string, number>): void;
  readonly gains: ReadonlyMap<string, number>;
}

/** Collects the changes of a part, update by update. */
export interface ChangeNotes {
  /** The state after the last update; undefined before the first one. */
  to: PartEntry | undefined;
  note(change: RecordChange): void;
  /** Undefined before the first update. */
  changes(): PartChanges | undefined;
}

/** Changes with more text than this are not kept; in characters. */
const keptChars = 8 * 1024 * 1024;
/** Gains of more names than this are not kept: a name takes some 150 bytes, for each edition. */
const keptNames = 50_000;

/**
 * @param from The state of the part before the first update.
 * @param count What is counted of the changes as they come, however many there are.
 */
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

/** The count with one more change; undefined where it is given up. */
function withNoted(
  count: ChangeCount | undefined,
  change: Parameters<ChangeCount["note"]>[0],
): ChangeCount | undefined {
  try {
    count?.note(change);
  } catch {
    // A record that cannot be looked at does not keep others from being staged: whoever needs the count makes it, and fails.
    return undefined;
  }
  return count !== undefined && count.gains.size <= keptNames ? count : undefined;
}

function inOrder(changes: readonly RecordChange[]): RecordChange[] {
  const placed = changes.map((change) => ({ key: change.key, place: placeOf(change.key), change }));
  return placed.sort(comparePieces).map(({ change }) => change);
}

import type { RecordChange } from "./diff-part.js";
import type { PartEntry } from "./manifest.js";
import { comparePieces, placeOf } from "./shard-trie.js";

/**
 * The changes that led from one state of a part to another, kept so that the shards need not be read to compare them.
 */
export interface PartChanges {
  from: PartEntry | undefined;
  to: PartEntry;
  /** In key order. */
  changes: readonly RecordChange[];
}

/** Collects the changes of a part, update by update. */
export interface ChangeNotes {
  readonly from: PartEntry | undefined;
  /** The state after the last update; undefined before the first one. */
  to: PartEntry | undefined;
  note(change: RecordChange): void;
  /** Undefined when there were too many to keep. */
  changes(): PartChanges | undefined;
}

/** Changes with more text than this are not kept; in characters. */
const keptChars = 8 * 1024 * 1024;

/** @param from The state of the part before the first update. */
export function noteChanges(from: PartEntry | undefined): ChangeNotes {
  let noted: Map<string, RecordChange> | undefined = new Map();
  let chars = 0;
  const notes: ChangeNotes = {
    from,
    to: undefined,
    note({ key, before, after }) {
      if (noted === undefined) return;
      chars += (before?.length ?? 0) + (after?.length ?? 0);
      const earlier = noted.get(key);
      noted.set(key, { key, before: earlier === undefined ? before : earlier.before, after });
      if (chars > keptChars) noted = undefined;
    },
    changes() {
      if (noted === undefined || notes.to === undefined) return undefined;
      const differing = [...noted.values()].filter(({ before, after }) => before !== after);
      return { from, to: notes.to, changes: differing.sort((a, b) => comparePieces(placed(a), placed(b))) };
    },
  };
  return notes;
}

function placed({ key }: RecordChange) {
  return { key, place: placeOf(key) };
}

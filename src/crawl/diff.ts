import type { Index, IndexRow } from "./index-row.js";

/** What the index shows against the lines under which everything was read before. Uuids in code-unit order. */
export interface IndexDiff {
  /** Stories with a line that was not there before. */
  added: string[];
  /** Stories whose line differs in any character. */
  changed: string[];
  /** Stories without a line now. */
  vanished: string[];
  /** Folder lines to take over as they are: no story belongs to them. null: gone. */
  folders: Map<string, string | null>;
  /** Lines of stories before, and now. */
  storiesBefore: number;
  storiesNow: number;
}

/** One line that was read before. */
export interface KnownLine {
  text: string;
  isFolder: boolean;
}

/**
 * Compares the index with the known lines, whole line by whole line. It says *different from*, never *later than*: no
 * clock and no time window enters.
 * @param isKnown Whether a line of the index is a known one itself, so that it needs no look-up.
 */
export function diffIndex(
  known: ReadonlyMap<string, KnownLine>,
  index: Index,
  isKnown: (row: IndexRow) => boolean = () => false,
): IndexDiff {
  const diff: IndexDiff = {
    added: [],
    changed: [],
    vanished: [],
    folders: new Map(),
    storiesBefore: 0,
    storiesNow: 0,
  };
  let seenBefore = 0;
  for (const [uuid, row] of index) {
    if (!row.isFolder) diff.storiesNow++;
    const before = isKnown(row) ? row : known.get(uuid);
    if (before !== undefined) seenBefore++;
    if (before?.text === row.text) continue;
    // What was a story and is a folder now has a record that has to go.
    if (row.isFolder && before?.isFolder !== false) diff.folders.set(uuid, row.text);
    else (before === undefined ? diff.added : diff.changed).push(uuid);
  }
  const hasVanished = seenBefore < known.size;
  for (const [uuid, before] of known) {
    if (!before.isFolder) diff.storiesBefore++;
    if (!hasVanished || index.has(uuid)) continue;
    if (before.isFolder) diff.folders.set(uuid, null);
    else diff.vanished.push(uuid);
  }
  diff.added.sort();
  diff.changed.sort();
  diff.vanished.sort();
  return diff;
}

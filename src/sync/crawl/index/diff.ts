import { sortedUuids, UuidList, type Uuids } from "../../../lib/collections/uuid-list.js";
import type { Index, IndexRow } from "./index-row.js";

/** What the index shows against the rows under which everything was read before. Uuids in code-unit order. */
export interface IndexDiff {
  /** Stories with a row that was not there before. */
  added: Uuids;
  /** Stories whose row differs in any character. */
  changed: Uuids;
  /** Stories without a row now. */
  vanished: Uuids;
  /** Text of folder rows, to take over as they are: no story belongs to them. null: gone. */
  folders: Map<string, string | null>;
  /** Rows of stories before, and now. */
  storiesBefore: number;
  storiesNow: number;
  /** Rows of stories that are as they were. */
  storiesKept: number;
}

/** One row that was read before. */
export interface ComparedRow {
  /** The row's JSON; "" where the story has to be asked for whatever its row is. */
  text: string;
  isFolder: boolean;
}

/**
 * Compares the index with the rows that were read before, whole row by whole row. It says *different from*, never *later than*: no
 * clock and no time window enters.
 * @param isKnown Whether a row of the index is the very object that was read before, so that it needs no look-up.
 */
export function diffIndex(
  known: ReadonlyMap<string, ComparedRow>,
  index: Index,
  isKnown: (row: IndexRow) => boolean = () => false,
): IndexDiff {
  const [added, changed, vanished] = [new UuidList(), new UuidList(), new UuidList()];
  const diff = {
    folders: new Map<string, string | null>(),
    storiesBefore: 0,
    storiesNow: 0,
    storiesKept: 0,
  };
  let seenBefore = 0;
  for (const row of index.values()) {
    const { isFolder } = row;
    if (!isFolder) diff.storiesNow++;
    const before = isKnown(row) ? row : known.size > 0 ? known.get(row.uuid) : undefined;
    if (before !== undefined) seenBefore++;
    if (before?.isFolder === false) diff.storiesBefore++;
    if (before !== undefined && (before === row || before.text === row.text)) {
      if (!isFolder) diff.storiesKept++;
      continue;
    }
    // What was a story and is a folder now has a record that has to go.
    if (isFolder && before?.isFolder !== false) diff.folders.set(row.uuid, row.text);
    else (before === undefined ? added : changed).push(row.uuid);
  }
  const hasVanished = seenBefore < known.size;
  for (const [uuid, before] of hasVanished ? known : []) {
    if (index.has(uuid)) continue;
    if (before.isFolder) diff.folders.set(uuid, null);
    else vanished.push(uuid);
  }
  diff.storiesBefore += vanished.length;
  return { added: sortedUuids(added), changed: sortedUuids(changed), vanished: sortedUuids(vanished), ...diff };
}

/** What the index is compared with, where comparing it with the staged rows would not ask for enough. */
export interface RowsToCompare {
  /** The rows that are staged, or were when the generation began. */
  staged: ReadonlyMap<string, ComparedRow>;
  /** Where everything is confirmed: the rows of the previous generation. */
  previous: Iterable<{ uuid: string; isFolder: boolean }>;
  /** Where everything is confirmed: stories that have a staged record. */
  recorded: Iterable<string>;
  /** Stories that are staged without their row. */
  pending: Iterable<string>;
}

/**
 * The rows to compare an index with so that every story is asked for that has to be, and a story shows as vanished that
 * the index has lost meanwhile. Pure.
 */
export function rowsToCompare({ staged, previous, recorded, pending }: RowsToCompare): Map<string, ComparedRow> {
  const rows = new Map<string, ComparedRow>(staged);
  for (const { uuid, isFolder } of previous) if (!rows.has(uuid)) rows.set(uuid, { text: "", isFolder });
  // A record can lack its row where a generation was committed that could not confirm it. Nothing else shows that it may
  // have to go.
  for (const uuid of recorded) if (rows.get(uuid)?.isFolder !== false) rows.set(uuid, { text: "", isFolder: false });
  for (const uuid of pending) rows.set(uuid, { text: "", isFolder: false });
  return rows;
}

import { sortedUuids, UuidList, type Uuids } from "../../../lib/collections/uuid-list.js";
import type { Index, IndexRow, Rows } from "./index-row.js";

/** How the index differs from the rows read before. Uuids in code-unit order. */
export interface IndexDiff {
  added: Uuids;
  changed: Uuids;
  vanished: Uuids;
  /** Texts of folder rows to copy; folders have no story. null: removed. */
  folders: Map<string, string | null>;
  storiesBefore: number;
  storiesNow: number;
  storiesKept: number;
}

export interface ComparedRow {
  /** The row's JSON; "" if the story must be requested whatever its row is. */
  text: string;
  isFolder: boolean;
}

/** Compares whole rows: *different*, never *later*, so no clock is involved. @param isKnown without a look-up */
export function diffIndex(
  known: Rows<ComparedRow>,
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
    // A story that is now a folder has a record to remove.
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

/** What to compare the index with; the staged rows alone would request too little. */
export interface RowsToCompare {
  /** The rows that are staged, or were when the generation began. */
  staged: Rows<ComparedRow>;
  /** In a full reading: the rows of the previous generation. */
  previous: Iterable<{ uuid: string; isFolder: boolean }>;
  /** In a full reading: stories that have a staged record. */
  recorded: Iterable<string>;
  /** Stories that are staged without their row. */
  pending: Iterable<string>;
}

/** The rows to compare with, so that a story that the index has lost counts as vanished. Pure. */
export function rowsToCompare({ staged, previous, recorded, pending }: RowsToCompare): Map<string, ComparedRow> {
  const rows = new Map<string, ComparedRow>(staged);
  for (const { uuid, isFolder } of previous) if (!rows.has(uuid)) rows.set(uuid, { text: "", isFolder });
  // A record without its row could not be confirmed. Only this shows that it may have to go.
  for (const uuid of recorded) if (rows.get(uuid)?.isFolder !== false) rows.set(uuid, { text: "", isFolder: false });
  for (const uuid of pending) rows.set(uuid, { text: "", isFolder: false });
  return rows;
}

import type { PartEntry } from "../snapshot/manifest.js";
import type { Index } from "./index-row.js";
import { StagedRow } from "./staged-row.js";

/** The newest dates of the stories of an index. */
export interface NewestDates {
  newestPublishedAt: string | null;
  newestUpdatedAt: string | null;
}

/** The staged index rows, of one state of their part. */
export interface StagedRows {
  readonly entry: PartEntry | undefined;
  readonly rows: ReadonlyMap<string, StagedRow>;
  /** @param text The row's JSON. */
  add(uuid: string, text: string): void;
  /** The newest dates of an index that has many of these very rows. */
  newestDates(index: Index): NewestDates;
}

type DateField = "publishedAt" | "updatedAt";

/** @param kept Rows that are there already, and that others bring up to the state. */
export function stagedRows(entry: PartEntry | undefined, kept?: ReadonlyMap<string, StagedRow>): StagedRows {
  const added = new Map<string, StagedRow>();
  const rows = kept ?? added;
  // The newest row is found while the rows come in. Later they are spread over the memory, and a second pass is slow.
  const newest: Record<DateField, StagedRow | undefined> = { publishedAt: undefined, updatedAt: undefined };

  /** Where the newest staged row is in the index unchanged, only rows that are not staged ones can be newer. */
  function newestOf(index: Index, field: DateField): string | null {
    const row = newest[field];
    const holds = row !== undefined && index.get(row.uuid) === row;
    let date = holds ? (row[field] ?? null) : null;
    for (const other of index.values()) {
      if (holds && other instanceof StagedRow) continue;
      if (!other.isFolder && isNewer(other[field], date)) date = other[field] ?? null;
    }
    return date;
  }

  return {
    entry,
    rows,
    add(uuid, text) {
      const row = new StagedRow(uuid, text);
      added.set(uuid, row);
      row.stagedIn = rows;
      if (row.isFolder) return;
      if (isNewer(row.publishedAt, newest.publishedAt?.publishedAt)) newest.publishedAt = row;
      if (isNewer(row.updatedAt, newest.updatedAt?.updatedAt)) newest.updatedAt = row;
    },
    newestDates: (index) => ({
      newestPublishedAt: newestOf(index, "publishedAt"),
      newestUpdatedAt: newestOf(index, "updatedAt"),
    }),
  };
}

function isNewer(date: string | null | undefined, than: string | null | undefined): boolean {
  return Boolean(date) && (date ?? "") > (than ?? "");
}

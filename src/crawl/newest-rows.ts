import type { Index, IndexRow } from "./index-row.js";

type DateField = "publishedAt" | "updatedAt";

/** By field: a story with the newest date, and that date; undefined where none has one. */
export type NewestRows = Readonly<Record<DateField, { uuid: string; date: string } | undefined>>;

/**
 * Finds the newest dates of the stories of an index.
 * @param known What they were before some rows went and others came, and those that came: all of them are looked at
 *   only where the newest one may have gone.
 */
export function newestRows(index: Index, known?: { before: NewestRows; fresh: Iterable<IndexRow> }): NewestRows {
  const all = (field: DateField) => newestOf(index.values(), field);
  const newest = (field: DateField) => {
    if (known === undefined) return all(field);
    const before = known.before[field];
    const fresh = newestOf(known.fresh, field);
    if (before === undefined || (fresh !== undefined && fresh.date >= before.date)) return fresh;
    const row = index.get(before.uuid);
    return row?.isFolder === false && row[field] === before.date ? before : all(field);
  };
  return { publishedAt: newest("publishedAt"), updatedAt: newest("updatedAt") };
}

function newestOf(rows: Iterable<IndexRow>, field: DateField): NewestRows[DateField] {
  let newest: NewestRows[DateField];
  for (const row of rows) {
    if (row.isFolder) continue;
    const date = row[field];
    if (date && date > (newest?.date ?? "")) newest = { uuid: row.uuid, date };
  }
  return newest;
}

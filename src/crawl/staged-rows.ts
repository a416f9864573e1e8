import type { PartEntry } from "../snapshot/manifest.js";
import type { Index, IndexRow } from "./index-row.js";
import { PackedRow, type PackedRows } from "./packed-rows.js";
import { RowTable } from "./row-table.js";
import { StagedRow } from "./staged-row.js";
import type { KnownRows } from "./sweep-rows.js";

/** The newest dates of the stories of an index. */
export interface NewestDates {
  newestPublishedAt: string | null;
  newestUpdatedAt: string | null;
}

/** The staged index rows, of one state of their part. */
export interface StagedRows extends KnownRows {
  readonly entry: PartEntry | undefined;
  readonly rows: Index;
  /** Whether a row of a sweep is one of these, so that it need not be looked up or compared. */
  holds(row: IndexRow): boolean;
}

type DateField = "publishedAt" | "updatedAt";

/** The staged rows, packed as they are read. */
export class PackedStagedRows implements StagedRows {
  readonly entry: PartEntry | undefined;
  readonly rows: RowTable;
  readonly #before: Index;
  readonly #state: number;
  // The newest row is found while the rows come in: later their texts may lie on the disk.
  readonly #newest: Record<DateField, { uuid: string; number: number; date: string } | undefined> = {
    publishedAt: undefined,
    updatedAt: undefined,
  };

  /** @param before rows that are packed already: one with the same text is used, so that the text is there once */
  constructor(entry: PartEntry | undefined, packed: PackedRows, before: Index = new Map()) {
    this.entry = entry;
    this.rows = new RowTable(packed, entry?.records);
    this.#before = before;
    this.#state = packed.openState();
  }

  /** @param text The row's JSON. */
  add(uuid: string, text: string): void {
    const { rows } = this.rows;
    const before = this.#before.size === 0 ? undefined : this.#before.get(uuid);
    const row = new StagedRow(uuid, text);
    const isSame = before instanceof PackedRow && before.from === rows && before.text === text;
    const number = isSame ? before.number : rows.add(row);
    if (!this.rows.add(number)) return;
    rows.stage(number, this.#state);
    if (row.isFolder) return;
    this.#note("publishedAt", row, number);
    this.#note("updatedAt", row, number);
  }

  recall(uuid: string): StagedRow | undefined {
    const number = this.rows.numberOf(uuid);
    return number < 0 ? undefined : this.rows.rows.recall(number, uuid);
  }

  holds(row: IndexRow): boolean {
    return row instanceof PackedRow && row.from === this.rows.rows && row.from.isStaged(row.number, this.#state);
  }

  /** The newest dates of an index that has many of these very rows. */
  newestDates(index: Index): NewestDates {
    return {
      newestPublishedAt: this.#newestOf(index, "publishedAt"),
      newestUpdatedAt: this.#newestOf(index, "updatedAt"),
    };
  }

  #note(field: DateField, row: StagedRow, number: number): void {
    const date = row[field];
    if (date && date > (this.#newest[field]?.date ?? "")) this.#newest[field] = { uuid: row.uuid, number, date };
  }

  /** Where the newest of these rows is in the index unchanged, only a row that is none of these can be newer. */
  #newestOf(index: Index, field: DateField): string | null {
    const fresh = index instanceof RowTable ? index.fresh : undefined;
    const own = this.#newest[field];
    if (index instanceof RowTable && fresh !== undefined && (fresh.others === 0 || fresh.known === this)) {
      const other = fresh.newest[field]?.date ?? null;
      if (fresh.others === 0 || own === undefined) return other;
      if (index.numberOf(own.uuid) === own.number) return other !== null && other > own.date ? other : own.date;
    }
    let newest: string | null = null;
    for (const row of index.values()) {
      const date = row.isFolder ? null : row[field];
      if (date && date > (newest ?? "")) newest = date;
    }
    return newest;
  }
}

import type { SparseLink } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";
import { bodyTag } from "./body-tag.js";
import type { IndexRow } from "./index-row.js";
import { keptRow } from "./kept-rows.js";
import { StagedRow } from "./staged-row.js";
import type { SweepRows } from "./sweep-rows.js";

/** A whole sweep that is kept from one sync to the next. */
export interface KeptSweep {
  /** By tag of a page's body: its rows. Each uuid stands on one page, once. */
  readonly pages: ReadonlyMap<string, StagedRow[]>;
  /** The same rows by uuid. */
  readonly rows: Map<string, IndexRow>;
}

/** The pages of one sweep. Those whose bytes came in the sweep before it are not parsed again. */
export class SweptPages implements SweepRows<IndexRow> {
  readonly #before: KeptSweep | undefined;
  /** By list of rows: the tag of the body that they came in. */
  readonly #tags = new Map<readonly unknown[], string>();
  readonly #recalled = new Set<readonly unknown[]>();
  #last: { pieces: readonly Uint8Array[]; tag: string } | undefined;
  #rows: Map<string, IndexRow> = new Map();
  #lists: readonly IndexRow[][] = [];

  /** @param before The sweep before. Its rows are changed into those of this one, so nobody else may use it any more. */
  constructor(before: KeptSweep | undefined) {
    this.#before = before;
  }

  recall(pieces: readonly Uint8Array[]): RecordText<SparseLink>[] | undefined {
    const tag = bodyTag(pieces);
    this.#last = { pieces, tag };
    const page = this.#before?.pages.get(tag);
    if (page === undefined) return undefined;
    this.#tags.set(page, tag);
    this.#recalled.add(page);
    return page;
  }

  keep(pieces: readonly Uint8Array[], records: RecordText<SparseLink>[]): void {
    if (this.#last?.pieces === pieces) this.#tags.set(records, this.#last.tag);
  }

  /** Whether a page is the same as in the sweep before; its records are then the rows of that time. */
  isKnown(records: readonly unknown[]): records is StagedRow[] {
    return this.#recalled.has(records);
  }

  /** Notes which rows the records of a page stand for. */
  noteRows(records: readonly unknown[], rows: readonly IndexRow[]): void {
    const tag = this.#tags.get(records);
    if (tag !== undefined) this.#tags.set(rows, tag);
  }

  /** Keeps the rows of a page as they are, in the very array that they came in. */
  take(page: IndexRow[]): IndexRow[] {
    return page;
  }

  textOf({ text }: IndexRow): string {
    return text;
  }

  collect(lists: readonly IndexRow[][]): Map<string, IndexRow> {
    const fresh = lists.filter((list) => !this.#recalled.has(list));
    this.#lists = lists;
    const goesOn = this.#before !== undefined && fresh.length * 2 < lists.length;
    this.#rows = new Map();
    if (this.#before !== undefined && goesOn) {
      this.#rows = this.#before.rows;
      const used = new Set<readonly unknown[]>(lists);
      for (const page of this.#before.pages.values()) {
        if (!used.has(page)) for (const { uuid } of page) this.#rows.delete(uuid);
      }
    }
    for (const list of goesOn ? fresh : lists) {
      for (const row of list) if (!this.#rows.has(row.uuid)) this.#rows.set(row.uuid, row);
    }
    return this.#rows;
  }

  /**
   * The sweep as it is kept for the next sync; this object must not be used afterwards. Undefined where a page could not be
   * recognized again. That no uuid came twice was seen when it was swept (`pagesShifted`).
   * @param staged Staged rows. Where one has the same text, it is used, so that the text is in memory once.
   */
  toKeep(staged: ReadonlyMap<string, StagedRow>): KeptSweep | undefined {
    const pages = new Map<string, StagedRow[]>();
    for (const list of this.#lists) {
      const tag = this.#tags.get(list);
      if (tag === undefined) return undefined;
      pages.set(tag, this.#recalled.has(list) ? (list as StagedRow[]) : list.map((row) => this.#keep(row, staged)));
    }
    return { pages, rows: this.#rows };
  }

  #keep(row: IndexRow, staged: ReadonlyMap<string, StagedRow>): StagedRow {
    const same = staged.get(row.uuid);
    const kept = same?.text === row.text ? same : row instanceof StagedRow ? row : keptRow(row.uuid, row.text);
    this.#rows.set(row.uuid, kept);
    return kept;
  }
}

import type { SparseLink } from "../../../contract/records.js";
import { missing } from "../../../lib/json/characters.js";
import { skipRecords } from "../../../lib/json/skip-records.js";
import type { KnownPages, RecordText } from "../../upstream/answer.js";
import type { PackedRow, PackedRows } from "./packed-rows.js";
import { RowTable } from "./row-table.js";

/** Rows that a sweep may meet again. */
export interface KnownRows {
  /** Settled once all of them are there; never rejects. Undefined: they are. */
  readonly ready?: Promise<unknown> | undefined;
  /** Tables of the sweep's packed rows, searched in order. */
  readonly tables: readonly RowTable[];
}

/** One sweep of an index: receives its pages in any order and packs their rows. */
export class Sweep implements KnownPages<SparseLink> {
  readonly #rows: PackedRows;
  readonly #known: KnownRows;

  constructor(rows: PackedRows, known: KnownRows) {
    this.#rows = rows;
    this.#known = known;
  }

  get ready(): Promise<unknown> | undefined {
    return this.#known.ready;
  }

  recall(pieces: readonly Uint8Array[]): PackedRow[] | undefined {
    const bytes = Buffer.concat(pieces);
    const numbers = new Set<number>();
    let count = 0;
    const isKnown = skipRecords(bytes, "links", (at) => {
      const number = this.#numberAt(bytes, at);
      if (number < 0) return missing;
      numbers.add(number);
      count++;
      return at + this.#rows.lengthAt(number);
    });
    // A repeated row shows that the page lacks another one.
    if (!isKnown || numbers.size < count) return undefined;
    return Array.from(numbers, (number) => this.#rows.at(number));
  }

  readonly knownOf = (uuid: string): PackedRow | undefined => {
    for (const table of this.#known.tables) {
      const row = table.get(uuid);
      if (row !== undefined) return row;
    }
    return undefined;
  };

  take(page: readonly RecordText<SparseLink>[]): number[] {
    return page.map((row) => this.#rows.add(row));
  }

  /** The rows of all pages by uuid; of two with the same uuid the first. */
  finish(pages: readonly number[][]): RowTable {
    const table = new RowTable(
      this.#rows,
      pages.reduce((sum, page) => sum + page.length, 0),
    );
    for (const page of pages) for (const number of page) table.add(number);
    return table;
  }

  #numberAt(bytes: Uint8Array, at: number): number {
    for (const table of this.#known.tables) {
      const number = table.numberAt(bytes, at);
      if (number >= 0) return number;
    }
    return -1;
  }
}

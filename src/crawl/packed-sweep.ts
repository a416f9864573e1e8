import type { SparseLink } from "../contract/records.js";
import { missing } from "../json/characters.js";
import { skipRecords } from "../json/skip-records.js";
import type { KnownPages } from "../upstream/answer.js";
import { PieceJoiner } from "../upstream/piece-joiner.js";
import type { IndexRow } from "./index-row.js";
import type { PackedRow, PackedRows } from "./packed-rows.js";
import { RowTable } from "./row-table.js";
import type { KnownRows } from "./sweep-rows.js";

/** The rows of one sweep, packed as their pages come. */
export class PackedSweep implements KnownPages<SparseLink> {
  readonly #rows: PackedRows;
  readonly #known: KnownRows;
  readonly #pages = new PieceJoiner();
  readonly #recalledPages = new WeakSet<readonly unknown[]>();

  /** @param known what its pages recall rows from */
  constructor(rows: PackedRows, known: KnownRows) {
    this.#rows = rows;
    this.#known = known;
  }

  get ready(): Promise<unknown> | undefined {
    return this.#known.ready;
  }

  recall(pieces: readonly Uint8Array[]): PackedRow[] | undefined {
    // Nothing of it is kept.
    const bytes = this.#pages.join(pieces);
    const numbers = new Set<number>();
    let count = 0;
    const isKnown = skipRecords(bytes, "links", (at) => {
      const number = this.#known.numberAt(bytes, at);
      if (number < 0) return missing;
      numbers.add(number);
      count++;
      return at + this.#rows.lengthAt(number);
    });
    // A row that stands there twice shows that the page lacks another one.
    if (!isKnown || numbers.size < count) return undefined;
    const page = Array.from(numbers, (number) => this.#rows.at(number));
    this.#recalledPages.add(page);
    return page;
  }

  /** Whether the records of a page are those that `recall` gave: each of its rows is known, and stands there once. */
  isKnown(records: readonly unknown[]): records is PackedRow[] {
    return this.#recalledPages.has(records);
  }

  /** Packs the rows of a page. @returns their numbers, in their order */
  take(page: readonly IndexRow[]): number[] {
    return page.map((row) => this.#rows.add(row));
  }

  textOf(number: number): string {
    return this.#rows.textAt(number);
  }

  /** The rows of all pages by uuid; of two with the same uuid the first. */
  collect(lists: readonly number[][]): RowTable {
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    const table = new RowTable(this.#rows, count);
    for (const list of lists) for (const number of list) table.add(number);
    return table;
  }
}

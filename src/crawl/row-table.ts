import type { IndexRow } from "./index-row.js";
import type { NewestRows } from "./newest-rows.js";
import { PackedRow, type PackedRows } from "./packed-rows.js";
import type { KnownRows } from "./staged-rows.js";
import { grown, probeOf } from "./uuid-list.js";

/**
 * Rows by uuid, in the order in which they were added: a map over packed rows that takes some 12 bytes for each.
 * Several tables may hold the same rows.
 */
export class RowTable implements ReadonlyMap<string, IndexRow> {
  readonly rows: PackedRows;
  /** Numbers of the rows, in order. */
  #order: Int32Array;
  #size = 0;
  /** By hash of a uuid: the number of its row, plus one; 0: none. Its length is a power of two. */
  #slots: Int32Array;
  /**
   * The newest dates of those of its rows that a sweep did not know, how many others it has, and what it knew them from;
   * undefined where that is not noted.
   */
  fresh: { newest: NewestRows; others: number; known: KnownRows } | undefined;

  /** @param room for so many rows at first */
  constructor(rows: PackedRows, room = 16) {
    this.rows = rows;
    this.#order = new Int32Array(room);
    this.#slots = new Int32Array(slotsFor(room));
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a row by its number. False where there is one of its uuid already, which stays. */
  add(number: number): boolean {
    if ((this.#size + 1) * 4 > this.#slots.length * 3) this.#spread();
    const slot = this.#slotOfRow(number);
    if (this.#slots[slot] !== 0) return false;
    this.#slots[slot] = number + 1;
    if (this.#size === this.#order.length) this.#order = grown(this.#order, this.#size + 1);
    this.#order[this.#size++] = number;
    return true;
  }

  /** The number of the row of a uuid; -1 where there is none. */
  numberOf(uuid: string): number {
    const probe = probeOf(uuid);
    const mask = this.#slots.length - 1;
    for (let slot = probe.hash & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot]!;
      if (held === 0) return -1;
      if (this.rows.uuids.isAt(held - 1, probe)) return held - 1;
    }
  }

  /** Whether it holds this very row. */
  holds(row: IndexRow): boolean {
    if (!(row instanceof PackedRow) || row.from !== this.rows) return false;
    return this.#slots[this.#slotOfRow(row.number)] === row.number + 1;
  }

  get(uuid: string): PackedRow | undefined {
    const number = this.numberOf(uuid);
    return number < 0 ? undefined : this.rows.at(number);
  }

  has(uuid: string): boolean {
    return this.numberOf(uuid) >= 0;
  }

  /** Numbers of the rows, in order. */
  numbers(): Int32Array {
    return this.#order.subarray(0, this.#size);
  }

  /** The same rows, and more. */
  with(more: Iterable<IndexRow>): RowTable {
    const table = new RowTable(this.rows, this.#size);
    for (const number of this.numbers()) table.add(number);
    for (const row of more) table.add(numberIn(this.rows, row));
    return table;
  }

  *values(): Generator<PackedRow, undefined> {
    for (let at = 0; at < this.#size; at++) yield this.rows.at(this.#order[at]!);
  }

  *keys(): Generator<string, undefined> {
    for (let at = 0; at < this.#size; at++) yield this.rows.uuids.at(this.#order[at]!);
  }

  *entries(): Generator<[string, PackedRow], undefined> {
    for (const row of this.values()) yield [row.uuid, row];
  }

  [Symbol.iterator](): Generator<[string, PackedRow], undefined> {
    return this.entries();
  }

  forEach(call: (row: IndexRow, uuid: string, table: ReadonlyMap<string, IndexRow>) => void): void {
    for (const [uuid, row] of this) call(row, uuid, this);
  }

  /** The slot that holds a row of the same uuid, or that it would have. */
  #slotOfRow(number: number): number {
    const { uuids } = this.rows;
    const mask = this.#slots.length - 1;
    for (let slot = uuids.hashAt(number) & mask; ; slot = (slot + 1) & mask) {
      const held = this.#slots[slot]!;
      if (held === 0 || held - 1 === number || uuids.isSame(held - 1, uuids, number)) return slot;
    }
  }

  #spread(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (const number of this.numbers()) this.#slots[this.#slotOfRow(number)] = number + 1;
  }
}

/** The number of a row, which is added where it is of elsewhere. */
export function numberIn(rows: PackedRows, row: Pick<IndexRow, "uuid" | "text" | "isFolder">): number {
  return row instanceof PackedRow && row.from === rows ? row.number : rows.add(row);
}

/** A power of two with room to spare. */
function slotsFor(size: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(8, size * 1.5)));
}

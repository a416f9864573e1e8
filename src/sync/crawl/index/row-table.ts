import type { SparseLink } from "../../../contract/records.js";
import { lowerBound } from "../../../lib/collections/lower-bound.js";
import { grown, uuidLength } from "../../../lib/collections/uuid-list.js";
import { UuidSlots } from "../../../lib/collections/uuid-set.js";
import { encodePath, findPath } from "../../../lib/json/bytes.js";
import { missing, quote } from "../../../lib/json/characters.js";
import type { RecordText } from "../../upstream/answer.js";
import type { IndexRow, Rows } from "./index-row.js";
import type { PackedRow, PackedRows } from "./packed-rows.js";

const uuidMember = encodePath(["uuid"]);

/** Position of the uuid of the canonical JSON row at `at`; `missing` if none has usual length. */
export function findUuid(bytes: Uint8Array, at: number): number {
  const value = findPath(bytes, at, uuidMember);
  const isUsual = bytes[value] === quote && bytes[value + 1 + uuidLength] === quote;
  return isUsual ? value + 1 : missing;
}

/** Rows by uuid, in insertion order, in some 12 bytes each. Tables may share rows. */
export class RowTable implements Rows<IndexRow> {
  readonly rows: PackedRows;
  #order: Int32Array;
  #size = 0;
  readonly #slots: UuidSlots;

  constructor(rows: PackedRows, room = 16) {
    this.rows = rows;
    this.#order = new Int32Array(room);
    this.#slots = new UuidSlots(rows.uuids, room);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a row by its number. False if its uuid is there already; that row stays. */
  add(number: number): boolean {
    if (this.#slots.put(number) >= 0) return false;
    if (this.#size === this.#order.length) this.#order = grown(this.#order, this.#size + 1);
    this.#order[this.#size++] = number;
    return true;
  }

  /** The number of the row of a uuid; else -1. */
  numberOf(uuid: string): number {
    return this.#size === 0 ? -1 : this.#slots.numberOf(uuid);
  }

  /** The number of the row whose text is at `at`, compared whole; else -1. */
  numberAt(bytes: Uint8Array, at: number): number {
    // The uuid only selects the row to compare with.
    const uuid = findUuid(bytes, at);
    if (uuid === missing) return -1;
    const number = this.#slots.numberAt(bytes, uuid);
    return number >= 0 && this.rows.standsIn(bytes, at, number) ? number : -1;
  }

  get(uuid: string): PackedRow | undefined {
    const number = this.numberOf(uuid);
    return number < 0 ? undefined : this.rows.at(number);
  }

  /** True if it has this very row, which needs no comparison. */
  holds(row: IndexRow): boolean {
    const number = this.rows.numberOf(row);
    if (number < 0) return false;
    // In the first table of its rows, nearly all have the number of their place.
    const isInPlace = number < this.#size && this.#order[number] === number;
    return isInPlace || this.#slots.holds(number);
  }

  has(uuid: string): boolean {
    return this.numberOf(uuid) >= 0;
  }

  numbers(): Int32Array {
    return this.#order.subarray(0, this.#size);
  }

  with(more: Iterable<RecordText<SparseLink>>): RowTable {
    const table = new RowTable(this.rows, this.#size);
    for (const number of this.numbers()) table.add(number);
    for (const row of more) table.add(this.rows.add(row));
    return table;
  }

  /** True if another table of the same packed rows has exactly the same rows. */
  hasSameRows(other: RowTable): boolean {
    if (this.#size !== other.#size) return false;
    for (const number of this.numbers()) {
      const same = other.numberOf(this.rows.uuids.at(number));
      if (same < 0 || (same !== number && this.rows.textAt(same) !== this.rows.textAt(number))) return false;
    }
    return true;
  }

  *values(): Generator<PackedRow, undefined> {
    for (let at = 0; at < this.#size; at++) yield this.rows.at(this.#order[at]!);
  }

  *keys(): Generator<string, undefined> {
    for (let at = 0; at < this.#size; at++) yield this.rows.uuids.at(this.#order[at]!);
  }

  *storyUuids(): Generator<string, undefined> {
    const { uuids } = this.rows;
    for (const number of this.numbers()) if (!this.rows.isFolderAt(number)) yield uuids.at(number);
  }

  *[Symbol.iterator](): Generator<[string, PackedRow], undefined> {
    for (const row of this.values()) yield [row.uuid, row];
  }
}

/** The stories of an index by id; of two with the same id the later one. */
export function storiesById(index: RowTable): (id: number) => IndexRow | undefined {
  const { rows } = index;
  const ids = new Float64Array(index.size);
  const numbers = index.numbers().slice();
  for (const [at, number] of numbers.entries()) ids[at] = rows.isFolderAt(number) ? none : (rows.at(number).id ?? none);
  const order = Int32Array.from(ids, (_, at) => at).sort((a, b) => ids[a]! - ids[b]! || a - b);
  return (id) => {
    const behind = lowerBound(order.length, (at) => ids[order[at]!]! > id);
    const at = order[behind - 1];
    return at === undefined || ids[at] !== id || id === none ? undefined : rows.at(numbers[at]!);
  };
}

const none = Number.NEGATIVE_INFINITY;

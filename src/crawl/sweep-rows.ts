import type { SparseLink } from "../contract/records.js";
import { missing } from "../json/characters.js";
import type { KnownPages } from "../upstream/answer.js";
import type { Index, IndexRow } from "./index-row.js";
import type { StagedRow } from "./staged-row.js";

/** Takes the rows of a sweep, page by page, and knows pages that it needs not to have parsed. */
export interface SweepRows<R> extends KnownPages<SparseLink> {
  /** Whether the records of a page are those that `recall` gave: each of its rows is known, and stands there once. */
  isKnown(records: readonly unknown[]): records is IndexRow[];
  /** Notes which rows the records of a page stand for. */
  noteRows(records: readonly unknown[], rows: readonly IndexRow[]): void;
  /** What is kept of the rows of a page, in their order. */
  take(page: IndexRow[]): R[];
  /** The text of such a row. */
  textOf(row: R): string;
  /** The rows of all pages by uuid; of two with the same uuid the first. */
  collect(lists: readonly R[][]): Index;
}

/** Rows that a sweep may meet again as they are. */
export interface KnownRows {
  /** Settled once all of them are there; it never rejects. Undefined: they are, or pages need not wait for them. */
  readonly ready?: Promise<unknown> | undefined;
  /** The row of a uuid, which may come again or not. */
  recall(uuid: string): StagedRow | undefined;
  /** The packed row that stands in the bytes of a page from `at` on, with every character; -1 where none does. */
  numberAt(body: Uint8Array, at: number): number;
}

/** None is known. */
export const noRows: KnownRows = { recall: () => undefined, numberAt: () => missing };

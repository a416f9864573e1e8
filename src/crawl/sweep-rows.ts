import type { Index, IndexRow } from "./index-row.js";
import type { StagedRow } from "./staged-row.js";

/** Takes the rows of a sweep, page by page. */
export interface SweepRows<R> {
  /** What is kept of the rows of a page, in their order. */
  take(page: IndexRow[]): R[];
  /** The text of such a row. */
  textOf(row: R): string;
  /** The rows of all pages by uuid; of two with the same uuid the first. */
  collect(lists: readonly R[][]): Index;
}

/** Rows that a sweep may meet again as they are. */
export interface KnownRows {
  /** The row of a uuid, which may come again or not. */
  recall(uuid: string): StagedRow | undefined;
}

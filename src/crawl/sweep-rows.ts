import { missing } from "../json/characters.js";
import type { StagedRow } from "./staged-row.js";

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

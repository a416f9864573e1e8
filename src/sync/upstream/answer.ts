import type { StoryHead } from "../../contract/records.js";
import type { UnknownKey } from "../../contract/unknown-key.js";

/** One record of an answer: its canonical JSON text, which is stored, and its parsed value. */
export interface RecordText<T> {
  text: string;
  value: T;
  /** Of a record that was requested alone and is used anyway; absent if there are none. */
  faults?: readonly RecordFault[];
}

/** Its content may only be parsed as far as its type. */
export type StoryText = RecordText<StoryHead>;

export interface RecordFault {
  /** The record's name, or its place in the answer: `"blog/first" (9aa72a2f-…)`, `stories[3]`. */
  name: string;
  uuid: string | undefined;
  id: number | undefined;
  /** What is wrong, with the field: `name is null, not a text`. */
  problem: string;
  /** True if the record is unusable; else it is used without the field. */
  isLeftOut: boolean;
}

/** What every answer has besides its body. */
export interface AnswerHead {
  /** The server's own clock (`Date` header), ms since the epoch; null if it is absent. */
  dateMs: number | null;
}

export interface Served<T> extends AnswerHead {
  kind: "served";
  body: T;
  /** The cv in the body; null if the endpoint has none. */
  cv: number | null;
  /** The redacted fields of a record of the space; see `redactRecord`. */
  redacted?: readonly string[];
  /** Keys that the API does not describe; absent if there are none. */
  unknown?: readonly UnknownKey[];
}

/** A redirect, which is never followed: the space is at another cv (documented behaviour). */
export interface Moved extends AnswerHead {
  kind: "moved";
  cv: number;
}

export type Answer<T> = Served<T> | Moved;

export type Page<T> = ListPage<RecordText<T>>;

export interface ListPage<R> {
  records: R[];
  /** The faulty records, if the caller accepts such answers; absent if there are none. */
  faults?: readonly RecordFault[];
  /** `Total` header; null if absent. */
  total: number | null;
  /** `Per-Page` header: the page size that the server really used; null if absent. */
  perPage: number | null;
}

/** Pages of a list that are known by the bytes of their bodies, in whatever pieces they arrive. */
export interface KnownPages<T> {
  /** Settled once everything is known; a page that comes earlier is parsed. Never rejects. */
  readonly ready?: Promise<unknown> | undefined;
  /** The records of the page with this body; undefined: unknown. */
  recall(pieces: readonly Uint8Array[]): RecordText<T>[] | undefined;
}

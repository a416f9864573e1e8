/** One record of an answer: its canonical JSON text, which is what gets stored, and the value that it parses to. */
export interface RecordText<T> {
  text: string;
  value: T;
  /** What is wrong with a record that was asked for alone, and is used all the same; absent where nothing is. */
  faults?: readonly RecordFault[];
}

/** A record that is not as the interface says, of an answer that was read all the same. */
export interface RecordFault {
  /** What the record calls itself, or its place in the answer: `"blog/first" (9aa72a2f-…)`, `stories[3]`. */
  name: string;
  /** Its uuid, where that is one. */
  uuid: string | undefined;
  /** Its id, where that is one. */
  id: number | undefined;
  /** What is wrong, with the field: `name is null, not a text`. */
  problem: string;
  /** True where nothing of the record can be used; else it is among the records, without use of the field. */
  isLeftOut: boolean;
}

/** What every answer has beside its body. */
export interface AnswerHead {
  /** The server's own clock (`Date` header) in milliseconds since the epoch; null when it is absent. */
  dateMs: number | null;
}

/** A body that was served. */
export interface Served<T> extends AnswerHead {
  kind: "served";
  body: T;
  /** The cv in the body; null where the endpoint has none. */
  cv: number | null;
  /** Of a record of the space: the fields that were redacted where it was read; see `redactRecord`. */
  redacted?: readonly string[];
}

/** A redirect, which is never followed: the space is at another cv (documented behaviour). */
export interface Moved extends AnswerHead {
  kind: "moved";
  /** The cv in `Location`. */
  cv: number;
}

export type Answer<T> = Served<T> | Moved;

/** One page of a list, its records with their texts. */
export type Page<T> = ListPage<RecordText<T>>;

/** One page of a list. */
export interface ListPage<R> {
  records: R[];
  /** What is wrong with some records, where the caller takes such answers; absent where nothing is. */
  faults?: readonly RecordFault[];
  /** `Total` header; null when absent. */
  total: number | null;
  /** `Per-Page` header: the page size that the server really used; null when absent. */
  perPage: number | null;
}

/** Pages of a list that are known by the bytes of their bodies, in whatever pieces they came. */
export interface KnownPages<T> {
  /** Settled once everything is known; a page that comes before is read then. It never rejects. */
  readonly ready?: Promise<unknown> | undefined;
  /** The records of the page with this body; undefined: not known. */
  recall(pieces: readonly Uint8Array[]): RecordText<T>[] | undefined;
}

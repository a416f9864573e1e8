/** One record of an answer: its canonical JSON text, which is what gets stored, and the value that it parses to. */
export interface RecordText<T> {
  text: string;
  value: T;
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

/** One page of a list. */
export interface Page<T> {
  records: RecordText<T>[];
  /** `Total` header; null when absent. */
  total: number | null;
  /** `Per-Page` header: the page size that the server really used; null when absent. */
  perPage: number | null;
}

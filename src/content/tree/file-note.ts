import type { Problem } from "../../lib/errors.js";

/** A file that we wrote. */
export interface FileNote {
  /** Hexadecimal SHA-256 of its bytes; "" for a file that an interrupted export may have written. */
  hash: string;
  bytes: number;
  /** Hash of everything that shaped it except what it read: settings, and which records it holds. */
  basis: string;
  /** What it read of the generation: keys of `ContentNotes.answers`. */
  keys: readonly string[];
  /** Problems that its rendering reported. */
  problems: readonly Problem[];
  /** For a Markdown file: the key of its story's record, one of `keys`. */
  own?: string | undefined;
  /** For a file of records: a note of each. `keys` and `problems` of the file are those of all its records. */
  lines?: LineNotes | undefined;
}

/** The lines of a file, in their order. */
export interface LineNotes {
  /** The edition that its stories are of. */
  edition: string;
  /** Hash of everything that shaped each line except what it read. */
  basis: string;
  /** What the records of its stories weigh together in the snapshot, see `lineWeight`. */
  weight: number;
  notes: readonly LineNote[];
}

/** One record of a file. */
export interface LineNote {
  id: string;
  keys: readonly string[];
  problems: readonly Problem[];
  /** False when it could not be rendered, and has no line. */
  isThere: boolean;
}

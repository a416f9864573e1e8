import type { RecordTable } from "./describe-record.js";
import { usablePart } from "./record-kinds.js";
import { link, story } from "./record-table.js";
import type { SparseLink, StoryRecord } from "./records.js";

/*
 * Records are stored as they came, whatever is wrong with their fields. Whoever parses a line gets the usable part of it:
 * fields that are none of their kind are undefined.
 */

/** A stored story. */
export function parseStory(line: string): StoryRecord {
  return parseRecord(story, line);
}

/** A stored row of the links listing. */
export function parseLink(line: string): SparseLink {
  return parseRecord(link, line);
}

/** A stored record; as it is where it lacks what every record that was read has. */
export function parseRecord<T>(table: RecordTable<T>, line: string): T {
  const value: unknown = JSON.parse(line);
  return usablePart(table, value) ?? (value as T);
}

import { usablePart } from "../lib/shape.js";
import type { RecordTable } from "./describe-record.js";
import { link, story } from "./record-table.js";
import type { SparseLink, StoryRecord } from "./records.js";

/*
 * Records are stored as they came, whatever is wrong with their fields. Whoever parses a line gets the usable part of it:
 * fields that are none of their kind are undefined.
 */

/** A stored story. @param exact makes of its value what is used of it, where that is another one */
export function parseStory(line: string, exact?: (value: unknown, line: string) => unknown): StoryRecord {
  return parseRecord(story, line, exact);
}

/** A stored row of the links listing. */
export function parseLink(line: string): SparseLink {
  return parseRecord(link, line);
}

/**
 * A stored record; as it is where it lacks what every record that was read has.
 * @param exact Makes of the value of its JSON what is used of it; a record that is not usable as it is comes without that.
 */
export function parseRecord<T>(
  table: RecordTable<T>,
  line: string,
  exact?: (value: unknown, line: string) => unknown,
): T {
  const value: unknown = JSON.parse(line);
  if (!table.is(value)) return usablePart(table, value) ?? (value as T);
  return (exact === undefined ? value : exact(value, line)) as T;
}

import { usablePart } from "../lib/shape.js";
import type { RecordTable } from "./describe-record.js";
import { link, story } from "./record-table.js";
import type { SparseLink, StoryRecord } from "./records.js";

/** Parses a stored story. @param exact Replaces the parsed value. */
export function parseStory(line: string, exact?: (value: unknown, line: string) => unknown): StoryRecord {
  return parseRecord(story, line, exact);
}

export function parseLink(line: string): SparseLink {
  return parseRecord(link, line);
}

/** As received: a field of the wrong type becomes undefined. @param exact replaces the value of a usable record */
export function parseRecord<T>(
  table: RecordTable<T>,
  line: string,
  exact?: (value: unknown, line: string) => unknown,
): T {
  const value: unknown = JSON.parse(line);
  if (!table.is(value)) return usablePart(table, value) ?? (value as T);
  return (exact === undefined ? value : exact(value, line)) as T;
}

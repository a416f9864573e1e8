import type { RecordTable } from "../../../contract/describe-record.js";
import { parseRecord } from "../../../contract/parse-record.js";
import type { Problem } from "../../../lib/errors.js";
import type { PartReading, PlanItem } from "./part-reading.js";
import type { SpaceReading } from "./read-space-record.js";

/** The parts other than stories, as read at one cv. */
export interface OtherParts {
  cv: number | null;
  /** False if an answer was of another cv, or lists were inconsistent: request everything again. */
  isSettled: boolean;
  /** Every requested part except the space, readable or not. */
  readings: PartReading[];
  items: PlanItem[];
  space: SpaceReading | undefined;
  /** What could not be read, and whether an older part replaces it. */
  problems: Problem[];
}

/** True if every other part was read at this cv, consistently. Pure. */
export function partsAreRead(parts: OtherParts | undefined, cv: number | null): boolean {
  return parts !== undefined && parts.cv === cv && parts.isSettled;
}

export function readingsOf({ readings, space }: OtherParts): PartReading[] {
  return [...readings, ...(space === undefined ? [] : [space.reading])];
}

/** The records of a part as read; undefined if it was not requested or could not be read. */
export function recordsRead<T>(parts: OtherParts | undefined, part: string, table: RecordTable<T>): T[] | undefined {
  const reading = parts?.readings.find((candidate) => candidate.part === part);
  return reading?.lines?.map((line) => parseRecord(table, line));
}

export function isMissing(parts: OtherParts | undefined, part: string): boolean {
  const reading = parts?.readings.find((candidate) => candidate.part === part);
  return reading !== undefined && reading.lines === undefined;
}

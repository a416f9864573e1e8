import type { RecordTable } from "../../../contract/describe-record.js";
import { parseRecord } from "../../../contract/parse-record.js";
import type { Problem } from "../../../lib/errors.js";
import type { PartReading, PlanItem } from "./part-reading.js";
import type { SpaceReading } from "./read-space-record.js";

/** What is beside the stories, as read at one cv. */
export interface OtherParts {
  cv: number | null;
  /** False where an answer was of another cv, or lists did not fit together: then all of it is asked for again. */
  isSettled: boolean;
  /** Everything but the space that was asked for, whether it could be read or not. */
  readings: PartReading[];
  items: PlanItem[];
  /** Undefined where the space is not asked about itself. */
  space: SpaceReading | undefined;
  /** What could not be read, and whether an older one stands in for it. */
  problems: Problem[];
}

/** Whether everything beside the stories was read at this cv, and fits together. Pure. */
export function partsAreRead(parts: OtherParts | undefined, cv: number | null): boolean {
  return parts !== undefined && parts.cv === cv && parts.isSettled;
}

/** Everything that was asked for, whether it could be read or not. */
export function readingsOf({ readings, space }: OtherParts): PartReading[] {
  return [...readings, ...(space === undefined ? [] : [space.reading])];
}

/** The records of a part as they were read; undefined where it was not asked for, or could not be read. */
export function recordsRead<T>(parts: OtherParts | undefined, part: string, table: RecordTable<T>): T[] | undefined {
  const reading = parts?.readings.find((candidate) => candidate.part === part);
  return reading?.lines?.map((line) => parseRecord(table, line));
}

/** Whether a part was asked for and could not be read. */
export function isMissing(parts: OtherParts | undefined, part: string): boolean {
  const reading = parts?.readings.find((candidate) => candidate.part === part);
  return reading !== undefined && reading.lines === undefined;
}

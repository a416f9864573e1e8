import type { Problem } from "../errors.js";
import type { PartReading, PartReadings, SpaceReading } from "./read-parts.js";

/** What is beside the stories, as read at one cv. */
export interface OtherParts {
  cv: number | null;
  readings: PartReadings;
  /** Undefined where the space is not asked about itself. */
  space: SpaceReading | undefined;
  /** What could not be read, and whether an older one stands in for it. */
  problems: Problem[];
}

/** Everything that was asked for, whether it could be read or not. */
export function readingsOf({ readings, space }: OtherParts): PartReading[] {
  return [...readings.readings, ...(space === undefined ? [] : [space.reading])];
}

/** Whether a part was asked for and could not be read. */
export function isMissing(parts: OtherParts | undefined, part: string): boolean {
  const reading = parts?.readings.readings.find((candidate) => candidate.part === part);
  return reading !== undefined && reading.lines === undefined;
}

import type { RecordTable } from "../../../contract/describe-record.js";
import { parseRecord } from "../../../contract/parse-record.js";
import { isOffprintError, type Problem } from "../../../lib/errors.js";
import { isUpstreamError } from "../../../lib/http/upstream-error.js";
import type { PartEntry, SpacePartRecord } from "../../../snapshot/manifest.js";
import type { RecordText } from "../../upstream/answer.js";

/** The result of reading one part: its lines, or why they are missing. */
export type PartReading =
  | { part: string; lines: string[]; reason?: undefined; isTorn?: undefined }
  /** `isTorn`: its answers are inconsistent, so that it is requested again. */
  | { part: string; lines?: undefined; reason: string; isTorn?: boolean };

/** The space's own record; its `version` is a cv. */
export interface SpaceReading {
  reading: PartReading;
  record: SpacePartRecord;
  requests: number;
  redacted: string[];
  /** Why a piece could not be read. An older whole record is better than one without it. */
  refused: { part: string; reason: string } | undefined;
}

export interface PlanItem {
  /** What is read, in words: `stories published (3 languages)`. */
  what: string;
  requests: number;
  /** The requested page size, for the cost under the published tiers; absent for single reads. */
  perPage?: number;
}

export interface PartReadings {
  readings: PartReading[];
  items: PlanItem[];
}

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

/** A part is missing if it is refused, the upstream lacks it, or its answers are inconsistent. */
export async function readPartRecords<T>(
  part: string,
  read: () => Promise<RecordText<T>[]>,
): Promise<{ reading: PartReading; records: RecordText<T>[] }> {
  try {
    const { answer: records, reason } = await unlessRefused(read);
    if (records === undefined) return { reading: { part, reason }, records: [] };
    return { reading: { part, lines: records.map(({ text }) => text) }, records };
  } catch (error) {
    if (!isOffprintError(error, "UPSTREAM_INCONSISTENT")) throw error;
    return { reading: tornPart(part, error.message), records: [] };
  }
}

/** A part whose answers are inconsistent or too old. */
export function tornPart(part: string, message: string): PartReading {
  return { part, reason: message.replace(/\.$/, ""), isTorn: true };
}

/** The problem for a part that could not be read: the older one is kept, if any. */
export function missingPart({ part, reason }: { part: string; reason: string }, kept: PartEntry | undefined): Problem {
  return kept === undefined
    ? { code: "PART_NOT_INCLUDED", message: `${part} is not included: ${reason}.`, hint: "" }
    : {
        code: "PART_KEPT",
        message: `${part} could not be read (${reason}); the old copy is kept.`,
        hint: "Check what the token may read.",
      };
}

/** What `read` returns, or why the upstream refuses it. @param what as for {@link whyMissing} */
export async function unlessRefused<T>(
  read: () => Promise<T>,
  what?: string,
): Promise<{ answer: T; reason?: undefined } | { answer?: undefined; reason: string }> {
  try {
    return { answer: await read() };
  } catch (error) {
    const reason = whyMissing(error, what);
    if (reason === undefined) throw error;
    return { reason };
  }
}

const refusals = new Set([400, 401, 402, 403, 404, 422]);

/** Undefined if the sync cannot continue. @param what names the request, if the part is not precise enough */
function whyMissing(error: unknown, what?: string): string | undefined {
  const to = what === undefined ? "" : ` to ${what}`;
  if (isUpstreamError(error) && refusals.has(error.status ?? 0)) return `the upstream answered ${error.status}${to}`;
  const unusable = unusableIn(error);
  return unusable === undefined ? undefined : `the answer${to} cannot be used: ${unusable}`;
}

/** The message of an error about the only record of an answer. */
export function unusableIn(error: unknown): string | undefined {
  return isUpstreamError(error) ? error.unusable : undefined;
}

/** True if an error means that this upstream has no such record, or no such path at all. */
export function isNotFound(error: unknown): boolean {
  return isOffprintError(error, "UPSTREAM_NOT_FOUND");
}

/** True if this upstream lacks an address, or refuses its parameters. */
export function isRefusedAddress(error: unknown): boolean {
  return isNotFound(error) || isOffprintError(error, "UPSTREAM_INVALID_REQUEST");
}

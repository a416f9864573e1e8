import { isOffprintError, type Problem } from "../../../lib/errors.js";
import { UpstreamError } from "../../../lib/http/upstream-error.js";
import type { PartEntry } from "../../../snapshot/manifest.js";
import type { RecordText } from "../../upstream/answer.js";

/** What a read of one part came to: its lines, or why it is not there. */
export type PartReading =
  | { part: string; lines: string[]; reason?: undefined; isTorn?: undefined }
  /** `isTorn`: its answers do not fit together, so that it is asked for again. */
  | { part: string; lines?: undefined; reason: string; isTorn?: boolean };

/** One line of the bill. */
export interface PlanItem {
  /** What is read, in words: `stories published (3 languages)`. */
  what: string;
  requests: number;
  /** The page size that is asked for, by which the published tiers charge; absent for single reads. */
  perPage?: number;
}

/** What was read of a kind of parts, and what that took. */
export interface PartReadings {
  readings: PartReading[];
  items: PlanItem[];
}

/**
 * Reads a part. One that the token may not read, or that the upstream does not have, is noted as missing; so is one whose
 * answers do not fit together.
 * @returns what was read, and its records where it could be
 */
export async function readPartRecords<T>(
  part: string,
  read: () => Promise<RecordText<T>[]>,
): Promise<{ reading: PartReading; records: RecordText<T>[] }> {
  try {
    const records = await read();
    return { reading: { part, lines: records.map(({ text }) => text) }, records };
  } catch (error) {
    if (isOffprintError(error, "UPSTREAM_INCONSISTENT")) return { reading: tornPart(part, error.message), records: [] };
    const reason = whyMissing(error);
    if (reason === undefined) throw error;
    return { reading: { part, reason }, records: [] };
  }
}

/** A part whose answers do not fit together, or are older than they have to be. */
export function tornPart(part: string, message: string): PartReading {
  return { part, reason: message.replace(/\.$/, ""), isTorn: true };
}

/** The note for a part that could not be read, and whether what was read before is kept instead. */
export function missingPart({ part, reason }: { part: string; reason: string }, kept: PartEntry | undefined): Problem {
  return kept === undefined
    ? { code: "PART_NOT_INCLUDED", message: `${part} is not included: ${reason}.`, hint: "" }
    : {
        code: "PART_KEPT",
        message: `${part} could not be read (${reason}); what was read before is kept.`,
        hint: "Check what the token may read.",
      };
}

const refusals = new Set([400, 401, 402, 403, 404, 422]);

function isRefusal(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && error.status !== null && refusals.has(error.status);
}

/**
 * Why something that was asked for is not there, where that is no reason to end: the upstream does not give it, or its
 * record cannot be used. Undefined for every other error.
 * @param what was asked for, where the part is not enough to tell
 */
export function whyMissing(error: unknown, what?: string): string | undefined {
  const to = what === undefined ? "" : ` to ${what}`;
  if (isRefusal(error)) return `the upstream answered ${error.status}${to}`;
  const unusable = unusableIn(error);
  return unusable === undefined ? undefined : `the answer${to} cannot be used: ${unusable}`;
}

/** What is wrong with the only record of an answer, where that is the error. */
export function unusableIn(error: unknown): string | undefined {
  return error instanceof UpstreamError ? error.unusable : undefined;
}

/** Whether an error means that this upstream has no such record, or no such path at all. */
export function isNotFound(error: unknown): boolean {
  return isOffprintError(error, "UPSTREAM_NOT_FOUND");
}

/** Whether this upstream does not have an address, or not with the parameters that it is asked with. */
export function isRefusedAddress(error: unknown): boolean {
  return isNotFound(error) || isOffprintError(error, "UPSTREAM_INVALID_REQUEST");
}

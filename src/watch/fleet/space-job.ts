import { number, object, oneOf, type Shape, text } from "../../lib/shape.js";

/** Why a space is to be synced. */
export type JobKind =
  /** A turn of its schedule. */
  | "turn"
  /** A turn that was missed while no worker was there. */
  | "missed"
  /** What was read lately is looked at once more. */
  | "look"
  /** Something that an event has announced is due: another probe, or the first one. */
  | "event";

/** One run of a space, as it stands in the queue. */
export interface SpaceJob {
  space: string;
  kind: JobKind;
  /** The moment that it is for, in milliseconds since the epoch: the same for every worker that adds it. */
  atMs: number;
}

/** What the data of a job has to be: whoever reaches the queue may have put anything there. */
export const spaceJobShape: Shape<SpaceJob> = object<SpaceJob>({
  space: text,
  kind: oneOf("turn", "missed", "look", "event"),
  atMs: number,
});

/** The id of a job. A job whose id the queue knows already is not added again: so every worker adds every job. */
export function jobId({ space, kind, atMs }: SpaceJob): string {
  return `${space}/${kind}/${atMs}`;
}

/**
 * Whether a job that is added while its space is worked on waits for the end of that, rather than be left out: an event
 * came after the run had begun, and needs another one. A turn does not, nor does another look.
 */
export function waitsForRun({ kind }: Pick<SpaceJob, "kind">): boolean {
  return kind === "event";
}

/** A job as the queue tells of it. */
export interface QueuedJob extends SpaceJob {
  state: "waiting" | "active";
  /** The worker that has it; undefined: none. */
  worker: string | undefined;
  /** Since when it waits or is worked on, in milliseconds since the epoch. */
  sinceMs: number;
}

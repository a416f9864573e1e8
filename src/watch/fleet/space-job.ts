import { number, object, oneOf, type Shape, text } from "../../lib/shape.js";

export interface SpaceJob {
  space: string;
  /** `missed`: a turn without a worker; `look`: a second one at fresh records; `event`: a probe. */
  kind: "turn" | "missed" | "look" | "event";
  /** The moment it is for, in milliseconds since the epoch; it is the same on every worker. */
  atMs: number;
}

/** Validates the data of a job: anyone with access to the queue could have written it. */
export const spaceJobShape: Shape<SpaceJob> = object<SpaceJob>({
  space: text,
  kind: oneOf("turn", "missed", "look", "event"),
  atMs: number,
});

/** Returns the id of a job. The queue ignores a known id, so every worker can add every job. */
export function jobId({ space, kind, atMs }: SpaceJob): string {
  return `${space}/${kind}/${atMs}`;
}

export interface QueuedJob extends SpaceJob {
  state: "waiting" | "active";
  worker: string | undefined;
  /** When it began to wait or was started, in milliseconds since the epoch. */
  sinceMs: number;
}

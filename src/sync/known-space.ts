import { readOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { dueAtMs } from "./crawl/stories/second-look.js";

/** What an output folder knows about its space. Server times in milliseconds since the epoch. */
export interface KnownSpace {
  /** The id of the space; null if the upstream does not send it, or there is no snapshot. */
  spaceId: number | null;
  /** The cv at which the current generation was confirmed; null: none. */
  cv: number | null;
  confirmedAtMs: number | null;
  /** When a sync will check a recent reading again; null: nothing to check. */
  lookAtMs: number | null;
}

/** What an output folder knows; nothing if it is unreadable: a sync reports that. */
export async function readKnownSpace(output: Output): Promise<KnownSpace> {
  try {
    const { manifest, state } = await readOutput(output);
    const looks = state.looks.map(dueAtMs);
    return {
      spaceId: manifest?.space.id ?? null,
      cv: state.cv,
      confirmedAtMs: manifest === undefined ? null : state.confirmedAtMs,
      lookAtMs: looks.length === 0 ? null : Math.min(...looks),
    };
  } catch {
    return { spaceId: null, cv: null, confirmedAtMs: null, lookAtMs: null };
  }
}

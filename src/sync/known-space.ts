import { readOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { dueAtMs } from "./crawl/stories/second-look.js";

/** What an output folder tells of its space. Times of the server's clock, in milliseconds since the epoch. */
export interface KnownSpace {
  /** The number of the space; null where the upstream does not tell it, or there is no snapshot. */
  spaceId: number | null;
  /** The cv that the current generation was confirmed at; null: none. */
  cv: number | null;
  /** When that was; null: never. */
  confirmedAtMs: number | null;
  /** When a sync will look once more at what was read lately; null: there is nothing to look at. */
  lookAtMs: number | null;
}

/** What an output folder tells of its space; nothing where it cannot be read, which a sync will say, and mend if it can. */
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

import type { Version } from "../config/config.js";
import type { SecondLook } from "../snapshot/state.js";

/** How old a reading has to be before it is looked at again: no part of the interface is expected to lag so far. */
export const secondLookAfterMs = 60_000;
/** Stories that a look lists at most: more are a reading of everything. */
const listedAtMost = 2_000;
/** How far before the reading an edit may lie whose traces lagged behind. */
const lagAtMostMs = 600_000;

/** The looks whose time has come. Pure. A time ahead of the server's comes from a clock that was wrong. */
export function dueLooks(looks: readonly SecondLook[], nowMs: number): SecondLook[] {
  return looks.filter(({ readAtMs }) => nowMs < readAtMs || nowMs - readAtMs >= secondLookAfterMs);
}

/** The stories of one version that a sync has read. */
export interface ReadStories {
  uuids: readonly string[];
  /** Whether all were read. Then only those are listed whose answer may have been of another moment. */
  all: boolean;
}

/**
 * The look that a reading calls for. Pure.
 * @param startedMs When the reading began.
 */
export function lookAfter(
  read: ReadonlyMap<Version, ReadStories>,
  { startedMs, readAtMs }: { startedMs: number; readAtMs: number },
): SecondLook {
  const count = [...read.values()].reduce((sum, { uuids }) => sum + uuids.length, 0);
  const isListed = count <= listedAtMost;
  const isDated = !isListed || [...read.values()].some(({ all }) => all);
  return {
    readAtMs,
    stories: isListed ? Object.fromEntries([...read].map(([version, { uuids }]) => [version, [...uuids].sort()])) : {},
    datedSinceMs: isDated ? startedMs - lagAtMostMs : null,
  };
}

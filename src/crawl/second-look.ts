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

/**
 * The look that a reading calls for. Pure.
 * @param read By version: the stories that were read; undefined for all of them.
 * @param startedMs When the reading began.
 */
export function lookAfter(
  read: ReadonlyMap<Version, readonly string[] | undefined>,
  { startedMs, readAtMs }: { startedMs: number; readAtMs: number },
): SecondLook {
  const count = [...read.values()].reduce((sum, uuids) => sum + (uuids?.length ?? listedAtMost + 1), 0);
  const listsAll = count <= listedAtMost;
  return {
    readAtMs,
    stories: listsAll
      ? Object.fromEntries([...read].map(([version, uuids]) => [version, [...(uuids ?? [])].sort()]))
      : {},
    datedSinceMs: listsAll ? null : startedMs - lagAtMostMs,
  };
}

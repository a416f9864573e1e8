import type { Version } from "../../../config/config.js";
import type { SecondLook } from "../../../snapshot/state.js";

/** Minimum age of a reading before its second look: nothing is expected to lag longer. */
export const secondLookAfterMs = 60_000;
/** Looks in a row that found a difference at one cv. */
export const looksInARow = 3;
/** The most looks that wait: the oldest are combined. */
const looksAtMost = 8;
/** The most stories that a look lists: more count as a full reading. */
const listedAtMost = 2_000;
/** How often the wait for a look doubles at most, while listed stories are still missing. */
const doublingsAtMost = 6;
/** How much older than the reading an edit may be whose effects lagged behind. */
const lagAtMostMs = 600_000;

/** The looks that are due. Pure. A time ahead of the server's comes from a wrong clock. */
export function dueLooks(looks: readonly SecondLook[], nowMs: number): SecondLook[] {
  return looks.filter((look) => nowMs < look.readAtMs || nowMs >= dueAtMs(look));
}

/** By the server's clock (ms): a minute after; for missing stories twice as long each time, an hour at most. Pure. */
export function dueAtMs({ readAtMs, inARow = 0 }: SecondLook): number {
  return readAtMs + secondLookAfterMs * 2 ** Math.min(Math.max(0, inARow - looksInARow), doublingsAtMost);
}

/** Combines the youngest, which wait as the youngest of them does: older ones come due in time. Pure. */
export function boundedLooks(looks: readonly SecondLook[]): SecondLook[] {
  if (looks.length <= looksAtMost) return [...looks];
  const inOrder = [...looks].sort((a, b) => a.readAtMs - b.readAtMs);
  const youngest = inOrder.splice(looksAtMost - 1);
  const stories: SecondLook["stories"] = {};
  for (const look of youngest) {
    for (const [version, uuids] of Object.entries(look.stories)) {
      stories[version] = [...new Set([...(stories[version] ?? []), ...uuids])].sort();
    }
  }
  const count = Object.values(stories).reduce((sum, uuids) => sum + uuids.length, 0);
  const readAtMs = Math.max(...youngest.map((look) => look.readAtMs));
  const sinceMs = youngest.flatMap(({ datedSinceMs }) => datedSinceMs ?? []);
  const isListed = count <= listedAtMost;
  const firstMs = Math.min(...youngest.map((look) => look.readAtMs)) - lagAtMostMs;
  const datedSinceMs = isListed && sinceMs.length === 0 ? null : Math.min(firstMs, ...sinceMs);
  return [...inOrder, { readAtMs, stories: isListed ? stories : {}, datedSinceMs }];
}

export interface ReadStories {
  uuids: readonly string[];
  /** True if all were read. Then only those are listed whose answer may have been stale. */
  all: boolean;
}

/** The look that a reading needs. Pure. @param startedMs when the reading began */
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

/** The rest of a look once enough found a difference: the stories still missing, by version. */
export function lookForMissing(
  { readAtMs, inARow }: SecondLook,
  missing: ReadonlyMap<Version, readonly string[]>,
): SecondLook | undefined {
  const stories = Object.fromEntries([...missing].map(([version, uuids]) => [version, [...uuids].sort()]));
  const isWanted = Object.values(stories).some(({ length }) => length > 0);
  return isWanted ? { readAtMs, stories, datedSinceMs: null, inARow } : undefined;
}

import type { Version } from "../../../config/config.js";
import type { SecondLook } from "../../../snapshot/state.js";

/** How old a reading has to be before it is looked at again: no part of the interface is expected to lag so far. */
export const secondLookAfterMs = 60_000;
/** Looks one after the other that found something else at one cv. */
export const looksInARow = 3;
/** Looks that wait at most: older ones are taken together. */
const looksAtMost = 8;
/** Stories that a look lists at most: more are a reading of everything. */
const listedAtMost = 2_000;
/** The longest wait for a look in which listed stories are still missing: it doubles up to this many times. */
const doublingsAtMost = 6;
/** How far before the reading an edit may lie whose traces lagged behind. */
const lagAtMostMs = 600_000;

/** The looks whose time has come. Pure. A time ahead of the server's comes from a clock that was wrong. */
export function dueLooks(looks: readonly SecondLook[], nowMs: number): SecondLook[] {
  return looks.filter((look) => nowMs < look.readAtMs || nowMs >= dueAtMs(look));
}

/**
 * When a look is due, in milliseconds since the epoch by the server's clock: a minute after the reading. A look that goes on
 * for stories which are still missing waits twice as long each time, an hour at most. Pure.
 */
export function dueAtMs({ readAtMs, inARow = 0 }: SecondLook): number {
  return readAtMs + secondLookAfterMs * 2 ** Math.min(Math.max(0, inARow - looksInARow), doublingsAtMost);
}

/**
 * The looks in a bounded number: the youngest are taken together, and wait as long as the youngest of them. Older ones come
 * due in their time, however often something is read. Pure.
 */
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

/** The stories of one version that a sync has read. */
export interface ReadStories {
  uuids: readonly string[];
  /** Whether all were read. Then only those are listed whose answer may have been of another moment. */
  all: boolean;
}

/** The look that a reading calls for. Pure. @param startedMs when the reading began */
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

/**
 * What is left of a look once enough of them have found something else: the stories that are still missing. Pure.
 * @param missing by version
 * @returns undefined where none is missing
 */
export function lookForMissing(
  { readAtMs, inARow }: SecondLook,
  missing: ReadonlyMap<Version, readonly string[]>,
): SecondLook | undefined {
  const stories = Object.fromEntries([...missing].map(([version, uuids]) => [version, [...uuids].sort()]));
  const isWanted = Object.values(stories).some(({ length }) => length > 0);
  return isWanted ? { readAtMs, stories, datedSinceMs: null, inARow } : undefined;
}

/** Rounds until a crawl gives up on a space that keeps changing. */
export const roundsAtMost = 5;
/** Rounds before a crawl settles for an interval: the first may simply have met an edit. */
const roundsAtLeast = 2;

export interface UncleanRounds {
  rounds: number;
  /** True if the last one read all of the index and requested every story that it should. */
  isComplete: boolean;
  /** True if every story was read under a row that one of the rounds has swept. */
  isRead: boolean;
}

/**
 * True if the stage is the space as it was during an interval, from first to last cv: every record
 * fits a row swept in it, and a story is removed only if it was requested and is absent. So one
 * that was there throughout is missing only if every round's index lacked it. Pure.
 */
export function coversInterval({ rounds, isComplete, isRead }: UncleanRounds): boolean {
  return rounds >= roundsAtLeast && isComplete && isRead;
}

/** Unclean rounds in a row at this cv by earlier syncs: an edge may have all answers. Pure. */
export function roundsTried(staged: { cv: number | null; rounds: number } | undefined, cv: number | null): number {
  return staged !== undefined && cv !== null && staged.cv === cv ? staged.rounds : 0;
}

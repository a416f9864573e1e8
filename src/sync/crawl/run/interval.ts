/** Rounds until a crawl gives up on a space that keeps changing. */
export const roundsAtMost = 5;
/** Rounds that a crawl takes at least before it settles for an interval: the first may simply have met an edit. */
const roundsAtLeast = 2;

/** What the rounds of a crawl have come to, none of which was clean. */
export interface UncleanRounds {
  rounds: number;
  /** Whether the last one read all of the index, and asked for every story that it should. */
  isComplete: boolean;
  /** Whether every story was read under a row that one of the rounds has swept. */
  isRead: boolean;
}

/**
 * Whether what is staged is the space as it was during an interval, from the cv of the first round to that of the last:
 * every record fits a row that was swept meanwhile, and a story was removed only where it was asked for and is absent.
 * What was there throughout would have to be missing from the index of every round to be missing here. Pure.
 */
export function coversInterval({ rounds, isComplete, isRead }: UncleanRounds): boolean {
  return rounds >= roundsAtLeast && isComplete && isRead;
}

/** The rounds in a row that earlier syncs took at this cv, none clean: an edge may have the answers of all. Pure. */
export function roundsTried(staged: { cv: number | null; rounds: number } | undefined, cv: number | null): number {
  return staged !== undefined && cv !== null && staged.cv === cv ? staged.rounds : 0;
}

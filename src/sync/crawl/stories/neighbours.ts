import type { StoryHead } from "../../../contract/records.js";

/**
 * Ids of the stories that share a group with one that differs. Renaming or unpublishing a story changes the alternates of
 * its neighbours, and no row of theirs shows it. Pure.
 * @param before The story as it is staged; undefined where it is new.
 * @param now The story as it was answered; undefined where it is gone.
 */
export function neighbourIds(before: StoryHead | undefined, now: StoryHead | undefined): number[] {
  return [...(before?.alternates ?? []), ...(now?.alternates ?? [])].map(({ id }) => id);
}

/** The stories of a round, by uuid. */
export interface RoundStories {
  /** Those that it asks for, answered or not. */
  asked: Pick<ReadonlySet<string>, "has">;
  /** Those that were answered. */
  answered: Pick<Set<string>, "has"> & { add(uuid: string): void };
}

/**
 * Whether a neighbour needs no request because of a story that differs. One that is asked for and not answered yet still
 * does: its request may fail, and no row of its own would show that it has to be asked for again. Pure.
 */
export function isReadAnyway(uuid: string, { answered }: RoundStories): boolean {
  return answered.has(uuid);
}

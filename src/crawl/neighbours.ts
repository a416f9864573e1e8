import type { StoryHead } from "../contract/records.js";

/**
 * Ids of the stories that share a group with one that differs. Renaming or unpublishing a story changes the alternates of
 * its neighbours, and no row of theirs shows it. Pure.
 * @param before The story as it is staged; undefined where it is new.
 * @param now The story as it was answered; undefined where it is gone.
 */
export function neighbourIds(before: StoryHead | undefined, now: StoryHead | undefined): number[] {
  return [...(before?.alternates ?? []), ...(now?.alternates ?? [])].map(({ id }) => id);
}

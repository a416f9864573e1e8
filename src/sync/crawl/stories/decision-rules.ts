import type { StoryHead } from "../../../contract/records.js";
import { defaultLanguage } from "../../../snapshot/base-edition.js";
import { askedTypes } from "../run/editions.js";
import { type IndexView, isUnpublishedIn, type StoryAnswer } from "./verdict.js";

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

/**
 * Whether the index lists a story that the default language lacks, with no filter to explain it. Such a story is probably on
 * its way: it stays in the second look until it comes or its row goes. Pure.
 */
export function isMissing({ row, editions, records }: StoryAnswer, { include }: Pick<IndexView, "include">): boolean {
  if (row === undefined || row.value.published === false || askedTypes(include).length > 0) return false;
  return editions.some(({ language }, at) => language === defaultLanguage && records[at] === undefined);
}

/**
 * Whether an edition lacks a listed story that is staged there. The index shows no reason, so the answer may be wrong:
 * whoever goes on from this stage asks for the story again. Pure.
 */
export function hasLostRecord({
  row,
  editions,
  records,
  stagedRecords,
}: StoryAnswer & { stagedRecords: readonly (string | undefined)[] }): boolean {
  if (row === undefined) return false;
  return editions.some(
    (edition, at) =>
      records[at] === undefined && stagedRecords[at] !== undefined && !isUnpublishedIn(row.value, edition),
  );
}

import type { StoryHead } from "../../../contract/records.js";
import { defaultLanguage } from "../../../snapshot/base-edition.js";
import { askedTypes } from "../run/editions.js";
import { type IndexView, isUnpublishedIn, type StoryAnswer } from "./verdict.js";

/**
 * Ids of the stories that share a group with one that differs. Renaming or unpublishing a story
 * changes the alternates of its neighbours, but not their rows. Pure.
 * @param before the staged story; undefined if it is new
 * @param now the story as answered; undefined if it is gone
 */
export function neighbourIds(before: StoryHead | undefined, now: StoryHead | undefined): number[] {
  return [...(before?.alternates ?? []), ...(now?.alternates ?? [])].map(({ id }) => id);
}

export interface RoundStories {
  /** All that it requests, answered or not. */
  asked: Pick<ReadonlySet<string>, "has">;
  answered: Pick<Set<string>, "has"> & { add(uuid: string): void };
}

/**
 * True if a changed story's neighbour was answered in this round. Requested is not enough: the
 * request may fail, and its row would not show that it must be repeated. Pure.
 */
export function isReadAnyway(uuid: string, { answered }: RoundStories): boolean {
  return answered.has(uuid);
}

/**
 * True if the index lists a story that the default language lacks, with no filter to explain it. It
 * is probably about to appear: it stays in the second look until it comes or its row goes. Pure.
 */
export function isMissing({ row, editions, records }: StoryAnswer, { include }: Pick<IndexView, "include">): boolean {
  if (row === undefined || row.value.published === false || askedTypes(include).length > 0) return false;
  return editions.some(({ language }, at) => language === defaultLanguage && records[at] === undefined);
}

/**
 * True if an edition lacks a listed story that is staged there. The index shows no reason, so the
 * answer may be wrong: a sync that continues from this stage requests the story again. Pure.
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

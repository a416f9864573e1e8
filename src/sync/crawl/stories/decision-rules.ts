import type { StoryHead } from "../../../contract/records.js";
import { defaultLanguage } from "../../../snapshot/manifest.js";
import { askedTypes } from "../run/editions.js";
import { type IndexView, isUnpublishedIn, type StoryAnswer } from "./verdict.js";

/** Renaming or unpublishing a story changes the alternates of its neighbours, but not their rows. Pure. */
export function neighbourIds(before: StoryHead | undefined, now: StoryHead | undefined): number[] {
  return [...(before?.alternates ?? []), ...(now?.alternates ?? [])].map(({ id }) => id);
}

export interface RoundStories {
  /** All that it requests, answered or not. */
  asked: Pick<ReadonlySet<string>, "has">;
  answered: Pick<Set<string>, "has"> & { add(uuid: string): void };
}

/** Requested is not enough: the request may fail, and no row would show that it must be repeated. Pure. */
export function isReadAnyway(uuid: string, { answered }: RoundStories): boolean {
  return answered.has(uuid);
}

/** Listed, but the default language lacks it, unfiltered: in the second look until it comes or its row goes. Pure. */
export function isMissing({ row, editions, records }: StoryAnswer, { include }: Pick<IndexView, "include">): boolean {
  if (row === undefined || row.value.published === false || askedTypes(include).length > 0) return false;
  return editions.some(({ language }, at) => language === defaultLanguage && records[at] === undefined);
}

/** The index shows no reason, so the answer may be wrong: a sync from this stage requests it again. Pure. */
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

import { defaultLanguage } from "../../../snapshot/base-edition.js";
import { askedTypes } from "../run/story-query.js";
import { type IndexView, isUnpublishedIn, type StoryAnswer } from "./verdict.js";

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

import type { TagRecord } from "../contract/records.js";

/**
 * Tags whose number of stories changed by something else than the stories that were read: renamed, merged or deleted in
 * the space, which touches no line of the index.
 * @param before The tags as they were listed when everything else was read.
 * @param after The tags as they are listed now.
 * @param explained By tag: how many more of the stories that were read since carry it.
 * @param partial Not all of the space is read: stories outside move the numbers too, so that only a tag that came or
 * went counts.
 * @returns names in code-unit order
 */
export function unexplainedTags(
  before: readonly TagRecord[],
  after: readonly TagRecord[],
  explained: ReadonlyMap<string, number>,
  partial: boolean,
): string[] {
  const old = new Map(before.map((tag) => [tag.name, tag.taggings_count]));
  const now = new Map(after.map((tag) => [tag.name, tag.taggings_count]));
  const names = new Set([...old.keys(), ...now.keys(), ...explained.keys()]);
  return [...names]
    .filter((name) => (now.get(name) ?? 0) - (old.get(name) ?? 0) !== (explained.get(name) ?? 0))
    .filter((name) => !partial || !old.has(name) || !now.has(name))
    .sort();
}

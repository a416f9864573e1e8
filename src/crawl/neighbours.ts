import type { StoryRecord, TagRecord } from "../contract/records.js";
import type { Index } from "./index-row.js";

/**
 * Stories that share their group with a changed or vanished story: its `alternates`, before and now. Their own lines
 * do not change when a neighbour is renamed or unpublished, but their `alternates` do.
 * @returns uuids in code-unit order, without those in `asked`.
 */
export function groupNeighbours(stories: Iterable<StoryRecord>, index: Index, asked: ReadonlySet<string>): string[] {
  const ids = new Set<number>();
  for (const story of stories) {
    for (const alternate of story.alternates ?? []) ids.add(alternate.id);
  }
  if (ids.size === 0) return [];
  const uuids: string[] = [];
  for (const row of index.values()) {
    if (ids.has(row.id) && !row.isFolder && !asked.has(row.uuid)) uuids.push(row.uuid);
  }
  return uuids.sort();
}

/**
 * Tags whose number of stories changed by something else than the stories that were read: renamed, merged or deleted in
 * the space, which touches no line of the index.
 * @param before the tags as stored; @param after as listed now
 * @param changes the stories that were read, as they were and as they are; undefined: absent
 */
export function unexplainedTags(
  before: readonly TagRecord[],
  after: readonly TagRecord[],
  changes: Iterable<{ before: StoryRecord | undefined; after: StoryRecord | undefined }>,
): string[] {
  const delta = new Map<string, number>();
  const add = (name: string, count: number) => delta.set(name, (delta.get(name) ?? 0) + count);
  for (const tag of before) add(tag.name, -tag.taggings_count);
  for (const tag of after) add(tag.name, tag.taggings_count);
  for (const change of changes) {
    for (const name of change.before?.tag_list ?? []) add(name, 1);
    for (const name of change.after?.tag_list ?? []) add(name, -1);
  }
  return [...delta.entries()]
    .filter(([, count]) => count !== 0)
    .map(([name]) => name)
    .sort();
}

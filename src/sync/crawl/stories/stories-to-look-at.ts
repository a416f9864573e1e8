import type { Version } from "../../../config/config.js";
import { parseStory } from "../../../contract/parse-record.js";
import type { StoryHead } from "../../../contract/records.js";
import type { SecondLook } from "../../../snapshot/state.js";
import { type Index, type IndexRow, storyRows } from "../index/index-row.js";

/** The stories of one version, as a look finds them. */
export interface LookedAt {
  version: Version;
  rows: Index;
  /** The row of a story by its id. */
  rowOfId(id: number): IndexRow | undefined;
  /** The staged records of some stories in the base edition. */
  records(uuids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>>;
  neighbourIds(before: StoryHead | undefined, now: StoryHead | undefined): number[];
}

/** The listed stories that second looks ask for. */
export async function storiesToLookAt(space: LookedAt, looks: readonly SecondLook[]): Promise<Set<string>> {
  const { version, rows } = space;
  const listed = looks.flatMap(({ stories }) => stories[version] ?? []);
  const found = new Set(listed.filter((uuid) => rows.get(uuid)?.isFolder === false));
  const dated = looks.flatMap(({ datedSinceMs }) => datedSinceMs ?? []);
  if (dated.length > 0) for (const uuid of await datedStories(space, Math.min(...dated))) found.add(uuid);
  return found;
}

/** Whether a story has the row that it was read under. Pure. */
export function isSeenAgain(row: Pick<IndexRow, "text"> | undefined, staged: { text: string } | undefined): boolean {
  return row?.text === staged?.text;
}

/** Stories whose row is dated since then, with their neighbours, whose rows need not be. */
async function datedStories(space: LookedAt, sinceMs: number): Promise<Set<string>> {
  const found = new Set<string>();
  for (const row of storyRows(space.rows)) if (lastDateMs(row) >= sinceMs) found.add(row.uuid);
  const records = await space.records(found);
  for (const line of records.values()) {
    for (const id of space.neighbourIds(parseStory(line), undefined)) {
      const uuid = space.rowOfId(id)?.uuid;
      if (uuid !== undefined) found.add(uuid);
    }
  }
  return found;
}

/** Milliseconds since the epoch; NaN where the index has no date that can be read. */
function lastDateMs({ publishedAt, updatedAt }: IndexRow): number {
  const dates = [publishedAt, updatedAt].map((date) => Date.parse(date ?? "")).filter((ms) => !Number.isNaN(ms));
  return dates.length === 0 ? Number.NaN : Math.max(...dates);
}

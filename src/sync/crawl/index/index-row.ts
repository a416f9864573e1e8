import type { SparseLink } from "../../../contract/records.js";

/** One row of the index: what the crawl compares, and the whole row as it is stored. */
export interface IndexRow {
  uuid: string;
  /** Undefined where the row tells none. */
  id: number | undefined;
  /** Canonical JSON of the link: every difference in it counts, alternates included. */
  text: string;
  /** The same, parsed. */
  readonly value: SparseLink;
  isFolder: boolean;
  /** Full slug; a start page's trailing slash may be missing here. Undefined where the row tells none. */
  slug: string | undefined;
  /** 0 at the root; undefined where the row tells something else than an id. */
  parentId: number | undefined;
  /** Undefined where the listing has no dates. */
  publishedAt: string | null | undefined;
  updatedAt: string | null | undefined;
}

/** The index of one version: uuid → row. */
export interface Index extends ReadonlyMap<string, IndexRow> {
  /** The uuids of its stories, where that takes less than looking at every row. */
  storyUuids?(): Iterable<string>;
}

/** The rows that are stories, in the order of the index. */
export function* storyRows(index: Index): Generator<IndexRow> {
  for (const row of index.values()) if (!row.isFolder) yield row;
}

/** Their uuids. */
export function* storyUuids(index: Index): Generator<string> {
  if (index.storyUuids !== undefined) yield* index.storyUuids();
  else for (const { uuid, isFolder } of index.values()) if (!isFolder) yield uuid;
}

export function countStories(index: Index): number {
  let stories = 0;
  for (const { isFolder } of index.values()) if (!isFolder) stories++;
  return stories;
}

/** The folder of a row or story: 0 at the root, which null and none are too; undefined where it holds no id. */
export function parentOf(record: Pick<SparseLink, "parent_id">): number | undefined {
  return Object.hasOwn(record, "parent_id") ? (record.parent_id === null ? 0 : record.parent_id) : 0;
}

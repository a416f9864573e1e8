import type { SparseLink } from "../../../contract/records.js";

/** One row of the index: the whole row as stored, and the fields that the crawl compares. */
export interface IndexRow {
  uuid: string;
  id: number | undefined;
  /** Canonical JSON of the link: every difference counts, including alternates. */
  text: string;
  /** {@link text}, parsed. */
  readonly value: SparseLink;
  isFolder: boolean;
  /** Full slug; a start page may lack its trailing slash. Undefined if the row has none. */
  slug: string | undefined;
  /** Undefined if the listing has no dates. */
  publishedAt: string | null | undefined;
  updatedAt: string | null | undefined;
}

/** Rows by uuid. */
export type Rows<R> = Pick<ReadonlyMap<string, R>, "size" | "get" | "has" | "keys" | "values" | typeof Symbol.iterator>;

/** The index of one version. */
export interface Index extends Rows<IndexRow> {
  /** The uuids of its stories, if that is cheaper than iterating over the rows. */
  storyUuids?(): Iterable<string>;
}

export function* storyRows(index: Index): Generator<IndexRow> {
  for (const row of index.values()) if (!row.isFolder) yield row;
}

export function* storyUuids(index: Index): Generator<string> {
  if (index.storyUuids !== undefined) yield* index.storyUuids();
  else for (const { uuid, isFolder } of index.values()) if (!isFolder) yield uuid;
}

export function countStories(index: Index): number {
  let stories = 0;
  for (const { isFolder } of index.values()) if (!isFolder) stories++;
  return stories;
}

/** The folder of a row or story: 0 at the root or if missing; undefined if it is not an id. */
export function parentOf(record: Pick<SparseLink, "parent_id">): number | undefined {
  return Object.hasOwn(record, "parent_id") ? (record.parent_id === null ? 0 : record.parent_id) : 0;
}

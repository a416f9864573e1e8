import type { LinkRecord } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";

/** One row of the index: what the crawl compares, and the whole row as it is stored. */
export interface IndexRow {
  uuid: string;
  id: number;
  /** Canonical JSON of the link: every difference in it counts, alternates included. */
  text: string;
  isFolder: boolean;
  /** Full slug; a start page's trailing slash may be missing here. */
  slug: string;
  /** 0 at the root. */
  parentId: number;
  /** Undefined where the listing has no dates. */
  publishedAt: string | null | undefined;
  updatedAt: string | null | undefined;
}

/** The index of one version: uuid → row. */
export type Index = ReadonlyMap<string, IndexRow>;

/** The rows that are stories, in the order of the index. */
export function* storyRows(index: Index): Generator<IndexRow> {
  for (const row of index.values()) if (!row.isFolder) yield row;
}

/** Their uuids. */
export function* storyUuids(index: Index): Generator<string> {
  for (const { uuid, isFolder } of index.values()) if (!isFolder) yield uuid;
}

export function countStories(index: Index): number {
  let stories = 0;
  for (const { isFolder } of index.values()) if (!isFolder) stories++;
  return stories;
}

export function indexRow(link: RecordText<LinkRecord>): IndexRow {
  const { uuid, id, is_folder, slug, parent_id, published_at, updated_at } = link.value;
  return {
    uuid,
    id,
    text: link.text,
    isFolder: is_folder,
    slug,
    parentId: parent_id ?? 0,
    publishedAt: published_at,
    updatedAt: updated_at,
  };
}

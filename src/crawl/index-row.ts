import { parseLink } from "../contract/parse-record.js";
import type { SparseLink } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";

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

/** A row that does not say that it is a folder may be a story, and is asked for. */
export function indexRow(link: RecordText<SparseLink>): IndexRow {
  return new ReadRow(link);
}

/** A class: an object literal with a getter takes several times as long, and every row of a first sync is one. */
class ReadRow implements IndexRow {
  readonly uuid: string;
  readonly id: number | undefined;
  readonly text: string;
  readonly isFolder: boolean;
  readonly slug: string | undefined;
  readonly parentId: number | undefined;
  readonly publishedAt: string | null | undefined;
  readonly updatedAt: string | null | undefined;

  constructor({ text, value }: RecordText<SparseLink>) {
    this.uuid = value.uuid;
    this.id = value.id ?? undefined;
    this.text = text;
    this.isFolder = value.is_folder === true;
    this.slug = value.slug ?? undefined;
    this.parentId = parentOf(value);
    this.publishedAt = value.published_at;
    this.updatedAt = value.updated_at;
  }

  /** Of many rows the text alone is kept. */
  get value(): SparseLink {
    return parseLink(this.text);
  }
}

/** The folder of a row or story: 0 at the root, which null and none are too; undefined where it holds no id. */
export function parentOf(record: Pick<SparseLink, "parent_id">): number | undefined {
  return Object.hasOwn(record, "parent_id") ? (record.parent_id === null ? 0 : record.parent_id) : 0;
}

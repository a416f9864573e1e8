import type { ContentTypeSetting } from "../../config/config.js";
import type {
  AssetMetadataRecord,
  DatasourceEntryRecord,
  DatasourceRecord,
  LinkRecord,
  SparseLink,
  StoryRecord,
} from "../../contract/records.js";
import type { AssetRecord, EditionEntry, Manifest, SpacePartRecord } from "../manifest.js";
import type { ListReaders } from "../part-kinds.js";

/** What a reference shows of a story. */
export interface StoryReference {
  uuid: string;
  id: number;
  name: string;
  slug: string;
  full_slug: string;
  /** Its real path, as upstream has it; absent if it has none. */
  path?: string | null;
  /** Name of the content type. */
  component: string;
  is_startpage: boolean;
}

/** One shard's bytes as stored, with the offset of each record. */
export interface ShardBytes {
  /** Equal hashes mean equal bytes in every generation. */
  hash: string;
  bytes: Uint8Array;
  /** Start of record i; record i ends before `ends[i]`. Sorted by key. */
  starts: Uint32Array;
  ends: Uint32Array;
}

export interface RecordDigest {
  /** Of its canonical JSON. */
  bytes: number;
  /** `shortHash` of it. */
  digest: string;
}

export interface NumberOptions {
  /**
   * Keeps a number that a double prints differently (`1.10`, `12345678901234567890`) as an object
   * with its text, for `printExact`; default: the double.
   */
  exact: boolean;
}

/**
 * One generation in memory, by uuid, slug and path. Answers synchronously, and parses records
 * on demand. Invalid fields of records are undefined. Callers must not change records.
 */
export interface Reader extends ListReaders {
  readonly manifest: Manifest;
  /** The edition by name (`published/de`), or undefined. */
  edition(name: string): EditionEntry | undefined;
  /** An edition's story uuids in code-unit order; empty for an unknown edition. */
  uuids(edition: string): readonly string[];
  story(edition: string, uuid: string, numbers?: NumberOptions): StoryRecord | undefined;
  /** A story's canonical JSON: a view, not a copy. */
  storyBytes(edition: string, uuid: string): Uint8Array | undefined;
  /** What can be told of a story's record without reading it. */
  storyDigest(edition: string, uuid: string): RecordDigest | undefined;
  /** Slug, name and component of a story, without parsing its content again. */
  reference(edition: string, uuid: string): StoryReference | undefined;
  /** By full slug; finds a start page with and without its final slash. */
  uuidBySlug(edition: string, fullSlug: string): string | undefined;
  /** By the real path of a story; slashes at either end do not matter. */
  uuidByPath(edition: string, path: string): string | undefined;
  /** A row of a version's index. */
  link(version: string, uuid: string): SparseLink | undefined;
  /** A datasource's plain values or those of a dimension; undefined if not included. */
  entries(datasourceId: number, dimensionId: number | null): readonly Partial<DatasourceEntryRecord>[] | undefined;
  space(): SpacePartRecord | undefined;
  /** By the original's URL, absolute or protocol-relative. */
  asset(url: string): AssetRecord | undefined;
  assets(): readonly AssetRecord[];
  /** The upstream's metadata of an asset by id; undefined if not read. */
  assetMetadata(id: number, numbers?: NumberOptions): AssetMetadataRecord | undefined;
  /** A part's shards as bytes, in key order. A server answers with slices of them. */
  shards(part: string): readonly ShardBytes[];
}

/** An index row without the fields that change with every edit. */
export type LinkRow = Required<Pick<LinkRecord, "uuid" | "is_folder" | "is_startpage" | "parent_id">> & {
  [K in "id" | "name" | "slug"]: LinkRecord[K] | undefined;
};

/** A story's address in the index, which may have stories that no edition has. */
export interface IndexedAddress {
  full_slug: string;
  /** Its real path. */
  path: string | null;
  is_folder: boolean;
}

/** What renderers see of a generation; `notingReader` notes each call. */
export interface NotedReader
  extends Pick<
    Reader,
    "story" | "storyBytes" | "reference" | "uuidBySlug" | "uuidByPath" | "entries" | "asset" | "assetMetadata"
  > {
  /** `taxonomy/term/term`; undefined if no tree has the term. */
  termPath(id: string): string | undefined;
  datasource(id: number): DatasourceRecord | undefined;
  /** A version's index rows in key order. @param range see `LinkRange`; default: all of them */
  linkRows(version: string, range?: string): readonly LinkRow[];
  /** Where the index has a story. */
  indexedAt(version: string, uuid: string): IndexedAddress | undefined;
  /** The settings of a component in the configuration (`content.types`). */
  componentSetting(component: string): ContentTypeSetting | undefined;
  /** How the field of a component is used across the space, where enough values tell. */
  fieldUse(component: string, field: string): "option" | "prose" | undefined;
  /** The field of a content type that says when its stories appeared; undefined if none of its fields does. */
  dateField(component: string): string | undefined;
  /** Runs work that reads. `readAgain` notes the same reads again. */
  recorded<T>(work: () => T): { result: T; readAgain: () => void };
}

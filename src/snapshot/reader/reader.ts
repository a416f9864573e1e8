import type { ContentTypeSetting } from "../../config/config.js";
import type {
  AssetMetadataRecord,
  DatasourceEntryRecord,
  DatasourceRecord,
  ExperimentRecord,
  LinkRecord,
  SparseLink,
  StoryRecord,
  TagRecord,
} from "../../contract/records.js";
import type { AssetRecord, EditionEntry, Manifest, SpacePartRecord } from "../manifest.js";

/** What a reference to a story needs to show of it. */
export interface StoryReference {
  uuid: string;
  id: number;
  name: string;
  slug: string;
  full_slug: string;
  /** Name of the content type. */
  component: string;
  is_startpage: boolean;
}

/** The bytes of one shard as they lie on disk, with the place of each record. */
export interface ShardBytes {
  /** Hash of the shard: the same hash means the same bytes in every generation. */
  hash: string;
  bytes: Uint8Array;
  /** Start of record i; record i ends before `ends[i]`. Records are sorted by key. */
  starts: Uint32Array;
  ends: Uint32Array;
}

/** How the numbers of a record are read. */
export interface NumberOptions {
  /**
   * A number that a double prints in another way (`1.10`, `12345678901234567890`) becomes an object that keeps its
   * text, for `printExact`; default: the double.
   */
  exact: boolean;
}

/**
 * One generation of a snapshot in memory, by uuid, slug, id and type. Everything is answered synchronously from the
 * bytes that {@link openReader} loaded; a record is parsed when it is asked for. Records are values of upstream, with
 * undefined in place of fields that are none of their kind: callers never change them.
 */
export interface Reader {
  readonly manifest: Manifest;
  /** The edition of that name (`published/de`), or undefined. */
  edition(name: string): EditionEntry | undefined;
  /** Uuids of an edition's stories in code-unit order; empty for an unknown edition. */
  uuids(edition: string): readonly string[];
  story(edition: string, uuid: string, numbers?: NumberOptions): StoryRecord | undefined;
  /** The canonical JSON of a story as bytes: a view, not a copy. */
  storyBytes(edition: string, uuid: string): Uint8Array | undefined;
  /** Slug, name and component of a story, without parsing its content again. */
  reference(edition: string, uuid: string): StoryReference | undefined;
  /** By full slug; a start page is found with and without its trailing slash. */
  uuidBySlug(edition: string, fullSlug: string): string | undefined;
  uuidById(edition: string, id: number): string | undefined;
  /** Content type names of an edition in code-unit order. */
  components(edition: string): readonly string[];
  /** Variant stories of experiments, in uuid order. */
  variants(edition: string): readonly StoryRecord[];
  /** Rows of the index of a version, in uuid order. */
  links(version: string): readonly SparseLink[];
  link(version: string, uuid: string): SparseLink | undefined;
  /** In the order of the upstream; undefined where the part is not included. */
  datasources(): readonly DatasourceRecord[] | undefined;
  /** Entries of a datasource, its plain values or those of a dimension; undefined where they are not included. */
  entries(datasourceId: number, dimensionId: number | null): readonly Partial<DatasourceEntryRecord>[] | undefined;
  tags(version: string): readonly TagRecord[] | undefined;
  experiments(): readonly ExperimentRecord[] | undefined;
  space(): SpacePartRecord | undefined;
  /** By the original's URL, absolute or protocol-relative. */
  asset(url: string): AssetRecord | undefined;
  assets(): readonly AssetRecord[];
  /** The metadata record that the upstream has of an asset, by its id; undefined where it was not read. */
  assetMetadata(id: number, numbers?: NumberOptions): AssetMetadataRecord | undefined;
  /** The shards of a part as bytes, in key order. A server answers with slices of them. */
  shards(part: string): readonly ShardBytes[];
}

/** A row of the index without the fields that change with every edit. */
export type LinkRow = Required<Pick<LinkRecord, "uuid" | "is_folder" | "is_startpage" | "parent_id">> & {
  [K in "id" | "name" | "slug"]: LinkRecord[K] | undefined;
};

/** What renderers see of a generation: each call can be noted, see `notingReader`. */
export interface NotedReader
  extends Pick<Reader, "story" | "storyBytes" | "reference" | "uuidBySlug" | "entries" | "asset" | "assetMetadata"> {
  datasource(id: number): DatasourceRecord | undefined;
  linkRows(version: string): readonly LinkRow[];
  /** The settings of a content type or component in the configuration (`content.types`). */
  componentSetting(component: string): ContentTypeSetting | undefined;
  /** Runs work that reads. `readAgain` is noted as if the same had been asked for once more. */
  recorded<T>(work: () => T): { result: T; readAgain: () => void };
}

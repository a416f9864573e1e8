import type { Config } from "../../../config/config.js";
import type { TaxonomyTermRecord } from "../../../contract/records.js";
import type { AssetRecord, EditionEntry } from "../../../snapshot/manifest.js";
import type { LinkSettings, StoryAddress } from "../../resolve/link-pattern.js";
import type { RelationFields } from "../../resolve/relations.js";
import type { ShardFacts } from "./shard-facts.js";

/** What global rules know of a generation. */
export interface CheckedSpace {
  /** Those of one version, the default language first. */
  editions: readonly CheckedEdition[];
  assets: readonly AssetRecord[];
  /** Values of each datasource, by slug. */
  datasources: ReadonlyMap<string, ReadonlySet<string>>;
  /** The trees of terms; undefined if the snapshot has none. */
  terms: readonly TaxonomyTermRecord[] | undefined;
  settings: SpaceSettings;
  otherShapes(): Promise<readonly PartShape[]>;
  indexRows(uuids: readonly string[]): Promise<ReadonlyMap<string, { isPublished: boolean; isFolder: boolean }>>;
  /** The position of the story that was at a slug in an earlier generation that is kept. */
  movedFrom(edition: CheckedEdition, slug: string): Promise<number | undefined>;
}

export interface PartShape {
  part: string;
  /** Of the shard's first record in the part. */
  start: number;
  faults: ShardFacts["shapeFaults"];
}

export interface SpaceSettings {
  relations: RelationFields;
  links: LinkSettings;
  include: Config["source"]["include"];
  assetBytes: number;
  /** The site's URL of a story. */
  url(story: StoryAddress, language: string): string;
}

/** The stories of one edition. A story is known by its position in it. */
export interface CheckedEdition {
  entry: EditionEntry;
  count: number;
  shards: readonly ShardOfEdition[];
  slug(at: number): string;
  /** The site's URL of a story. */
  url(at: number): string;
  isHome(at: number): boolean;
  uuid(at: number): string;
  /** `numberHash` of its uuid. */
  uuidHash(at: number): number;
  /** Position of a story by the `numberHash` of its uuid. */
  find(uuidHash: number): number | undefined;
  /** Position of the story at this path of the site (without language); "": the home page. */
  atPath(path: string): number | undefined;
  /** Positions of stories that are at the path of an earlier one. */
  samePath(): readonly (readonly [at: number, first: number])[];
  /** How often each field is there, and how often it says something, by name, in the order in which they are first met. */
  fills(): ReadonlyMap<string, FieldCounts>;
  /** Calls `visit` for each relation and link to a story: `story` and `field` are positions in the shard. */
  eachNamedStory(visit: VisitNamedStory): void;
  /** Reads the content of stories again, to find the places. @throws OffprintError `SNAPSHOT_DAMAGED` */
  eachContent(positions: readonly number[], visit: (at: number, content: unknown) => void): Promise<void>;
}

export interface CheckedStory {
  edition: CheckedEdition;
  at: number;
}

export interface FieldCounts {
  present: number;
  filled: number;
}

/** @param to position of the story that is named; -1 where the edition does not have it */
export type VisitNamedStory = (
  shard: ShardOfEdition,
  story: number,
  field: number,
  kind: "relation" | "link",
  to: number,
) => void;

export interface ShardOfEdition {
  start: number;
  facts: ShardFacts;
}

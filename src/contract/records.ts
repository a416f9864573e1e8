/**
 * The types of the interface's records (seed sections 2.1 to 2.7, and a few more), which follow from their tables in
 * contract/record-table.ts. Only fields that this program relies on are required; others may be absent, because answers
 * from different years differ. Unlisted keys are kept.
 */

import type { RecordOf } from "./describe-record.js";
import type { Blok } from "./record-kinds.js";
import type {
  alternate,
  datasource,
  datasourceEntry,
  dimension,
  experiment,
  link,
  space,
  spaceInfo,
  story,
  storyMapping,
  tag,
  taxonomyTerm,
  translatedSlug,
  webhookEndpoint,
} from "./record-table.js";

export type { Blok };

/** Timestamps are ISO 8601 with milliseconds, in UTC. */
export type Timestamp = string;

/** One entry of a story's `alternates` (seed 2.1). */
export type Alternate = RecordOf<typeof alternate>;

/** One entry of a story's `translated_slugs` (seed 2.1). */
export type TranslatedSlug = RecordOf<typeof translatedSlug>;

/** Seed 2.1. */
export type StoryRecord = RecordOf<typeof story>;

/** The part of a story that a crawl needs; only the content type of its content is certain. */
export interface StoryHead extends Omit<StoryRecord, "content"> {
  content?: { component?: string };
}

/** A link that may lack fields. Its uuid alone shows that the story exists. */
export type SparseLink = RecordOf<typeof link>;

/** Seed 2.3; `slug` is the full slug. A folder is a link without a story. */
export type LinkRecord = SparseLink & Required<Pick<SparseLink, "id" | "slug" | "name" | "is_folder">>;

/** Seed 2.4. */
export type DatasourceRecord = RecordOf<typeof datasource>;

/** Seed 2.4. */
export type DimensionRecord = RecordOf<typeof dimension>;

type SparseEntry = RecordOf<typeof datasourceEntry>;

/** One row of a datasource. `dimension_value` is null without a dimension or translation. */
export type DatasourceEntryRecord = SparseEntry & Required<Omit<SparseEntry, "dimension_value">>;

/** Seed 2.5. */
export type ExperimentRecord = RecordOf<typeof experiment>;

/** Seed 2.5. The control variant replaces no story: its variant fields are null. */
export type StoryMapping = RecordOf<typeof storyMapping>;

/** A tag and how many stories have it. */
export type TagRecord = RecordOf<typeof tag>;

/** A taxonomy or one of its terms; the list of taxonomies has no `children`. */
export type TaxonomyTermRecord = RecordOf<typeof taxonomyTerm>;

/** What a delivery token can read (`spaces/me`). `version` is the cv; null in a snapshot. */
export type SpaceRecord = RecordOf<typeof space>;

/** Seed 2.6 without `owner`, which is dropped on arrival. */
export type SpaceInfoRecord = RecordOf<typeof spaceInfo>;

/** Seed 2.7 without possible secrets, which are dropped on arrival. */
export type WebhookEndpointRecord = RecordOf<typeof webhookEndpoint>;

/** Metadata of an asset, as `resolve_assets=1` delivers it. */
export interface AssetMetadataRecord {
  id: number;
  [key: string]: unknown;
}

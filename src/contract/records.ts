/**
 * The records of the interface (seed sections 2.1 to 2.7, and a few more). Each field has a row in
 * contract/record-table.ts. Only fields that this program relies on are required; others may be
 * absent, because answers from different years differ. Unlisted keys are kept.
 */

/** Timestamps are ISO 8601 with milliseconds, in UTC. */
export type Timestamp = string;

/** One entry of a story's `alternates` (seed 2.1). */
export interface Alternate {
  id: number;
  name?: string;
  slug?: string;
  published?: boolean | null;
  full_slug: string;
  is_folder?: boolean;
  parent_id?: number | null;
}

/** One entry of a story's `translated_slugs` (seed 2.1). */
export interface TranslatedSlug {
  path: string;
  name: string | null;
  lang: string;
  published: boolean | null;
}

/** A block or a story's content: `_uid` and `component`, then the fields of the content type. */
export interface Blok {
  _uid: string;
  component: string;
  [field: string]: unknown;
}

/** Seed 2.1. */
export interface StoryRecord {
  id: number;
  uuid: string;
  name: string;
  slug: string;
  full_slug: string;
  content?: Blok;
  created_at?: Timestamp;
  published_at?: Timestamp | null;
  first_published_at?: Timestamp | null;
  updated_at?: Timestamp | null;
  sort_by_date?: string | null;
  position?: number;
  tag_list?: string[];
  is_startpage?: boolean;
  parent_id?: number | null;
  meta_data?: Record<string, unknown> | null;
  group_id?: string;
  release_id?: number | null;
  lang?: string;
  path?: string | null;
  alternates?: Alternate[];
  default_full_slug?: string | null;
  translated_slugs?: TranslatedSlug[] | null;
  /** Beyond the seed: taxonomy terms of the story, where the space has taxonomies. */
  taxonomy_terms?: unknown;
}

/** The part of a story that a crawl needs; only the content type of its content is certain. */
export interface StoryHead extends Omit<StoryRecord, "content"> {
  content?: { component?: string };
}

/** Seed 2.3; `slug` is the full slug. A folder is a link without a story. */
export interface LinkRecord {
  id: number;
  uuid: string;
  slug: string;
  name: string;
  is_folder: boolean;
  path?: string | null;
  parent_id?: number | null;
  published?: boolean;
  is_startpage?: boolean;
  position?: number;
  real_path?: string;
  created_at?: Timestamp | null;
  updated_at?: Timestamp | null;
  published_at?: Timestamp | null;
  alternates?: LinkAlternate[];
}

/** A link that may lack fields. Its uuid alone shows that the story exists. */
export type SparseLink = Partial<LinkRecord> & Pick<LinkRecord, "uuid">;

/** One language of a link, where the space translates fields. */
export interface LinkAlternate {
  path: string;
  name?: string | null;
  lang: string;
  published?: boolean | null;
  translated_slug?: string | null;
}

/** Seed 2.4. */
export interface DatasourceRecord {
  id: number;
  name: string;
  slug: string;
  dimensions?: DimensionRecord[];
  created_at?: Timestamp;
  updated_at?: Timestamp;
}

/** Seed 2.4. */
export interface DimensionRecord {
  id: number;
  name: string;
  entry_value: string;
  datasource_id?: number;
  created_at?: Timestamp;
  updated_at?: Timestamp;
}

/** One row of a datasource. `dimension_value` is null without a dimension or translation. */
export interface DatasourceEntryRecord {
  id: number;
  name: string;
  value: string;
  dimension_value?: string | null;
}

/** Seed 2.5. */
export interface ExperimentRecord {
  id: number;
  name: string;
  display_name?: string;
  story_ids?: number[];
  variants?: ExperimentVariant[];
}

/** Seed 2.5. */
export interface ExperimentVariant {
  name: string;
  display_name?: string;
  public_id?: string;
  weight?: number;
  is_control?: boolean;
  story_mappings?: StoryMapping[];
}

/** Seed 2.5. The control variant replaces no story: its variant fields are null. */
export interface StoryMapping {
  original_story_id: number;
  original_slug?: string | null;
  variant_story_id?: number | null;
  variant_slug?: string | null;
}

/** A tag and how many stories have it. */
export interface TagRecord {
  name: string;
  taggings_count: number;
  tag_on_stories?: number;
}

/** What a delivery token can read (`spaces/me`). `version` is the cv; null in a snapshot. */
export interface SpaceRecord {
  id: number;
  name: string;
  domain?: string;
  version?: number | null;
  language_codes?: string[];
}

/** Seed 2.6 without `owner`, which is dropped on arrival. */
export interface SpaceInfoRecord {
  id: number;
  name: string;
  domain?: string;
  plan_level?: number;
  languages?: { code: string; name: string }[];
}

/** Seed 2.7 without possible secrets, which are dropped on arrival. */
export interface WebhookEndpointRecord {
  id: number;
  name?: string;
  space_id?: number;
  actions?: string[];
  activated?: boolean;
  created_at?: Timestamp;
  updated_at?: Timestamp;
  deleted_at?: Timestamp | null;
}

/** Metadata of an asset, as `resolve_assets=1` delivers it. */
export interface AssetMetadataRecord {
  id: number;
  [key: string]: unknown;
}

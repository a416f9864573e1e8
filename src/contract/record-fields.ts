import type { Origin } from "./endpoint.js";
import type {
  Alternate,
  DatasourceEntryRecord,
  DatasourceRecord,
  DimensionRecord,
  ExperimentRecord,
  ExperimentVariant,
  LinkAlternate,
  LinkRecord,
  SpaceInfoRecord,
  SpaceRecord,
  StoryMapping,
  StoryRecord,
  TagRecord,
  TranslatedSlug,
  WebhookEndpointRecord,
} from "./records.js";

/** What is said about one field; `beyond` marks one that the seed does not list. */
interface Field {
  readonly about: string;
  readonly beyond?: true;
}

/** The fields of one record, or of one object inside it. */
export interface RecordFields {
  /** Section of docs/interface-reference.md. */
  readonly section: string;
  readonly origin: Origin;
  /** Put before the field's name to name its row: `alternates.` */
  readonly prefix: string;
  /** Name of the type in contract/records.ts; null where the part is never kept. */
  readonly type: string | null;
  readonly fields: Readonly<Record<string, Field>>;
}

type FieldsOf<T> = { [K in keyof T]-?: Field };

const story: FieldsOf<StoryRecord> = {
  id: { about: "number" },
  uuid: { about: "uuid" },
  name: { about: "text" },
  slug: { about: "last part of the full slug" },
  full_slug: { about: "path and slug; a start page ends in a slash" },
  content: { about: "block of the content type: _uid, component and its fields" },
  created_at: { about: "timestamp" },
  published_at: { about: "timestamp; null before the first publication" },
  first_published_at: { about: "timestamp; null before the first publication" },
  updated_at: { about: "timestamp of the last saving; older answers lack it", beyond: true },
  sort_by_date: { about: "date or null" },
  position: { about: "number, may be negative" },
  tag_list: { about: "tags" },
  is_startpage: { about: "whether the story is the root of its folder" },
  parent_id: { about: "id of the folder; 0 or null at the root" },
  meta_data: { about: "object or null" },
  group_id: { about: "uuid that alternates share" },
  release_id: { about: "id of a release, or null" },
  lang: { about: "language of this answer, default for the base language" },
  path: { about: "real path, or null" },
  alternates: { about: "stories of the same group" },
  default_full_slug: { about: "full slug in the base language, or null" },
  translated_slugs: { about: "slugs in other languages, or null" },
  taxonomy_terms: { about: "taxonomy terms", beyond: true },
};

const alternates: FieldsOf<Alternate> = {
  id: { about: "number" },
  name: { about: "text" },
  slug: { about: "text" },
  published: { about: "flag, may be null" },
  full_slug: { about: "text" },
  is_folder: { about: "flag" },
  parent_id: { about: "number" },
};

const translatedSlugs: FieldsOf<TranslatedSlug> = {
  path: { about: "slug in that language" },
  name: { about: "text or null" },
  lang: { about: "language code" },
  published: { about: "flag or null" },
};

const contentValues: Readonly<Record<string, Field>> = {
  asset: { about: "object with fieldtype asset, id, filename, alt, focus and more; empty: id null" },
  options: { about: "array of values or uuids" },
  number: { about: "number, often as a text" },
  plugin: { about: "object with plugin and whatever the plugin keeps" },
  blocks: { about: "array of blocks" },
  datetime: { about: "yyyy-MM-dd HH:mm, or empty" },
  richtext: { about: "document of nodes and marks", beyond: true },
  multilink: { about: "object with fieldtype multilink and linktype", beyond: true },
  table: { about: "object with thead and tbody", beyond: true },
};

const link: FieldsOf<LinkRecord> = {
  id: { about: "number" },
  uuid: { about: "uuid" },
  slug: { about: "full slug" },
  path: { about: "real path or null" },
  parent_id: { about: "id of the folder; 0 or null at the root" },
  name: { about: "text" },
  is_folder: { about: "flag" },
  published: { about: "flag; false for a folder" },
  is_startpage: { about: "flag" },
  position: { about: "number" },
  real_path: { about: "path with a slash in front" },
  created_at: { about: "timestamp, only with include_dates=1" },
  updated_at: { about: "timestamp, only with include_dates=1" },
  published_at: { about: "timestamp, only with include_dates=1" },
  alternates: { about: "languages of the link, where fields are translated", beyond: true },
};

const linkAlternates: FieldsOf<LinkAlternate> = {
  path: { about: "text" },
  name: { about: "text or null" },
  lang: { about: "language code" },
  published: { about: "flag or null" },
  translated_slug: { about: "text or null" },
};

const datasource: FieldsOf<DatasourceRecord> = {
  id: { about: "number" },
  name: { about: "text" },
  slug: { about: "text" },
  dimensions: { about: "dimensions, may be empty" },
  created_at: { about: "timestamp", beyond: true },
  updated_at: { about: "timestamp", beyond: true },
};

const dimension: FieldsOf<DimensionRecord> = {
  id: { about: "number" },
  name: { about: "text" },
  entry_value: { about: "what the parameter dimension names" },
  datasource_id: { about: "number" },
  created_at: { about: "timestamp" },
  updated_at: { about: "timestamp" },
};

const experiment: FieldsOf<ExperimentRecord> = {
  id: { about: "number" },
  name: { about: "text" },
  display_name: { about: "text" },
  story_ids: { about: "ids of the original stories" },
  variants: { about: "variants" },
};

const variant: FieldsOf<ExperimentVariant> = {
  name: { about: "text" },
  display_name: { about: "text" },
  public_id: { about: "text" },
  weight: { about: "number" },
  is_control: { about: "whether it is the unchanged story" },
  story_mappings: { about: "which story stands for which" },
};

const storyMapping: FieldsOf<StoryMapping> = {
  original_story_id: { about: "number" },
  original_slug: { about: "text or null" },
  variant_story_id: { about: "number; null for a control" },
  variant_slug: { about: "text; null for a control" },
};

const spaceInfo: FieldsOf<SpaceInfoRecord> = {
  id: { about: "number" },
  name: { about: "text" },
  domain: { about: "URL" },
  plan_level: { about: "number" },
  languages: { about: "code and name of each" },
};

const languages: FieldsOf<NonNullable<SpaceInfoRecord["languages"]>[number]> = {
  code: { about: "text" },
  name: { about: "text" },
};

const webhookEndpoint: FieldsOf<WebhookEndpointRecord> = {
  id: { about: "number" },
  name: { about: "text" },
  space_id: { about: "number" },
  actions: { about: "events that it is told of" },
  activated: { about: "flag" },
  created_at: { about: "timestamp" },
  updated_at: { about: "timestamp" },
  deleted_at: { about: "timestamp or null" },
};

const datasourceEntry: FieldsOf<DatasourceEntryRecord> = {
  id: { about: "number" },
  name: { about: "key" },
  value: { about: "value without a dimension" },
  dimension_value: { about: "value in the dimension of the request, or null" },
};

const tag: FieldsOf<TagRecord> = {
  name: { about: "text" },
  taggings_count: { about: "how often it is used" },
  tag_on_stories: { about: "only with all_tags" },
};

const space: FieldsOf<SpaceRecord> = {
  id: { about: "number" },
  name: { about: "text" },
  domain: { about: "URL" },
  version: { about: "the current cv" },
  language_codes: { about: "languages beside the default one" },
};

/** The user object inside `owner`: never kept, so that all of it is one kind of field. */
const ownerFields = [
  ..."id email created_at updated_at access_token username role sso firstname lastname euid".split(" "),
  ..."encrypted_otp_secret encrypted_otp_secret_iv encrypted_otp_secret_salt consumed_timestep".split(" "),
  ..."otp_required_for_login login_strategy phone alt_email use_username organization org_id".split(" "),
  ..."org_role timezone disabled notified avatar deleted_at lang email_mapping partner_id".split(" "),
  ..."partner_role otp_secret preferences".split(" "),
];
const preferenceFields = [
  ..."job_role beta_user is_editor company_name job_function business_area".split(" "),
  ..."favourite_spaces track_statistics first_space_created".split(" "),
];

/** Every field of seed section 2, and those of the records beyond it. */
export const recordFields: readonly RecordFields[] = [
  group("2.1", "", "StoryRecord", story),
  group("2.1", "alternates.", "Alternate", alternates),
  group("2.1", "translated_slugs.", "TranslatedSlug", translatedSlugs),
  group("2.1", "content.", "Blok", contentValues),
  group("2.3", "", "LinkRecord", link),
  group("2.3", "alternates.", "LinkAlternate", linkAlternates, "documented"),
  group("2.4", "", "DatasourceRecord", datasource),
  group("2.4", "dimensions.", "DimensionRecord", dimension),
  group("2.5", "", "ExperimentRecord", experiment),
  group("2.5", "variants.", "ExperimentVariant", variant),
  group("2.5", "story_mappings.", "StoryMapping", storyMapping),
  group("2.6", "", "SpaceInfoRecord", spaceInfo),
  group("2.6", "languages.", "SpaceInfoRecord", languages),
  group("2.6", "owner.", null, dropped(ownerFields)),
  group("2.6", "owner.preferences.", null, dropped(preferenceFields)),
  group("2.7", "", "WebhookEndpointRecord", webhookEndpoint, "documented"),
  group("2.7", "", null, dropped(["description", "endpoint", "secret"]), "documented"),
  group("2.8", "", "DatasourceEntryRecord", datasourceEntry, "documented"),
  group("2.9", "", "TagRecord", tag, "documented"),
  group("2.10", "", "SpaceRecord", space, "documented"),
];

function group(
  section: string,
  prefix: string,
  type: string | null,
  fields: Readonly<Record<string, Field>>,
  origin: Origin = "seed",
): RecordFields {
  return { section, prefix, type, fields, origin };
}

function dropped(names: readonly string[]): Record<string, Field> {
  return Object.fromEntries(names.map((name) => [name, { about: "dropped where the answer is read" }]));
}

import type { JsonSchema } from "./codec.js";
import { recordFields } from "./record-fields.js";
import type {
  Alternate,
  DatasourceEntryRecord,
  DatasourceRecord,
  DimensionRecord,
  ExperimentRecord,
  ExperimentVariant,
  LinkRecord,
  SpaceInfoRecord,
  SpaceRecord,
  StoryMapping,
  StoryRecord,
  TagRecord,
  TranslatedSlug,
  WebhookEndpointRecord,
} from "./records.js";

type SchemasOf<T> = { [K in keyof T]-?: JsonSchema };

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const number = { type: "number" };
const id = { type: "integer", minimum: 0 };
const idOrNull = { type: ["integer", "null"], minimum: 0 };
const flag = { type: "boolean" };
const flagOrNull = { type: ["boolean", "null"] };
const uuid = { type: "string", pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" };
const timestamp = { type: "string", format: "date-time" };
const timestampOrNull = { type: ["string", "null"], format: "date-time" };
const objectOrNull = { type: ["object", "null"] };
const listOf = (items: JsonSchema) => ({ type: "array", items });
const listOrNull = (items: JsonSchema) => ({ type: ["array", "null"], items });
/** A reference to a schema of the OpenAPI document. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const story: SchemasOf<StoryRecord> = {
  id,
  uuid,
  name: text,
  slug: text,
  full_slug: text,
  content: schemaRef("Blok"),
  created_at: timestamp,
  published_at: timestampOrNull,
  first_published_at: timestampOrNull,
  updated_at: timestampOrNull,
  sort_by_date: textOrNull,
  position: number,
  tag_list: listOf(text),
  is_startpage: flag,
  parent_id: idOrNull,
  meta_data: objectOrNull,
  group_id: uuid,
  release_id: idOrNull,
  lang: text,
  path: textOrNull,
  alternates: listOf(schemaRef("Alternate")),
  default_full_slug: textOrNull,
  translated_slugs: listOrNull(schemaRef("TranslatedSlug")),
  taxonomy_terms: {},
};

const alternate: SchemasOf<Alternate> = {
  id,
  name: text,
  slug: text,
  published: flagOrNull,
  full_slug: text,
  is_folder: flag,
  parent_id: idOrNull,
};

const translatedSlug: SchemasOf<TranslatedSlug> = { path: text, name: textOrNull, lang: text, published: flagOrNull };

const link: SchemasOf<LinkRecord> = {
  id,
  uuid,
  slug: text,
  name: text,
  is_folder: flag,
  path: textOrNull,
  parent_id: idOrNull,
  published: flag,
  is_startpage: flag,
  position: number,
  real_path: text,
  created_at: timestampOrNull,
  updated_at: timestampOrNull,
  published_at: timestampOrNull,
  alternates: listOf({ type: "object" }),
};

const datasource: SchemasOf<DatasourceRecord> = {
  id,
  name: text,
  slug: text,
  dimensions: listOf(schemaRef("Dimension")),
  created_at: timestamp,
  updated_at: timestamp,
};

const dimension: SchemasOf<DimensionRecord> = {
  id,
  name: text,
  entry_value: text,
  datasource_id: id,
  created_at: timestamp,
  updated_at: timestamp,
};

const datasourceEntry: SchemasOf<DatasourceEntryRecord> = { id, name: text, value: text, dimension_value: textOrNull };

const experiment: SchemasOf<ExperimentRecord> = {
  id,
  name: text,
  display_name: text,
  story_ids: listOf(id),
  variants: listOf(schemaRef("Variant")),
};

const variant: SchemasOf<ExperimentVariant> = {
  name: text,
  display_name: text,
  public_id: text,
  weight: number,
  is_control: flag,
  story_mappings: listOf(schemaRef("StoryMapping")),
};

const storyMapping: SchemasOf<StoryMapping> = {
  original_story_id: id,
  original_slug: textOrNull,
  variant_story_id: idOrNull,
  variant_slug: textOrNull,
};

const tag: SchemasOf<TagRecord> = { name: text, taggings_count: id, tag_on_stories: id };

const space: SchemasOf<SpaceRecord> = {
  id,
  name: text,
  domain: text,
  version: idOrNull,
  language_codes: listOf(text),
};

const language = { type: "object", required: ["code", "name"], properties: { code: text, name: text } };

const spaceInfo: SchemasOf<SpaceInfoRecord> & { owner: JsonSchema } = {
  id,
  name: text,
  domain: text,
  plan_level: number,
  languages: listOf(language),
  owner: { type: "object" },
};

const webhookEndpoint: SchemasOf<WebhookEndpointRecord> = {
  id,
  name: text,
  space_id: id,
  actions: listOf(text),
  activated: flag,
  created_at: timestamp,
  updated_at: timestamp,
  deleted_at: timestampOrNull,
};

/**
 * The schema of each record, by the name that the OpenAPI document gives it. Required are the fields that seed section 2
 * lists (and those of the records beyond it that are always there), unless they come only when they are asked for.
 */
export const recordSchemas: Readonly<Record<string, JsonSchema>> = {
  Story: recordSchema("StoryRecord", story),
  Blok: {
    type: "object",
    description: "A block, or the content of a story; what else it has depends on the component.",
    required: ["_uid", "component"],
    properties: { _uid: text, component: text },
  },
  Alternate: recordSchema("Alternate", alternate),
  TranslatedSlug: recordSchema("TranslatedSlug", translatedSlug),
  Link: recordSchema("LinkRecord", link, ["created_at", "updated_at", "published_at"]),
  LinkedStory: {
    type: "object",
    description: "The least of a linked story: resolve_links=url.",
    required: ["id", "name", "slug", "full_slug", "url", "uuid"],
    properties: { id, name: text, slug: text, full_slug: text, url: text, uuid },
  },
  Datasource: recordSchema("DatasourceRecord", datasource),
  Dimension: recordSchema("DimensionRecord", dimension, ["datasource_id", "created_at", "updated_at"]),
  DatasourceEntry: recordSchema("DatasourceEntryRecord", datasourceEntry),
  Experiment: recordSchema("ExperimentRecord", experiment),
  Variant: recordSchema("ExperimentVariant", variant, ["display_name"]),
  StoryMapping: recordSchema("StoryMapping", storyMapping),
  Tag: recordSchema("TagRecord", tag, ["tag_on_stories"]),
  Space: recordSchema("SpaceRecord", space),
  SpaceInfo: recordSchema("SpaceInfoRecord", spaceInfo),
  WebhookEndpoint: recordSchema("WebhookEndpointRecord", webhookEndpoint, [
    ..."name space_id actions activated created_at updated_at deleted_at".split(" "),
  ]),
  AssetMetadata: {
    type: "object",
    description: "An asset of the answer's stories: resolve_assets=1.",
    required: [
      "id",
      "content_type",
      "content_length",
      "alt",
      "title",
      "copyright",
      "focus",
      "s3_filename",
      "meta_data",
    ],
    properties: { id, s3_filename: text, meta_data: objectOrNull },
  },
};

function recordSchema(
  type: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const fields = recordFields.find((record) => record.type === type && !record.prefix.includes("languages"))?.fields;
  const described = Object.entries(properties).map(([name, schema]) => {
    const about = fields?.[name]?.about;
    return [name, about === undefined || "$ref" in schema ? schema : { description: about, ...schema }];
  });
  const required = Object.keys(properties).filter((name) => !fields?.[name]?.beyond && !optional.includes(name));
  return { type: "object", required, properties: Object.fromEntries(described) };
}

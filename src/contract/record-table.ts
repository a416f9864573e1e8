import { list as checkedListOf, orNull as nullable } from "../lib/shape.js";
import {
  at,
  checked,
  describeRecord,
  dropped,
  type FieldTable,
  needed,
  type RecordTable,
  unchecked,
} from "./describe-record.js";
import { type Blok, kinds, listOf, objectOf, schemaRef } from "./record-kinds.js";
import { redactedOwner, redactedWebhookFields } from "./redacted-records.js";

const { id, uuid, groupId, termId, text, name, number, flag, timestamp, anything } = kinds;
const beyond = { beyond: true } as const;
const sometimes = { sometimes: true } as const;

export const alternate = describeRecord(at("2.1", "Alternate", { prefix: "alternates.", component: "Alternate" }), {
  id: needed(id, "number"),
  name: checked(text, "text"),
  slug: unchecked(text, "text"),
  published: unchecked(nullable(flag), "flag, may be null"),
  full_slug: needed(text, "text"),
  is_folder: unchecked(flag, "flag"),
  parent_id: unchecked(nullable(id), "number"),
});

export const translatedSlug = describeRecord(
  at("2.1", "TranslatedSlug", { prefix: "translated_slugs.", component: "TranslatedSlug" }),
  {
    path: needed(text, "slug in that language"),
    name: needed(nullable(text), "text or null"),
    lang: needed(text, "language code"),
    published: needed(nullable(flag), "flag or null"),
  },
);

/** A term as a story carries it. Its ids are above 2^53, and so texts. */
const storyTerm = describeRecord(
  at("2.1", "StoryTerm", { prefix: "taxonomy_terms.", component: "StoryTerm", origin: "documented" }),
  {
    id: needed(termId, "id, as text"),
    name: needed(text, "name that parameters use"),
    display_name: unchecked(text, "name for readers", sometimes),
    taxonomy_id: unchecked(nullable(text), "id of its taxonomy", sometimes),
    parent: unchecked(
      nullable(objectOf<{ id: string }>()),
      "id, name and display_name of the term above it",
      sometimes,
    ),
    taxonomy: unchecked(nullable(objectOf<{ id: string; name: string }>()), "its taxonomy", sometimes),
  },
);

export const story = describeRecord(at("2.1", "StoryRecord", { component: "Story" }), {
  id: needed(id, "number"),
  uuid: needed(uuid, "uuid"),
  name: needed(text, "text"),
  slug: needed(text, "last part of the full slug"),
  full_slug: needed(text, "path and slug; a start page ends in a slash"),
  content: checked(objectOf<Blok>(schemaRef("Blok")), "block of the content type: _uid, component and its fields"),
  created_at: checked(timestamp, "timestamp"),
  published_at: checked(nullable(timestamp), "timestamp; null before the first publication"),
  first_published_at: checked(nullable(timestamp), "timestamp; null before the first publication"),
  updated_at: checked(nullable(timestamp), "timestamp of the last saving; older answers lack it", beyond),
  sort_by_date: unchecked(nullable(text), "date or null"),
  position: unchecked(number, "number, may be negative"),
  tag_list: checked(checkedListOf(text), "tags"),
  is_startpage: unchecked(flag, "whether the story is the root of its folder"),
  parent_id: checked(nullable(id), "id of the folder; 0 or null at the root"),
  meta_data: unchecked(nullable(objectOf<Record<string, unknown>>()), "object or null"),
  group_id: checked(groupId, "uuid that alternates share"),
  release_id: unchecked(nullable(id), "id of a release, or null; published stories may lack it", sometimes),
  lang: checked(text, "language of this answer, default for the base language"),
  path: unchecked(nullable(text), "real path, or null"),
  alternates: checked(checkedListOf(alternate), "stories of the same group"),
  default_full_slug: checked(nullable(text), "full slug in the base language, or null"),
  translated_slugs: checked(nullable(listOf(translatedSlug)), "slugs in other languages, or null"),
  taxonomy_terms: unchecked(listOf(storyTerm), "terms, only with with_taxonomy_terms=1", beyond),
});

const contentValues: FieldTable = {
  ...at("2.1", "Blok", { prefix: "content." }),
  fields: {
    asset: { about: "object with fieldtype asset, id, filename, alt, focus and more; empty: id null" },
    options: { about: "array of values or uuids" },
    number: { about: "number, often as a text" },
    plugin: { about: "object with plugin and whatever the plugin keeps" },
    blocks: { about: "array of blocks" },
    datetime: { about: "yyyy-MM-dd HH:mm, or empty" },
    richtext: { about: "document of nodes and marks", beyond: true },
    multilink: { about: "object with fieldtype multilink and linktype", beyond: true },
    table: { about: "object with thead and tbody", beyond: true },
  },
};

const linkAlternates = describeRecord(at("2.3", "LinkRecord", { prefix: "alternates.", origin: "documented" }), {
  path: needed(text, "text"),
  name: unchecked(nullable(text), "text or null"),
  lang: needed(text, "language code"),
  published: unchecked(nullable(flag), "flag or null"),
  translated_slug: checked(nullable(text), "text or null"),
});

export const link = describeRecord(at("2.3", "LinkRecord", { component: "Link" }), {
  id: checked(id, "number"),
  uuid: needed(uuid, "uuid"),
  slug: checked(text, "full slug"),
  path: unchecked(nullable(text), "real path or null"),
  parent_id: checked(nullable(id), "id of the folder; 0 or null at the root"),
  name: checked(text, "text"),
  is_folder: checked(flag, "flag"),
  published: checked(flag, "flag; false for a folder"),
  is_startpage: checked(flag, "flag"),
  position: unchecked(number, "number"),
  real_path: checked(text, "path with a slash in front"),
  created_at: unchecked(nullable(timestamp), "timestamp, only with include_dates=1", sometimes),
  updated_at: checked(nullable(timestamp), "timestamp, only with include_dates=1", sometimes),
  published_at: checked(nullable(timestamp), "timestamp, only with include_dates=1", sometimes),
  alternates: checked(checkedListOf(linkAlternates), "languages of the link, where fields are translated", beyond),
});

export const dimension = describeRecord(
  at("2.4", "DimensionRecord", { prefix: "dimensions.", component: "Dimension" }),
  {
    id: needed(id, "number"),
    name: needed(text, "text"),
    entry_value: needed(name, "what the parameter dimension names"),
    datasource_id: unchecked(id, "number", sometimes),
    created_at: unchecked(timestamp, "timestamp", sometimes),
    updated_at: unchecked(timestamp, "timestamp", sometimes),
  },
);

export const datasource = describeRecord(at("2.4", "DatasourceRecord", { component: "Datasource" }), {
  id: needed(id, "number"),
  name: needed(text, "text"),
  slug: needed(name, "text"),
  dimensions: checked(checkedListOf(dimension), "dimensions, may be empty"),
  created_at: unchecked(timestamp, "timestamp", beyond),
  updated_at: unchecked(timestamp, "timestamp", beyond),
});

export const storyMapping = describeRecord(
  at("2.5", "StoryMapping", { prefix: "story_mappings.", component: "StoryMapping" }),
  {
    original_story_id: needed(id, "number"),
    original_slug: unchecked(nullable(text), "text or null"),
    variant_story_id: checked(nullable(id), "number; null for a control"),
    variant_slug: checked(nullable(text), "text; null for a control"),
  },
);

const variant = describeRecord(at("2.5", "ExperimentRecord", { prefix: "variants.", component: "Variant" }), {
  name: needed(text, "text"),
  display_name: unchecked(text, "text", sometimes),
  public_id: unchecked(text, "text"),
  weight: unchecked(number, "number"),
  is_control: unchecked(flag, "whether it is the unchanged story"),
  story_mappings: checked(checkedListOf(storyMapping), "which story stands for which"),
});

export const experiment = describeRecord(at("2.5", "ExperimentRecord", { component: "Experiment" }), {
  id: needed(id, "number"),
  name: needed(text, "text"),
  display_name: unchecked(text, "text"),
  story_ids: checked(listOf(id), "ids of the original stories"),
  variants: checked(checkedListOf(variant), "variants"),
});

const language = describeRecord(at("2.6", "SpaceInfoRecord", { prefix: "languages." }), {
  code: needed(text, "text"),
  name: needed(text, "text"),
});

export const spaceInfo = describeRecord(at("2.6", "SpaceInfoRecord", { component: "SpaceInfo" }), {
  id: needed(id, "number"),
  name: needed(text, "text"),
  domain: unchecked(text, "URL"),
  plan_level: unchecked(number, "number"),
  languages: checked(checkedListOf(language), "code and name of each"),
});

export const webhookEndpoint = describeRecord(
  at("2.7", "WebhookEndpointRecord", { component: "WebhookEndpoint", origin: "documented" }),
  {
    id: needed(id, "number"),
    name: unchecked(text, "text", sometimes),
    space_id: unchecked(id, "number", sometimes),
    actions: checked(listOf(text), "events that it is told of", sometimes),
    activated: unchecked(flag, "flag", sometimes),
    created_at: unchecked(timestamp, "timestamp", sometimes),
    updated_at: unchecked(timestamp, "timestamp", sometimes),
    deleted_at: unchecked(nullable(timestamp), "timestamp or null", sometimes),
  },
);

export const datasourceEntry = describeRecord(
  at("2.8", "DatasourceEntryRecord", { component: "DatasourceEntry", origin: "documented" }),
  {
    id: checked(id, "number"),
    name: checked(text, "key"),
    value: checked(text, "value without a dimension"),
    dimension_value: checked(nullable(text), "value in the dimension of the request, or null"),
  },
);

export const tag = describeRecord(at("2.9", "TagRecord", { component: "Tag", origin: "documented" }), {
  name: needed(text, "text"),
  taggings_count: needed(id, "how often it is used"),
  tag_on_stories: unchecked(id, "only with all_tags", sometimes),
});

/** A taxonomy is the term at its root. `last_author`, with an e-mail address, is dropped where the answer is read. */
export const taxonomyTerm = describeRecord(
  at("2.11", "TaxonomyTermRecord", { component: "TaxonomyTerm", origin: "documented" }),
  {
    id: needed(termId, "id, as text"),
    name: needed(name, "name that parameters use"),
    display_name: checked(nullable(text), "name for readers", sometimes),
    description: unchecked(nullable(text), "text or null", sometimes),
    parent_id: checked(nullable(text), "id of the term above it; null for a taxonomy", sometimes),
    created_at: unchecked(timestamp, "timestamp", sometimes),
    updated_at: unchecked(timestamp, "timestamp", sometimes),
    last_author_id: unchecked(anything, "number", sometimes),
    terms_count: unchecked(number, "terms of a taxonomy, in the list", sometimes),
    last_activity_at: unchecked(nullable(timestamp), "last change of a taxonomy, in the list", sometimes),
    children: checked(
      nullable(listOf(objectOf<object>(schemaRef("TaxonomyTerm")))),
      "terms below it, of the same shape; not in the list",
      sometimes,
    ),
    associated_content: checked(
      nullable(listOf(objectOf<object>())),
      "stories of the term: id and type; only some upstreams send it",
      sometimes,
    ),
  },
);

export const space = describeRecord(at("2.10", "SpaceRecord", { component: "Space", origin: "documented" }), {
  id: needed(id, "number"),
  name: needed(text, "text"),
  domain: unchecked(text, "URL"),
  version: checked(nullable(id), "the current cv"),
  language_codes: checked(checkedListOf(text), "languages beside the default one"),
});

/** Every field of seed section 2, and of the additional records. */
export const fieldTables: readonly (FieldTable | RecordTable<unknown>)[] = [
  ...[story, alternate, translatedSlug, storyTerm, contentValues],
  ...[link, linkAlternates],
  ...[datasource, dimension],
  ...[experiment, variant, storyMapping],
  ...[spaceInfo, language, dropped("2.6", "owner.", Object.keys(redactedOwner))],
  dropped("2.6", "owner.preferences.", Object.keys(redactedOwner.preferences)),
  webhookEndpoint,
  dropped("2.7", "", Object.keys(redactedWebhookFields), "documented"),
  ...[datasourceEntry, tag, space, taxonomyTerm],
  dropped("2.11", "", ["last_author"], "documented"),
];

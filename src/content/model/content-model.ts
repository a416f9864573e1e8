/** Types and blocks of stories, with every field and its kinds of values. Equal however the stories were sharded. */
export interface ContentModel {
  /** The stories by content type, sorted by it; their uuids are sorted. Empty once relations are resolved. */
  stories: readonly { component: string; uuids: readonly string[] }[];
  /** Content types and nested blocks, sorted by component. */
  blocks: readonly BlockModel[];
  /** Objects with the same fields at every place; sorted by kind. */
  objects: readonly NamedObjectModel[];
}

export interface BlockModel extends ObjectModel {
  component: string;
  /** How many of them are the content of a story. */
  stories: number;
}

/** All asset fields (`asset`), link fields (`link`), or the values of one field plugin (`plugin:<name>`). */
export interface NamedObjectModel extends ObjectModel {
  kind: "asset" | "link" | `plugin:${string}`;
}

export interface ObjectModel {
  count: number;
  /** Sorted by name; empty where {@link isOpen}. */
  fields: readonly FieldModel[];
  /** The keys are too many to be fields: they are data. */
  isOpen?: true;
}

export interface FieldModel {
  name: string;
  present: number;
  /** In how many of them it says something: neither null, nor an empty text, list, asset or link. */
  filled: number;
  value: ValueModel;
}

export interface ValueModel {
  /** The sum of the {@link valueKinds} that were seen. */
  kinds: number;
  /** Texts that a datasource has too; sorted. Absent where another text was seen. */
  options?: readonly string[];
  /** Texts that are uuids, which name stories where the field is a relation; sorted. */
  uuids?: readonly string[];
  /** Content types of the stories that they name, once relations are resolved; sorted. */
  relations?: readonly string[];
  blocks?: readonly string[];
  plugins?: readonly string[];
  /** Objects without their own kind. */
  object?: ObjectModel;
  items?: ValueModel;
}

/** Kinds of values that need no further description, as bits of {@link ValueModel.kinds}. */
export const valueKinds = {
  null: 1,
  boolean: 2,
  number: 4,
  /** The text of no characters, which stands for nothing in most fields. */
  emptyText: 8,
  /** Any other text that is neither an option nor a uuid. */
  text: 16,
  richText: 32,
  asset: 64,
  link: 128,
  table: 256,
  list: 512,
  opaque: 1024,
  /** Rich text with something in it that is no part of rich text. */
  looseRichText: 2048,
} as const;

/** Limits of a model; anything beyond is open. */
export const modelLimits = {
  /** Keys of an object that is no block. With more, its keys are data. */
  objectKeys: 60,
  /** Levels of lists and objects within one field. */
  levels: 6,
  /** Most texts listed one by one at a place that holds a choice. */
  choices: 20,
  choiceCharacters: 100,
} as const;

export const emptyModel: ContentModel = { stories: [], blocks: [], objects: [] };

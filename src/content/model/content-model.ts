import { inMap } from "../../lib/collections/in-map.js";

/** Types and blocks of stories, with every field and its kinds of values. Equal however the stories were sharded. */
export interface ContentModel {
  /** The uuids of the stories by content type. Empty once relations are resolved. */
  stories: Map<string, Set<string>>;
  /** Content types and nested blocks by component. */
  blocks: Map<string, BlockModel>;
  /** Objects with the same fields at every place. */
  objects: Map<ObjectKind, ObjectModel>;
}

/** All asset fields (`asset`), link fields (`link`), or the values of one field plugin (`plugin:<name>`). */
export type ObjectKind = "asset" | "link" | `plugin:${string}`;

export interface ObjectModel {
  count: number;
  /** By name; empty where {@link isOpen}. */
  fields: Map<string, FieldModel>;
  /** True if the keys are too many to be fields: they are data. */
  isOpen: boolean;
}

export interface BlockModel extends ObjectModel {
  /** How many of them are the content of a story. */
  stories: number;
}

export interface FieldModel {
  present: number;
  /** In how many of them it says something: neither null, nor an empty text, list, asset or link. */
  filled: number;
  value: ValueModel;
}

export interface ValueModel {
  /** The sum of the {@link valueKinds} that were seen. */
  kinds: number;
  /** Texts that a datasource has too. Absent where another text was seen. */
  options?: Set<string> | undefined;
  /** Texts that are uuids, which name stories where the field is a relation. */
  uuids?: Set<string> | undefined;
  /** Content types of the stories that they name, once relations are resolved. */
  relations?: Set<string> | undefined;
  blocks?: Set<string> | undefined;
  plugins?: Set<string> | undefined;
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

export function emptyModel(): ContentModel {
  return { stories: new Map(), blocks: new Map(), objects: new Map() };
}

export function emptyObject(): ObjectModel {
  return { count: 0, isOpen: false, fields: new Map() };
}

export function uuidsIn({ stories }: ContentModel, component: string): Set<string> {
  return inMap(stories, component, () => new Set());
}

export function blockIn({ blocks }: ContentModel, component: string): BlockModel {
  return inMap(blocks, component, () => ({ ...emptyObject(), stories: 0 }));
}

export function objectIn({ objects }: ContentModel, kind: ObjectKind): ObjectModel {
  return inMap(objects, kind, emptyObject);
}

export function fieldIn({ fields }: ObjectModel, name: string): FieldModel {
  return inMap(fields, name, () => ({ present: 0, filled: 0, value: { kinds: 0 } }));
}

/** True if the texts under this key identify the object: they are few, and listed one by one. */
export function isChoiceKey(key: string): boolean {
  return key === "linktype" || key === "fieldtype" || key === "plugin";
}

export function noteText(value: ValueModel): void {
  value.kinds |= valueKinds.text;
  value.options = undefined;
}

export function closeKeys(object: ObjectModel): void {
  if (!object.isOpen && object.fields.size <= modelLimits.objectKeys) return;
  object.isOpen = true;
  object.fields.clear();
}

export function withItem(set: Set<string> | undefined, item: string): Set<string> {
  return (set ?? new Set<string>()).add(item);
}

/** In code-unit order: what is printed does not depend on the order of the stories. */
export function sortedEntries<K extends string, V>(map: ReadonlyMap<K, V>): [K, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

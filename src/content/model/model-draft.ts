import { inMap } from "../../lib/collections/in-map.js";
import {
  type BlockModel,
  type ContentModel,
  type FieldModel,
  modelLimits,
  type NamedObjectModel,
  type ObjectModel,
  type ValueModel,
  valueKinds,
} from "./content-model.js";

export interface ModelDraft {
  stories: Map<string, Set<string>>;
  blocks: Map<string, BlockDraft>;
  objects: Map<NamedObjectModel["kind"], ObjectDraft>;
}

export interface ObjectDraft {
  count: number;
  isOpen: boolean;
  fields: Map<string, FieldDraft>;
}

export interface BlockDraft extends ObjectDraft {
  stories: number;
}

export interface FieldDraft {
  name: string;
  present: number;
  filled: number;
  value: ValueDraft;
}

const setsOfValue = ["options", "uuids", "relations", "blocks", "plugins"] as const;

export interface ValueDraft extends Partial<Record<(typeof setsOfValue)[number], Set<string> | undefined>> {
  kinds: number;
  object?: ObjectDraft;
  items?: ValueDraft;
}

export function newModelDraft(): ModelDraft {
  return { stories: new Map(), blocks: new Map(), objects: new Map() };
}

export function newObjectDraft(): ObjectDraft {
  return { count: 0, isOpen: false, fields: new Map() };
}

export function uuidsIn({ stories }: ModelDraft, component: string): Set<string> {
  return inMap(stories, component, () => new Set());
}

export function blockIn({ blocks }: ModelDraft, component: string): BlockDraft {
  return inMap(blocks, component, () => ({ ...newObjectDraft(), stories: 0 }));
}

export function objectIn({ objects }: ModelDraft, kind: NamedObjectModel["kind"]): ObjectDraft {
  return inMap(objects, kind, newObjectDraft);
}

export function fieldIn({ fields }: ObjectDraft, name: string): FieldDraft {
  return inMap(fields, name, () => ({ name, present: 0, filled: 0, value: { kinds: 0 } }));
}

export function noteText(value: ValueDraft): void {
  value.kinds |= valueKinds.text;
  value.options = undefined;
}

export function closeKeys(object: ObjectDraft): void {
  if (!object.isOpen && object.fields.size <= modelLimits.objectKeys) return;
  object.isOpen = true;
  object.fields.clear();
}

function addModel(draft: ModelDraft, { stories, blocks, objects }: ContentModel): void {
  for (const { component, uuids } of stories) addAll(uuidsIn(draft, component), uuids);
  for (const block of blocks) {
    const target = blockIn(draft, block.component);
    target.stories += block.stories;
    addFields(target, block);
  }
  for (const object of objects) addObject(objectIn(draft, object.kind), object);
}

function addObject(target: ObjectDraft, source: ObjectModel): void {
  addFields(target, source);
  for (const { name } of source.fields) if (isChoiceKey(name)) closeChoice(fieldIn(target, name).value);
  if (source.isOpen) target.isOpen = true;
  closeKeys(target);
}

/** True if the texts under this key identify the object: they are few, and listed one by one. */
export function isChoiceKey(key: string): boolean {
  return key === "linktype" || key === "fieldtype" || key === "plugin";
}

function closeChoice(value: ValueDraft): void {
  if (value.options !== undefined && value.options.size > modelLimits.choices) noteText(value);
}

function addFields(target: ObjectDraft, { count, fields }: ObjectModel): void {
  target.count += count;
  for (const { name, present, filled, value } of fields) {
    const field = fieldIn(target, name);
    field.present += present;
    field.filled += filled;
    addValue(field.value, value);
  }
}

function addValue(target: ValueDraft, source: ValueModel): void {
  target.kinds |= source.kinds;
  for (const set of setsOfValue) target[set] = union(target[set], source[set]);
  if ((target.kinds & valueKinds.text) !== 0) target.options = undefined;
  if (source.object !== undefined) {
    target.object ??= newObjectDraft();
    addObject(target.object, source.object);
  }
  if (source.items !== undefined) {
    target.items ??= { kinds: 0 };
    addValue(target.items, source.items);
  }
}

/** The draft as a value: everything in code-unit order, so that equal knowledge is equal JSON. */
export function modelOf({ stories, blocks, objects }: ModelDraft): ContentModel {
  return {
    stories: sortedEntries(stories).map(([component, uuids]) => ({ component, uuids: [...uuids].sort() })),
    blocks: sortedEntries(blocks).map(
      ([component, draft]): BlockModel => ({ component, stories: draft.stories, ...objectOf(draft) }),
    ),
    objects: sortedEntries(objects).map(([kind, draft]): NamedObjectModel => ({ kind, ...objectOf(draft) })),
  };
}

function objectOf({ count, isOpen, fields }: ObjectDraft): ObjectModel {
  const open = isOpen ? { isOpen } : {};
  return { count, fields: sortedEntries(fields).map(([, draft]) => fieldOf(draft)), ...open };
}

function fieldOf({ name, present, filled, value }: FieldDraft): FieldModel {
  return { name, present, filled, value: valueModelOf(value) };
}

function valueModelOf({ kinds, object, items, ...sets }: ValueDraft): ValueModel {
  const filled = setsOfValue.flatMap((name) => (sets[name] === undefined ? [] : [[name, [...sets[name]].sort()]]));
  return {
    kinds,
    ...(Object.fromEntries(filled) as Partial<Record<(typeof setsOfValue)[number], string[]>>),
    ...(object === undefined ? {} : { object: objectOf(object) }),
    ...(items === undefined ? {} : { items: valueModelOf(items) }),
  };
}

function union(target: Set<string> | undefined, source: readonly string[] | undefined): Set<string> | undefined {
  if (source === undefined) return target;
  return addAll(target ?? new Set(), source);
}

export function withItem(set: Set<string> | undefined, item: string): Set<string> {
  return (set ?? new Set<string>()).add(item);
}

function addAll(target: Set<string>, source: readonly string[]): Set<string> {
  for (const item of source) target.add(item);
  return target;
}

function sortedEntries<K extends string, V>(map: ReadonlyMap<K, V>): [K, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Commutative and associative; the empty model changes nothing. A story in two of the models counts twice. */
export function mergeModels(models: Iterable<ContentModel>): ContentModel {
  const draft = newModelDraft();
  for (const model of models) addModel(draft, model);
  return modelOf(draft);
}

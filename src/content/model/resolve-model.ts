import { isRelation, type RelationFields } from "../resolve/relations.js";
import {
  type ContentModel,
  fieldIn,
  noteText,
  type ObjectModel,
  type ValueModel,
  valueKinds,
  withItem,
} from "./content-model.js";

/** A uuid that names a story of the edition is a relation to its content type, any other one stays a text. */
export function resolveModel({ blocks, objects }: ContentModel, { fields, stories }: ResolveModelSettings): void {
  const types = typesOf(namedStories(blocks), stories);
  for (const [component, block] of blocks) {
    for (const [name, { value }] of block.fields) {
      resolveValue(value, isRelation(component, name, fields) ? types : new Map());
    }
  }
  for (const [kind, object] of objects) resolveObject(kind, object);
}

export interface ResolveModelSettings {
  fields: RelationFields;
  /** The stories of the edition by content type; a type may come several times. */
  stories: Iterable<readonly [component: string, uuids: Iterable<string>]>;
}

function namedStories(blocks: ContentModel["blocks"]): Set<string> {
  const named = new Set<string>();
  for (const { fields } of blocks.values()) {
    for (const { value } of fields.values()) {
      for (let inner: ValueModel | undefined = value; inner !== undefined; inner = inner.items) {
        for (const uuid of inner.uuids ?? []) named.add(uuid);
      }
    }
  }
  return named;
}

function typesOf(uuids: ReadonlySet<string>, stories: ResolveModelSettings["stories"]): Map<string, string> {
  const types = new Map<string, string>();
  if (uuids.size === 0) return types;
  for (const [component, own] of stories) {
    for (const uuid of own) if (uuids.has(uuid)) types.set(uuid, component);
  }
  return types;
}

function resolveValue(value: ValueModel, types: ReadonlyMap<string, string>): void {
  for (const uuid of value.uuids ?? []) {
    const type = types.get(uuid);
    if (type === undefined) noteText(value);
    else value.relations = withItem(value.relations, type);
  }
  value.uuids = undefined;
  if (value.items !== undefined) resolveValue(value.items, types);
}

/** Keys that resolving sets, with what it sets: an address for a link, for an asset its address and its size. */
const addedToLinks = { cached_url: valueKinds.text, url: valueKinds.text };
const addedToAssets = { height: valueKinds.number, src: valueKinds.text, width: valueKinds.number };

function resolveObject(kind: string, object: ObjectModel): void {
  if (object.isOpen) return;
  // A plugin's value that looks like an asset or a link is resolved as one.
  const added = {
    ...(kind === "asset" || object.fields.has("filename") ? addedToAssets : {}),
    ...(kind === "link" || object.fields.has("linktype") ? addedToLinks : {}),
  };
  for (const [name, kinds] of Object.entries(added)) fieldIn(object, name).value.kinds |= kinds;
}

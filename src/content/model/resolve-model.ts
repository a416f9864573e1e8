import { isRelation, type RelationFields } from "../resolve/relations.js";
import {
  type ContentModel,
  type FieldModel,
  type NamedObjectModel,
  type ValueModel,
  valueKinds,
} from "./content-model.js";

/** A uuid that names a story of the edition is a relation to its content type, any other one stays a text. */
export function resolveModel(model: Omit<ContentModel, "stories">, settings: ResolveModelSettings): ContentModel {
  const { fields, stories } = settings;
  const types = typesOf(namedStories(model), stories);
  return {
    stories: [],
    blocks: model.blocks.map((block) => ({
      ...block,
      fields: block.fields.map((field) => {
        const holdsRelations = isRelation(block.component, field.name, fields);
        const typeOf = holdsRelations ? (uuid: string) => types.get(uuid) : () => undefined;
        return { ...field, value: resolveValue(field.value, typeOf) };
      }),
    })),
    objects: model.objects.map(resolveObject),
  };
}

export interface ResolveModelSettings {
  fields: RelationFields;
  /** The stories of the edition by content type; a type may come several times. */
  stories: Iterable<ContentModel["stories"][number]>;
}

function namedStories({ blocks }: Pick<ContentModel, "blocks">): Set<string> {
  const named = new Set<string>();
  for (const { fields } of blocks) {
    for (const { value } of fields) {
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
  for (const story of stories) {
    for (const uuid of story.uuids) if (uuids.has(uuid)) types.set(uuid, story.component);
  }
  return types;
}

function resolveValue(value: ValueModel, typeOf: (uuid: string) => string | undefined): ValueModel {
  const { uuids, items, options, ...rest } = value;
  const found = new Set<string>();
  let isDangling = false;
  for (const uuid of uuids ?? []) {
    const type = typeOf(uuid);
    if (type === undefined) isDangling = true;
    else found.add(type);
  }
  return {
    ...rest,
    kinds: isDangling ? rest.kinds | valueKinds.text : rest.kinds,
    ...(options === undefined || isDangling ? {} : { options }),
    ...(found.size === 0 ? {} : { relations: [...found].sort() }),
    ...(items === undefined ? {} : { items: resolveValue(items, typeOf) }),
  };
}

/** Keys that resolving sets, with what it sets: an address for a link, for an asset its address and its size. */
const addedToLinks = { cached_url: valueKinds.text, url: valueKinds.text };
const addedToAssets = { height: valueKinds.number, src: valueKinds.text, width: valueKinds.number };

function resolveObject(object: NamedObjectModel): NamedObjectModel {
  const has = (...names: readonly string[]) =>
    names.every((name) => object.fields.some((field) => field.name === name));
  // A plugin's value that looks like an asset or a link is resolved as one.
  const withSizes = object.kind === "asset" || has("filename") ? withAdded(object, addedToAssets) : object;
  return object.kind === "link" || has("linktype") ? withAdded(withSizes, addedToLinks) : withSizes;
}

function withAdded(object: NamedObjectModel, added: Readonly<Record<string, number>>): NamedObjectModel {
  if (object.isOpen) return object;
  const known = object.fields.map((field): FieldModel => {
    const kind = Object.hasOwn(added, field.name) ? added[field.name]! : 0;
    return { ...field, value: { ...field.value, kinds: field.value.kinds | kind } };
  });
  const missing = Object.entries(added)
    .filter(([name]) => object.fields.every((field) => field.name !== name))
    .map(([name, kinds]): FieldModel => ({ name, present: 0, filled: 0, value: { kinds } }));
  return { ...object, fields: [...known, ...missing] };
}

import type { RelationFields } from "../resolve/relations.js";
import {
  type ContentModel,
  type FieldModel,
  type NamedObjectModel,
  type ValueModel,
  valueKinds,
} from "./content-model.js";

/**
 * The model of an edition's content once relations and links are resolved: a uuid that names a story of the edition is
 * a relation to its content type, any other one stays a text.
 *
 * @param model of all stories of the edition
 */
export function resolveModel(model: ContentModel, fields: RelationFields): ContentModel {
  const types = new Map(model.stories.flatMap(({ component, uuids }) => uuids.map((uuid) => [uuid, component])));
  const isRelation = (component: string, field: string) =>
    fields === "all" || (fields !== "none" && fields.has(`${component}.${field}`));
  return {
    stories: [],
    storyKeys: model.storyKeys,
    blocks: model.blocks.map((block) => ({
      ...block,
      fields: block.fields.map((field) => {
        const typeOf = isRelation(block.component, field.name) ? (uuid: string) => types.get(uuid) : () => undefined;
        return { ...field, value: resolveValue(field.value, typeOf) };
      }),
    })),
    objects: model.objects.map((object) => (object.kind === "link" ? withAddresses(object) : object)),
  };
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

/** Link fields, whose addresses are texts once a link to a story is resolved. */
function withAddresses(links: NamedObjectModel): NamedObjectModel {
  const addressed = (field: FieldModel): FieldModel =>
    field.name === "url" || field.name === "cached_url"
      ? { ...field, value: { ...field.value, kinds: field.value.kinds | valueKinds.text } }
      : field;
  const missing = ["cached_url", "url"]
    .filter((name) => !links.isOpen && links.fields.every((field) => field.name !== name))
    .map((name): FieldModel => ({ name, present: 0, filled: 0, value: { kinds: valueKinds.text } }));
  return { ...links, fields: [...links.fields.map(addressed), ...missing] };
}

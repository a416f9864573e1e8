import {
  blockIn,
  type ContentModel,
  closeKeys,
  emptyModel,
  emptyObject,
  fieldIn,
  isChoiceKey,
  modelLimits,
  noteText,
  type ObjectModel,
  objectIn,
  uuidsIn,
  type ValueModel,
  valueKinds,
  withItem,
} from "./content-model.js";

/** Commutative and associative; the empty model changes nothing. A story in two of the models counts twice. */
export function mergeModels(models: Iterable<ContentModel>): ContentModel {
  const merged = emptyModel();
  for (const { stories, blocks, objects } of models) {
    for (const [component, uuids] of stories) {
      const target = uuidsIn(merged, component);
      for (const uuid of uuids) target.add(uuid);
    }
    for (const [component, block] of blocks) {
      const target = blockIn(merged, component);
      target.stories += block.stories;
      addFields(target, block);
    }
    for (const [kind, object] of objects) addObject(objectIn(merged, kind), object);
  }
  return merged;
}

function addObject(target: ObjectModel, source: ObjectModel): void {
  addFields(target, source);
  for (const name of source.fields.keys()) if (isChoiceKey(name)) closeChoice(fieldIn(target, name).value);
  if (source.isOpen) target.isOpen = true;
  closeKeys(target);
}

function closeChoice(value: ValueModel): void {
  if (value.options !== undefined && value.options.size > modelLimits.choices) noteText(value);
}

function addFields(target: ObjectModel, { count, fields }: ObjectModel): void {
  target.count += count;
  for (const [name, { present, filled, value }] of fields) {
    const field = fieldIn(target, name);
    field.present += present;
    field.filled += filled;
    addValue(field.value, value);
  }
}

const setsOfValue = ["options", "uuids", "relations", "blocks", "plugins"] as const;

function addValue(target: ValueModel, source: ValueModel): void {
  target.kinds |= source.kinds;
  for (const set of setsOfValue) for (const item of source[set] ?? []) target[set] = withItem(target[set], item);
  if ((target.kinds & valueKinds.text) !== 0) target.options = undefined;
  if (source.object !== undefined) {
    target.object ??= emptyObject();
    addObject(target.object, source.object);
  }
  if (source.items !== undefined) {
    target.items ??= { kinds: 0 };
    addValue(target.items, source.items);
  }
}

import type { AssetMetadataRecord } from "../../contract/records.js";
import { isObject, uuid } from "../../lib/shape.js";
import { metadataFacts, metadataTexts } from "../resolve/asset-fields.js";
import {
  blockKeys,
  isAsset,
  isBlock,
  isFilled,
  isMultilink,
  isRichText,
  type JsonObject,
} from "../resolve/content-shape.js";
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
import { isPlainTable, readRichText } from "./standard-shapes.js";

/** Passes over stories whose content names no component. @param isOption true if a datasource has this text */
export function inferContent(records: Iterable<unknown>, isOption: (text: string) => boolean): ContentModel {
  const model = emptyModel();
  const learner = new Learner(model, isOption);
  for (const record of records) learner.learnStory(record);
  return model;
}

/** What asset records add to asset fields (`assets.metadata`): every text may be theirs, or of their `meta_data`. */
export function inferAssetMetadata(records: Iterable<AssetMetadataRecord>): ContentModel {
  const model = emptyModel();
  const learner = new Learner(model, () => false);
  for (const record of records) {
    const custom = isObject(record.meta_data) ? record.meta_data : {};
    for (const source of [record, custom]) learner.learnAsset(partOf(source, metadataTexts));
    learner.learnAsset({ ...partOf(record, metadataFacts), meta_data: custom });
  }
  for (const object of model.objects.values()) {
    object.count = 0;
    for (const field of object.fields.values()) Object.assign(field, { present: 0, filled: 0 });
  }
  return model;
}

function partOf(source: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(source, key)).map((key) => [key, source[key]]));
}

type Place = "field" | "own" | "choice";

/** Takes stories and notes what they contain in the model that it was made with. Nesting of blocks may be of any depth. */
class Learner {
  readonly #model: ContentModel;
  readonly #isOption: (text: string) => boolean;
  readonly #open: JsonObject[] = [];

  constructor(model: ContentModel, isOption: (text: string) => boolean) {
    this.#model = model;
    this.#isOption = isOption;
  }

  learnStory(record: unknown): void {
    if (!isObject(record) || !isBlock(record.content)) return;
    const { uuid, content } = record;
    const { component } = content;
    if (typeof uuid === "string") uuidsIn(this.#model, component).add(uuid);
    blockIn(this.#model, component).stories += 1;
    this.#open.push(content);
    for (let block = this.#open.pop(); block !== undefined; block = this.#open.pop()) this.#learnBlock(block);
  }

  learnAsset(asset: JsonObject): void {
    this.#learnKeys(objectIn(this.#model, "asset"), asset, 0);
  }

  #learnBlock(block: JsonObject): void {
    const model = blockIn(this.#model, String(block.component));
    model.count += 1;
    for (const key in block) {
      if (key !== "component") this.#learnField(model, key, block[key], blockKeys.has(key) ? "own" : "field", 0);
    }
  }

  #learnField(model: ObjectModel, key: string, value: unknown, place: Place, level: number): void {
    const field = fieldIn(model, key);
    field.present += 1;
    if (isFilled(value)) field.filled += 1;
    this.#learnValue(field.value, value, place, level);
  }

  #learnValue(target: ValueModel, value: unknown, place: Place, level: number): void {
    if (typeof value === "string") this.#learnText(target, value, place);
    else if (typeof value === "boolean") target.kinds |= valueKinds.boolean;
    else if (typeof value === "number") target.kinds |= valueKinds.number;
    else if (value === null || value === undefined) target.kinds |= valueKinds.null;
    else if (level >= modelLimits.levels) target.kinds |= valueKinds.opaque;
    else if (Array.isArray(value)) this.#learnList(target, value, place, level);
    else this.#learnObject(target, value as JsonObject, level);
  }

  #learnText(target: ValueModel, text: string, place: Place): void {
    if (text === "") target.kinds |= valueKinds.emptyText;
    else if (place === "field" && uuid.is(text)) target.uuids = withItem(target.uuids, text);
    else if ((target.kinds & valueKinds.text) !== 0) return;
    else if (place === "choice" ? isChoice(target, text) : place === "field" && this.#isOption(text)) {
      target.options = withItem(target.options, text);
    } else noteText(target);
  }

  #learnList(target: ValueModel, list: readonly unknown[], place: Place, level: number): void {
    target.kinds |= valueKinds.list;
    target.items ??= { kinds: 0 };
    const inside = place === "choice" ? "own" : place;
    for (const item of list) this.#learnValue(target.items, item, inside, level + 1);
  }

  #learnObject(target: ValueModel, value: JsonObject, level: number): void {
    if (typeof value.component === "string") {
      target.blocks = withItem(target.blocks, value.component);
      this.#open.push(value);
    } else if (isDocument(value)) {
      const blocks = readRichText(value);
      target.kinds |= blocks === undefined ? valueKinds.looseRichText : valueKinds.richText;
      for (const block of blocks ?? []) this.#open.push(block);
    } else if (typeof value.plugin === "string") {
      target.plugins = withItem(target.plugins, value.plugin);
      this.#learnKeys(objectIn(this.#model, `plugin:${value.plugin}`), value, level);
    } else if (isAsset(value)) {
      target.kinds |= valueKinds.asset;
      this.#learnKeys(objectIn(this.#model, "asset"), value, level);
    } else if (isMultilink(value)) {
      target.kinds |= valueKinds.link;
      this.#learnKeys(objectIn(this.#model, "link"), value, level);
    } else if (isPlainTable(value)) target.kinds |= valueKinds.table;
    else {
      target.object ??= emptyObject();
      this.#learnKeys(target.object, value, level);
    }
  }

  #learnKeys(model: ObjectModel, object: JsonObject, level: number): void {
    model.count += 1;
    // Blocks within an object are learned even where its keys are data.
    const target = model.isOpen ? emptyObject() : model;
    for (const key in object) {
      this.#learnField(target, key, object[key], isChoiceKey(key) ? "choice" : "own", level + 1);
    }
    closeKeys(target);
  }
}

/** Not a type guard: what is no rich text may still be any other object. */
const isDocument: (value: JsonObject) => boolean = isRichText;

function isChoice({ options }: ValueModel, text: string): boolean {
  return (
    text.length <= modelLimits.choiceCharacters &&
    (options === undefined || options.size < modelLimits.choices || options.has(text))
  );
}

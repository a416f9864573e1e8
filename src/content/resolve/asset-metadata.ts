import type { AssetMetadataRecord } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { isAsset, isEmpty, type JsonObject, setOwn } from "./content-shape.js";
import type { ObjectStep } from "./resolve-content.js";

/** Texts that an editor may write both in the field that uses an asset and in the asset itself. */
export const metadataTexts: readonly string[] = ["alt", "title", "source", "copyright", "focus"];
/** Keys that only the asset itself has. */
export const metadataFacts: readonly string[] = ["content_type", "content_length"];

/** Fills in what is empty in an asset field: texts, facts, each key of `meta_data`. */
export function assetMetadataStep(metadata: (id: number) => AssetMetadataRecord | undefined): ObjectStep {
  return (value) => {
    // A number that keeps its text is an object.
    const id: unknown = isObject(value.id) ? value.id.valueOf() : value.id;
    if (typeof id !== "number" || !isAsset(value)) return value;
    const known = metadata(id);
    return known === undefined ? value : merged(value, known);
  };
}

function merged(field: JsonObject, known: AssetMetadataRecord): JsonObject {
  const custom = isObject(known.meta_data) ? known.meta_data : {};
  const result = { ...field };
  for (const key of metadataTexts) fill(result, key, isEmpty(known[key]) ? custom[key] : known[key]);
  for (const key of metadataFacts) fill(result, key, known[key]);
  const own = { ...(isObject(field.meta_data) ? field.meta_data : {}) };
  for (const key of Object.keys(custom)) fill(own, key, custom[key]);
  if (Object.keys(own).length > 0) result.meta_data = own;
  return result;
}

function fill(target: JsonObject, key: string, value: unknown): void {
  const there = Object.hasOwn(target, key) ? target[key] : undefined;
  if (isEmpty(there) && !isEmpty(value)) setOwn(target, key, value);
}

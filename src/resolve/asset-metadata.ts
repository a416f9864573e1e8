import type { AssetMetadataRecord } from "../contract/records.js";
import { isObject } from "../shape.js";
import { isAsset, type JsonObject, setOwn } from "./content-shape.js";
import { rewriteValue } from "./rewrite-value.js";

/** What an editor may fill in where an asset is used, and in the asset itself. */
const texts = ["alt", "title", "source", "copyright", "focus"];
/** What only the asset itself has. */
const facts = ["content_type", "content_length"];

/**
 * A copy of content in which asset fields show what the upstream knows of their assets: `alt`, `title`, `source`,
 * `copyright`, `focus` and each key of `meta_data` where the field leaves it empty, and `content_type` and
 * `content_length`. What the field itself says stays.
 *
 * @param metadata by the asset's id; undefined leaves the field as it is
 */
export function mergeAssetMetadata(
  content: unknown,
  metadata: (id: number) => AssetMetadataRecord | undefined,
): unknown {
  return rewriteValue(content, (value) => {
    if (!isObject(value) || typeof value.id !== "number" || !isAsset(value)) return value;
    const known = metadata(value.id);
    return known === undefined ? value : merged(value, known);
  });
}

function merged(field: JsonObject, known: AssetMetadataRecord): JsonObject {
  const custom = isObject(known.meta_data) ? known.meta_data : {};
  const result = { ...field };
  for (const key of texts) fill(result, key, isEmpty(known[key]) ? custom[key] : known[key]);
  for (const key of facts) fill(result, key, known[key]);
  const own = { ...(isObject(field.meta_data) ? field.meta_data : {}) };
  for (const key of Object.keys(custom)) fill(own, key, custom[key]);
  if (Object.keys(own).length > 0) result.meta_data = own;
  return result;
}

function fill(target: JsonObject, key: string, value: unknown): void {
  const there = Object.hasOwn(target, key) ? target[key] : undefined;
  if (isEmpty(there) && !isEmpty(value)) setOwn(target, key, value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

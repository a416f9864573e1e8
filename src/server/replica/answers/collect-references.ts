import { isAsset } from "../../../content/resolve/content-shape.js";
import { visitValue } from "../../../content/resolve/rewrite-value.js";
import type { RelationField } from "../../../contract/comma-list.js";
import { isObject } from "../../../lib/shape.js";

export type RelationFields = ReadonlyMap<string, ReadonlySet<string>>;

export function relationFields(pairs: readonly RelationField[]): RelationFields {
  const fields = new Map<string, Set<string>>();
  for (const { component, field } of pairs) fields.set(component, (fields.get(component) ?? new Set()).add(field));
  return fields;
}

export function collectRelations(content: unknown, fields: RelationFields): Set<string> {
  const uuids = new Set<string>();
  visitValue(content, (object) => {
    if (!isObject(object)) return;
    const wanted = typeof object.component === "string" ? fields.get(object.component) : undefined;
    for (const field of wanted ?? []) {
      if (!Object.hasOwn(object, field)) continue;
      const value = object[field];
      for (const item of Array.isArray(value) ? value : [value]) {
        if (typeof item === "string" && item !== "") uuids.add(item);
      }
    }
  });
  return uuids;
}

export function collectLinks(content: unknown): Set<string> {
  const uuids = new Set<string>();
  visitValue(content, (object) => {
    const uuid = isObject(object) ? linkedStory(object) : undefined;
    if (uuid !== undefined) uuids.add(uuid);
  });
  return uuids;
}

export function collectAssets(content: unknown): Map<number, Record<string, unknown>> {
  const assets = new Map<number, Record<string, unknown>>();
  visitValue(content, (object) => {
    if (!isObject(object) || typeof object.id !== "number" || !isAsset(object) || assets.has(object.id)) return;
    assets.set(object.id, object);
  });
  return assets;
}

/** The uuid of a link field (`linktype: story`) or a rich text link mark (`type: link`). */
function linkedStory(object: Record<string, unknown>): string | undefined {
  if (object.type === "link" && isObject(object.attrs)) {
    const { linktype, uuid } = object.attrs;
    return linktype === "story" && typeof uuid === "string" && uuid !== "" ? uuid : undefined;
  }
  if (object.linktype !== "story" || typeof object.id !== "string" || object.id === "") return undefined;
  return object.id;
}

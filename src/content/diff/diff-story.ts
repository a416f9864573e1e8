import { parseExact } from "../../lib/json/exact-json.js";
import { isObject } from "../../lib/shape.js";
import { diffFields, diffValue } from "./diff-value.js";
import type { AddedItem, Difference, FieldDifference, ItemDifference, RemovedItem } from "./difference.js";

export interface StoryDifference {
  /** `same`: the very bytes. `spelling`: the same values, and a key or number is spelled in another way or order. */
  change: "added" | "removed" | "changed" | "spelling" | "same" | "absent";
  /** The fields of the record that differ; `content` holds what editors write. Empty unless `changed`. */
  fields: readonly FieldDifference[];
}

/** Compares two records of one story. @param before its canonical JSON; undefined if there was none */
export function diffStory(before: string | undefined, after: string | undefined): StoryDifference {
  if (before === undefined || after === undefined) {
    const change = after !== undefined ? "added" : before !== undefined ? "removed" : "absent";
    return { change, fields: [] };
  }
  if (before === after) return { change: "same", fields: [] };
  const fields = noteMoves(diffFields(recordOf(before), recordOf(after), 0));
  return { change: fields.length === 0 ? "spelling" : "changed", fields };
}

function recordOf(text: string): Record<string, unknown> {
  const record = parseExact(text);
  return isObject(record) ? record : {};
}

interface Found<Item> {
  item: Item;
  path: string;
}

/** Notes in the given differences which blocks have moved from one list to another, as from column to column. */
function noteMoves(fields: readonly FieldDifference[]): readonly FieldDifference[] {
  const added: Found<AddedItem>[] = [];
  const removed = new Map<string, Found<RemovedItem>>();
  const visitFields = (list: readonly FieldDifference[], path: string) => {
    for (const { field, difference } of list) visit(difference, path === "" ? field : `${path} › ${field}`);
  };
  const visitItem = (item: ItemDifference, path: string) => {
    const place = `${path} › ${(item.change === "removed" ? item.from : item.to) + 1} ${item.label}`.trimEnd();
    if (item.change === "added") added.push({ item, path: place });
    if (item.change === "removed") {
      const uid = uidOf(item.before);
      if (uid !== undefined && !removed.has(uid)) removed.set(uid, { item, path: place });
    }
    if (item.change === "kept" && item.difference !== undefined) visit(item.difference, place);
  };
  const visit = (difference: Difference, path: string) => {
    if (difference.kind === "object") visitFields(difference.fields, path);
    if (difference.kind === "items") for (const item of difference.items) visitItem(item, path);
    if (difference.kind === "richText") for (const item of difference.blocks?.items ?? []) visitItem(item, path);
  };
  visitFields(fields, "");
  for (const { item, path } of added) {
    const uid = uidOf(item.after);
    const from = uid === undefined ? undefined : removed.get(uid);
    if (from === undefined || uid === undefined) continue;
    removed.delete(uid);
    item.cameFrom = from.path;
    from.item.wentTo = path;
    const difference = diffValue(from.item.before, item.after);
    if (difference !== undefined) item.difference = difference;
  }
  return fields;
}

function uidOf(block: unknown): string | undefined {
  const uid = isObject(block) ? block._uid : undefined;
  return typeof uid === "string" && uid !== "" ? uid : undefined;
}

import { isObject } from "../../lib/shape.js";
import { diffValue } from "./diff-value.js";
import type { AddedItem, Difference, FieldDifference, ItemDifference, RemovedItem } from "./difference.js";

interface Found<Item> {
  item: Item;
  /** Where the list stands: `content › body › columns`. */
  path: string;
}

/**
 * Notes which blocks that came to one list are those that went from another one: a block that was dragged from a column
 * to the next has moved. Fills the differences that are given.
 */
export function noteMoves(fields: readonly FieldDifference[]): readonly FieldDifference[] {
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

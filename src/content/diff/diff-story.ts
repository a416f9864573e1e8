import { costLimits } from "../../lib/cost-limits.js";
import { NumberText, parseExact } from "../../lib/json/exact-json.js";
import { isObject } from "../../lib/shape.js";
import { isRichText, type JsonObject } from "../resolve/content-shape.js";
import { diffItems } from "./diff-items.js";
import { diffRichText } from "./diff-rich-text.js";
import { diffText } from "./diff-text.js";
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

/** Undefined if they are the same but for key order. @param level below the nesting limit, values are replaced */
export function diffValue(before: unknown, after: unknown, level = 0): Difference | undefined {
  if (before === after) return undefined;
  if (typeof before === "string" && typeof after === "string") {
    return { kind: "text", before, after, pieces: diffText(before, after) };
  }
  if (level < costLimits.nesting) {
    const compare = (one: unknown, other: unknown) => diffValue(one, other, level + 1);
    if (isRichText(before) && isRichText(after)) {
      return sameValue(before, after) ? undefined : diffRichText(before, after, compare);
    }
    if (Array.isArray(before) && Array.isArray(after)) return diffItems(before, after, compare);
    if (areComparable(before, after)) {
      const fields = diffFields(before as JsonObject, after as JsonObject, level + 1);
      return fields.length === 0 ? undefined : { kind: "object", fields };
    }
  }
  return sameValue(before, after) ? undefined : { kind: "replaced", before, after };
}

/** A block that became one of another component is another block. */
function areComparable(before: unknown, after: unknown): boolean {
  if (!isPlain(before) || !isPlain(after)) return false;
  return before.component === after.component && isRichText(before) === isRichText(after);
}

function isPlain(value: unknown): value is JsonObject {
  return isObject(value) && !(value instanceof NumberText);
}

/** The fields that differ: those of the new object in its order, then those that are gone. */
function diffFields(before: JsonObject, after: JsonObject, level: number): FieldDifference[] {
  const names = [...Object.keys(after), ...Object.keys(before).filter((name) => !Object.hasOwn(after, name))];
  return names.flatMap((field): FieldDifference[] => {
    if (!Object.hasOwn(before, field)) return [{ field, difference: { kind: "added", after: after[field] } }];
    if (!Object.hasOwn(after, field)) return [{ field, difference: { kind: "removed", before: before[field] } }];
    const difference = diffValue(before[field], after[field], level);
    return difference === undefined ? [] : [{ field, difference }];
  });
}

/** True if two values are the same JSON; the order of keys and the depth do not matter. */
function sameValue(first: unknown, second: unknown): boolean {
  const left: [unknown, unknown][] = [[first, second]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (a instanceof NumberText || b instanceof NumberText) {
      if (String(a) !== String(b)) return false;
      continue;
    }
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      left.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
    }
  }
  return true;
}

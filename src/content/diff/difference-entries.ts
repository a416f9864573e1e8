import { printExact } from "../../lib/json/exact-json.js";
import { isObject } from "../../lib/shape.js";
import { isRichText } from "../resolve/content-shape.js";
import { richTextParagraphs } from "./diff-rich-text.js";
import type { TextPiece } from "./diff-text.js";
import type { Difference, FieldDifference, ItemDifference, ParagraphDifference } from "./difference.js";

export interface DifferenceEntry {
  /** Its path: `content › body › 2 teaser › headline`; the places of items count from 1. */
  path: string;
  change: "added" | "removed" | "changed" | "moved";
  words?: readonly TextPiece[];
  paragraphs?: readonly ParagraphDifference[];
  /** For any other value: the old and the new one. */
  before?: string;
  after?: string;
  /** For a move: the old and the new place. */
  from?: string;
  to?: string;
}

/** Everything that differs, in the order of the record, as a flat list. */
export function differenceEntries(fields: readonly FieldDifference[]): DifferenceEntry[] {
  return fields.flatMap(({ field, difference }) => entriesOf(difference, field));
}

function entriesOf(difference: Difference, path: string): DifferenceEntry[] {
  switch (difference.kind) {
    case "added":
      return [{ path, change: "added", after: shownValue(difference.after) }];
    case "removed":
      return [{ path, change: "removed", before: shownValue(difference.before) }];
    case "replaced": {
      const { before, after } = difference;
      return [{ path, change: "changed", before: shownValue(before), after: shownValue(after) }];
    }
    case "text":
      return [{ path, change: "changed", words: difference.pieces }];
    case "object":
      return difference.fields.flatMap((one) => entriesOf(one.difference, `${path} › ${one.field}`));
    case "items":
      return difference.items.flatMap((item) => entriesOfItem(item, path));
    case "richText": {
      const { paragraphs, blocks } = difference;
      const ofBlocks = (blocks?.items ?? []).flatMap((item) => entriesOfItem(item, path));
      const hasText = paragraphs.length > 0 || ofBlocks.length === 0;
      return [...(hasText ? [{ path, change: "changed" as const, paragraphs }] : []), ...ofBlocks];
    }
  }
}

function entriesOfItem(item: ItemDifference, list: string): DifferenceEntry[] {
  const pathAt = (place: number) => `${list} › ${place + 1} ${item.label}`.trimEnd();
  if (item.change === "removed") {
    // Its new place reports it.
    if (item.wentTo !== undefined) return [];
    return [{ path: pathAt(item.from), change: "removed", before: shownValue(item.before) }];
  }
  const path = pathAt(item.to);
  const inside = item.difference === undefined ? [] : entriesOf(item.difference, path);
  if (item.change === "added") {
    if (item.cameFrom === undefined) return [{ path, change: "added", after: shownValue(item.after) }];
    return [{ path, change: "moved", from: item.cameFrom, to: path }, ...inside];
  }
  if (!item.moved) return inside;
  return [{ path, change: "moved", from: pathAt(item.from), to: path }, ...inside];
}

/** A value as a person reads it: texts as they are, rich text as text, blocks as a list of their fields. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (isRichText(value)) {
    const { paragraphs, blocks } = richTextParagraphs(value);
    return [...paragraphs.map(({ text }) => text), ...blocks.map(shownValue)].join("\n");
  }
  if (isObject(value) && typeof value.component === "string") return shownBlock(value, value.component);
  return printed(value);
}

function printed(value: unknown): string {
  try {
    return printExact(value) ?? "";
  } catch {
    // Nested deeper than JSON can be printed.
    return "…";
  }
}

function shownBlock(block: Record<string, unknown>, component: string): string {
  const fields = Object.entries(block).filter(([name, value]) => {
    return !["_uid", "component", "_editable"].includes(name) && value !== "" && value !== null;
  });
  const shown = (value: unknown) =>
    typeof value === "string" || isRichText(value) ? shownValue(value) : printed(value);
  return [component, ...fields.map(([name, value]) => `${name}: ${shown(value)}`)].join("\n");
}

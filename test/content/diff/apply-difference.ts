import type { Difference, FieldDifference, ItemsDifference } from "../../../src/content/diff/difference.js";

/** The new value that a difference makes of the old one: reads of the new one only what the difference says. */
export function applyDifference(before: unknown, difference: Difference | undefined): unknown {
  if (difference === undefined) return before;
  switch (difference.kind) {
    case "added":
    case "replaced":
      return difference.after;
    case "removed":
      return undefined;
    case "text": {
      expectText(before, difference.pieces);
      return textOf(difference.pieces, "removed");
    }
    case "richText":
      return difference.after;
    case "object":
      return applyFields(before as Record<string, unknown>, difference.fields);
    case "items":
      return applyItems(before as readonly unknown[], difference);
  }
}

function applyFields(before: Record<string, unknown>, fields: readonly FieldDifference[]) {
  const after = new Map(Object.entries(before));
  for (const { field, difference } of fields) {
    if (difference.kind === "removed") after.delete(field);
    else after.set(field, applyDifference(before[field], difference));
  }
  return Object.fromEntries(after);
}

function applyItems(before: readonly unknown[], { items }: ItemsDifference): unknown[] {
  const after: unknown[] = [];
  for (const item of items) {
    if (item.change === "removed") continue;
    if (item.to !== after.length) throw new Error(`item ${item.to} stands at place ${after.length}`);
    after.push(item.change === "added" ? item.after : applyDifference(before[item.from], item.difference));
  }
  const used = items.flatMap((item) => (item.change === "added" ? [] : [item.from])).sort((a, b) => a - b);
  if (used.some((place, at) => place !== at) || used.length !== before.length) throw new Error("an item is lost");
  return after;
}

type Pieces = Extract<Difference, { kind: "text" }>["pieces"];

function textOf(pieces: Pieces, without: "added" | "removed"): string {
  return pieces
    .filter(({ change }) => change !== without)
    .map(({ text }) => text)
    .join("");
}

function expectText(before: unknown, pieces: Pieces): void {
  if (textOf(pieces, "added") !== before) throw new Error("the pieces are not of the old text");
}

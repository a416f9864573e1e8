import type { TextPiece } from "./diff-text.js";

/** How a value that JSON can spell differs from what it was: all that is needed to make the new one of the old one. */
export type Difference =
  | { kind: "added"; after: unknown }
  | { kind: "removed"; before: unknown }
  | { kind: "replaced"; before: unknown; after: unknown }
  | { kind: "text"; before: string; after: string; pieces: readonly TextPiece[] }
  | RichTextDifference
  | { kind: "object"; fields: readonly FieldDifference[] }
  | ItemsDifference;

export interface FieldDifference {
  field: string;
  difference: Difference;
}

export interface RichTextDifference {
  kind: "richText";
  before: unknown;
  after: unknown;
  paragraphs: readonly ParagraphDifference[];
  blocks?: ItemsDifference;
}

export interface ParagraphDifference {
  change: "added" | "removed" | "changed";
  /** Its kind: `paragraph`, `heading 2`. */
  is: string;
  pieces: readonly TextPiece[];
  /** True if only marks, links or attributes differ. */
  formatting?: true;
}

/** A list: all items in the new order, untouched ones too; those that are gone where they stood. */
export interface ItemsDifference {
  kind: "items";
  items: readonly ItemDifference[];
}

export type ItemDifference = KeptItem | AddedItem | RemovedItem;

export interface KeptItem {
  change: "kept";
  /** Its place before and now, from 0. */
  from: number;
  to: number;
  /** True if its order among the items of both lists changed. */
  moved: boolean;
  /** What names it: the component of a block, the name of an asset's file. Empty: its place alone. */
  label: string;
  difference?: Difference;
}

export interface AddedItem {
  change: "added";
  to: number;
  label: string;
  after: unknown;
  /** For a block from another list: its old place and the difference. */
  cameFrom?: string;
  difference?: Difference;
}

export interface RemovedItem {
  change: "removed";
  from: number;
  label: string;
  before: unknown;
  /** For a block now in another list: its new place. */
  wentTo?: string;
}

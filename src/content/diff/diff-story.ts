import { parseExact } from "../../lib/json/exact-json.js";
import { isObject } from "../../lib/shape.js";
import { diffFields } from "./diff-value.js";
import type { FieldDifference } from "./difference.js";
import { noteMoves } from "./note-moves.js";

/** How a story differs between two states. */
export interface StoryDifference {
  /** `same`: the very bytes. `spelling`: the same values, and a key or number is spelled in another way or order. */
  change: "added" | "removed" | "changed" | "spelling" | "same" | "absent";
  /** The fields of the record that differ; `content` holds what editors write. Empty unless `changed`. */
  fields: readonly FieldDifference[];
}

/**
 * Compares two records of one story: fields, the blocks in them by `_uid`, rich text by paragraph, texts by word.
 *
 * @param before its canonical JSON; undefined where there was none
 * @param after the same of the later state
 */
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

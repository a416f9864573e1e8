import { textOf } from "../../../lib/json/bytes.js";
import { NumberText, parseExact } from "../../../lib/json/exact-json.js";
import type { Sliced } from "./slices.js";
import type { StoryRows } from "./story-rows.js";

/** The fields that a search reads beside the whole record. */
const searchFields = [["full_slug"], ["name"]] as const;

/**
 * The rows that contain a text, whatever the case, in the name, the full slug or any value of the content (uids,
 * field values, numbers and flags as the record spells them, file names, rich text and its attributes). Field names are
 * not searched.
 *
 * @returns the relevance of each row: 0 found in the full slug, 1 in the name, 2 in the content
 */
export function* searchRows(rows: StoryRows, term: string): Sliced<ReadonlyMap<number, number>> {
  const ready = yield* rows.prepare(searchFields);
  const found = new Map<number, number>();
  const wanted = term.toLowerCase();
  const escaped = JSON.stringify(wanted).slice(1, -1).toLowerCase();
  const fullSlug = ready.field(["full_slug"]);
  const name = ready.field(["name"]);
  const contains = (value: unknown) => typeof value === "string" && value.toLowerCase().includes(wanted);
  for (let row = 0; row < rows.count; row += 1) {
    if (contains(fullSlug(row))) found.set(row, 0);
    else if (contains(name(row))) found.set(row, 1);
    else if (rows.text(row).toLowerCase().includes(escaped) && someValue(exactContent(rows, row), wanted))
      found.set(row, 2);
    yield;
  }
  return found;
}

/** The content of a row, with each number as the record spells it. */
function exactContent(rows: StoryRows, row: number): unknown {
  const bytes = rows.valueBytes(row, ["content"]);
  return bytes.length === 0 ? undefined : parseExact(textOf(bytes, 0, bytes.length));
}

/** Whether any text, number or flag inside a JSON value contains the wanted text. */
function someValue(value: unknown, wanted: string): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "object" && next !== null && !(next instanceof NumberText)) {
      for (const inner of Object.values(next)) left.push(inner);
    } else if (next !== null && String(next).toLowerCase().includes(wanted)) {
      return true;
    }
  }
  return false;
}

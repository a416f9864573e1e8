import { memberText } from "../json/member.js";
import { comparePieces, placeOf } from "./shard-trie.js";

/** Where a record stands in a shard, or would stand. */
export interface LinePlace {
  at: number;
  /** Whether the line at `at` is of this key. */
  found: boolean;
}

/**
 * Finds a record by its key with a binary search in the lines of a shard, which {@link comparePieces} orders.
 * @param field The field that holds the key.
 * @param from Index of the line to start from; the caller knows that all lines before it come before the key.
 * @throws RangeError when a line that is compared has no key.
 */
export function findLine(lines: readonly string[], field: string, key: string, from = 0): LinePlace {
  const wanted = { key, place: placeOf(key) };
  let low = from;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = memberText(lines[middle]!, field);
    if (other === undefined) throw new RangeError(`A record has no ${field}: ${lines[middle]!.slice(0, 80)}`);
    if (other === key) return { at: middle, found: true };
    if (comparePieces({ key: other, place: placeOf(other) }, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, found: false };
}

import { lowerBound } from "../lib/collections/lower-bound.js";
import { memberText } from "../lib/json/member.js";
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
  const keyAt = (at: number): string => {
    const other = memberText(lines[at]!, field);
    if (other === undefined) throw new RangeError(`A record has no ${field}: ${lines[at]!.slice(0, 80)}`);
    return other;
  };
  const isBehind = (at: number): boolean => {
    const other = keyAt(at);
    return comparePieces({ key: other, place: placeOf(other) }, wanted) >= 0;
  };
  const at = from + lowerBound(lines.length - from, (one) => isBehind(from + one));
  return { at, found: at < lines.length && keyAt(at) === key };
}

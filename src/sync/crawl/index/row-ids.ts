import { lowerBound } from "../../../lib/collections/lower-bound.js";
import type { IndexRow } from "./index-row.js";
import type { RowTable } from "./row-table.js";

/** The stories of an index by id; of two with the same id the later one. */
export function storiesById(index: RowTable): (id: number) => IndexRow | undefined {
  const { rows } = index;
  const ids = new Float64Array(index.size);
  const numbers = index.numbers().slice();
  for (const [at, number] of numbers.entries()) ids[at] = rows.isFolderAt(number) ? none : (rows.at(number).id ?? none);
  const order = Int32Array.from(ids, (_, at) => at).sort((a, b) => ids[a]! - ids[b]! || a - b);
  return (id) => {
    const behind = firstBehind(order, ids, id);
    const at = order[behind - 1];
    return at === undefined || ids[at] !== id || id === none ? undefined : rows.at(numbers[at]!);
  };
}

/** In the place of the id of a row that has none. */
const none = Number.NEGATIVE_INFINITY;

/** How many of the sorted ids are not larger. */
function firstBehind(order: Int32Array, ids: Float64Array, id: number): number {
  return lowerBound(order.length, (at) => ids[order[at]!]! > id);
}

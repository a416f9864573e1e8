import { lowerBound } from "../../lib/collections/lower-bound.js";

/** The places of a longest increasing part of a sequence of different numbers: what has not moved in a new order. */
export function longestIncreasing(numbers: readonly number[]): Set<number> {
  /** By length: the place of the smallest number that a part of this length ends with. */
  const ends: number[] = [];
  const previous: number[] = [];
  numbers.forEach((number, place) => {
    const length = lowerBound(ends.length, (at) => numbers[ends[at]!]! >= number);
    previous[place] = length === 0 ? -1 : ends[length - 1]!;
    ends[length] = place;
  });
  const part = new Set<number>();
  for (let place = ends.at(-1) ?? -1; place >= 0; place = previous[place]!) part.add(place);
  return part;
}

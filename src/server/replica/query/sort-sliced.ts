import type { Sliced } from "./slices.js";

/** Number of rows that are sorted, or merged, between two yields. */
const runLength = 1024;

/**
 * Sorts rows: stable, in slices. Short runs are sorted one by one and then merged in pairs.
 *
 * @returns the given array or another one of the same length
 */
export function* sortSliced(rows: Uint32Array, compare: (a: number, b: number) => number): Sliced<Uint32Array> {
  for (let start = 0; start < rows.length; start += runLength) {
    rows.subarray(start, start + runLength).sort(compare);
    yield;
  }
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  for (let width = runLength; width < rows.length; width *= 2) {
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length);
      yield* merge(from, to, { start, middle, end: Math.min(middle + width, rows.length) }, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

function* merge(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: { start: number; middle: number; end: number },
  compare: (a: number, b: number) => number,
): Sliced<void> {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    const takeLeft = left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
    to[at] = from[takeLeft ? left++ : right++]!;
    if (at % runLength === 0) yield;
  }
}

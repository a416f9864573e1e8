/** Binary search: the first index from which on `isBehind` is true, or `count`. */
export function lowerBound(count: number, isBehind: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

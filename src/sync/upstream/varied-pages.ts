import type { ListPage } from "./answer.js";
import { pageSize, type ReadPagesOptions, readPageList, rowCount } from "./pages.js";

/** Variations cycle through at least so many page sizes below a server's largest page. */
const sizesAtLeast = 20;

export interface VariedReading {
  perPage: number;
  /** 0: the addresses of an ordinary reading. */
  variation: number;
  sizeBelow?: typeof sizeBelowCap;
}

/** Under addresses that no other variation has. With smaller pages of the server, one more request. */
export async function readVariedPages<R>(
  { perPage, variation, sizeBelow = sizeBelowCap }: VariedReading,
  fetchPage: (page: number, perPage: number) => Promise<ListPage<R>>,
  options: ReadPagesOptions & { textOf: (record: R) => string },
): Promise<R[][]> {
  if (variation === 0) return readPageList(perPage, fetchPage, options);
  const first = await fetchPage(1, perPage);
  const largest = pageSize(first, perPage);
  // A server caps later pages at its own size, which would give the same addresses every time.
  const isWhole = rowCount(first) < largest && (first.total ?? 0) <= rowCount(first);
  if (largest < perPage && !isWhole) return readPageList(sizeBelow(largest, variation), fetchPage, options);
  let isFirst = true;
  const fetch = async (page: number, size: number) => {
    if (page > 1 || !isFirst) return fetchPage(page, size);
    isFirst = false;
    return first;
  };
  return readPageList(perPage, fetch, options);
}

/** From 1; never the cap nor the last variation's, and at least half as large unless too few remain. Pure. */
export function sizeBelowCap(cap: number, variation: number): number {
  const sizes = Math.max(1, Math.min(cap - 1, Math.max(sizesAtLeast, Math.floor(cap / 2))));
  return Math.max(1, cap - 1 - ((variation - 1) % sizes));
}

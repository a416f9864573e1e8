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

/**
 * Reads all pages of a list under addresses that no other variation has, also if the server's pages
 * are smaller than requested: that takes one more request.
 * @throws OffprintError UPSTREAM_INCONSISTENT if the number of records is not `Total`
 */
export async function readVariedPages<R>(
  { perPage, variation, sizeBelow = sizeBelowCap }: VariedReading,
  fetchPage: (page: number, perPage: number) => Promise<ListPage<R>>,
  options: ReadPagesOptions & { textOf: (record: R) => string },
): Promise<R[][]> {
  if (variation === 0) return readPageList(perPage, fetchPage, options);
  const first = await fetchPage(1, perPage);
  const largest = pageSize(first, perPage);
  // A server caps the later pages at its own size, so that they would have the same addresses every
  // time.
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

/**
 * The page size of a variation (from 1) below a server's largest page: never that one, another than
 * the last variation's, and at least half as large unless too few sizes remain. Pure.
 */
export function sizeBelowCap(cap: number, variation: number): number {
  const sizes = Math.max(1, Math.min(cap - 1, Math.max(sizesAtLeast, Math.floor(cap / 2))));
  return Math.max(1, cap - 1 - ((variation - 1) % sizes));
}

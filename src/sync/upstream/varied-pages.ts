import type { ListPage } from "./answer.js";
import { pageSize, type ReadPagesOptions, readPageList, rowCount } from "./pages.js";

/** Page sizes below a server's largest page that variations take turns with, where it has so many. */
const sizesAtLeast = 20;

/** How {@link readVariedPages} varies. */
export interface VariedReading {
  /** The page size to ask for, another one for every variation. */
  perPage: number;
  /** 0: the addresses of an ordinary reading. */
  variation: number;
  /** {@link sizeBelowCap} */
  sizeBelow?: typeof sizeBelowCap;
}

/**
 * Reads all pages of a list, page by page, under addresses that no other variation has: also where the server's largest
 * page is smaller than what is asked for, and whether or not it tells that. There, it takes one request more.
 * @throws OffprintError UPSTREAM_INCONSISTENT when the records read are not as many as `Total` says
 */
export async function readVariedPages<R>(
  { perPage, variation, sizeBelow = sizeBelowCap }: VariedReading,
  fetchPage: (page: number, perPage: number) => Promise<ListPage<R>>,
  options: ReadPagesOptions & { textOf: (record: R) => string },
): Promise<R[][]> {
  if (variation === 0) return readPageList(perPage, fetchPage, options);
  const first = await fetchPage(1, perPage);
  const largest = pageSize(first, perPage);
  // A server caps the pages behind the first in its own size, so that they would have the same addresses every time.
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
 * The page size of a variation (1 or more) below the largest page of a server: never that one itself, and another one than
 * that of the variation before, where there are two. Half as large at the least, but that small pages have few sizes. Pure.
 */
export function sizeBelowCap(cap: number, variation: number): number {
  const sizes = Math.max(1, Math.min(cap - 1, Math.max(sizesAtLeast, Math.floor(cap / 2))));
  return Math.max(1, cap - 1 - ((variation - 1) % sizes));
}

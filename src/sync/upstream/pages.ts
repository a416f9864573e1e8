import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { OffprintError } from "../../lib/errors.js";
import type { ListPage } from "./answer.js";

/** The default page size of the interface; servers that cap it do so at a multiple. */
const usualCap = 25;

export function rowCount({ records, faults = [] }: ListPage<unknown>): number {
  return records.length + faults.filter(({ isLeftOut }) => isLeftOut).length;
}

export interface ReadPagesOptions {
  /** What is listed, for error messages: `links`, `stories of published/de`. */
  what?: string;
  /** How many pages may be in flight; the queue of the upstream bounds the requests themselves. */
  concurrency?: number | undefined;
  /** If `Total` changed meanwhile: pages with another one are read again. Without it, the reading fails. */
  onTotalChanged?: (reason: string) => void;
}

/**
 * In page order. With `Total`, pages 2 to n are requested concurrently, and every page must repeat it; without it,
 * one by one up to the first short one. Asks once more behind an end that may be wrong, a full page or an empty one.
 * @throws OffprintError UPSTREAM_INCONSISTENT if the number of records is not `Total`
 */
export async function readPages<R extends { readonly text: string }>(
  perPage: number,
  fetchPage: FetchPage<R>,
  options: ReadPagesOptions = {},
): Promise<R[]> {
  return (await readPageList(perPage, fetchPage, { ...options, textOf: ({ text }) => text })).flat();
}

/** {@link readPages} by page: the very arrays. @param options.textOf recognizes a page that repeats another */
async function readPageList<R>(
  perPage: number,
  fetchPage: FetchPage<R>,
  options: ReadPagesOptions & { textOf: (record: R) => string },
): Promise<R[][]> {
  const first = await fetchPage(1, perPage);
  const list: List<R> = {
    what: options.what ?? "the list",
    asked: perPage,
    size: pageSize(first, perPage),
    first,
    fetchPage,
  };
  if (first.total === null) return readToShortPage(list, options);
  return readToTotal(list, first.total, options);
}

type FetchPage<R> = (page: number, perPage: number) => Promise<ListPage<R>>;

interface List<R> {
  what: string;
  asked: number;
  size: number;
  first: ListPage<R>;
  fetchPage: FetchPage<R>;
}

/** Without `Per-Page` and `Total`, a first page of 25 or 50 rows of 100 may have been capped: asks for one more. */
function pageSize(first: ListPage<unknown>, asked: number): number {
  if (first.perPage !== null && first.perPage > 0) return Math.min(first.perPage, asked);
  const rows = rowCount(first);
  if (rows === 0 || rows >= asked) return asked;
  const capped = first.total === null ? rows % usualCap === 0 : rows < first.total;
  return capped ? rows : asked;
}

/** How often pages are read again because `Total` changed. */
const totalsAtMost = 4;
/** More pages than any list has: a larger `Total` is absurd. */
const pagesAtMost = 1_000_000;

async function readToTotal<R>(
  list: List<R>,
  total: number,
  { concurrency = 16, onTotalChanged }: ReadPagesOptions,
): Promise<R[][]> {
  const { what, size, first } = list;
  let pages = await readNumbered(list, total, new Map([[1, first]]), { concurrency, onTotalChanged });
  for (let attempt = 1; ; attempt++) {
    const latest = pages.get(pages.size)?.total ?? null;
    const stale = [...pages.values()].find((page) => page.total !== latest);
    if (stale === undefined) break;
    if (latest === null || attempt === totalsAtMost)
      throw inconsistent(what, `Total is ${stale.total} on one page and ${latest} on another`);
    onTotalChanged?.(`Total of ${what} changed from ${stale.total} to ${latest} while they were read`);
    const known = new Map([...pages].filter(([, page]) => page.total === latest));
    pages = await readNumbered(list, latest, known, { concurrency, onTotalChanged });
  }
  const named = pages.get(1)?.total ?? total;
  const came = [...pages.values()].reduce((sum, page) => sum + rowCount(page), 0);
  if (came !== named) throw inconsistent(what, `Total is ${named}, but ${came} came`);
  if (came > 0 && came === pages.size * size) await refuseMore(list, pages.size);
  return [...pages].sort(([a], [b]) => a - b).map(([, page]) => page.records);
}

/** Except the known ones. @throws OffprintError UPSTREAM_INCONSISTENT for an empty page, or an unexpected `Total` */
async function readNumbered<R>(
  { what, size, first, fetchPage }: List<R>,
  total: number,
  known: ReadonlyMap<number, ListPage<R>>,
  { concurrency, onTotalChanged }: { concurrency: number; onTotalChanged: ReadPagesOptions["onTotalChanged"] },
): Promise<Map<number, ListPage<R>>> {
  const isOnePage = rowCount(first) === 0 || rowCount(first) >= total;
  const count = isOnePage ? 1 : Math.min(Math.ceil(total / size), pagesAtMost);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const missing = numbers.filter((number) => !known.has(number));
  const pages = new Map([...known].filter(([number]) => number <= count));
  await mapBounded(missing, concurrency, async (number) => {
    const page = await fetchPage(number, size);
    if (page.total !== total && onTotalChanged === undefined)
      throw inconsistent(what, `Total is ${total} on page 1 and ${page.total} on page ${number}`);
    if (rowCount(page) === 0 && number > 1 && page.total === total)
      throw inconsistent(what, `Total is ${total}, but page ${number} is empty`);
    pages.set(number, page);
  });
  return pages;
}

/** @throws OffprintError UPSTREAM_INCONSISTENT if there is a row after these pages */
async function refuseMore<R>({ what, size, fetchPage }: List<R>, pages: number): Promise<void> {
  const page = await fetchPage(pages + 1, size);
  if (rowCount(page) > 0) throw inconsistent(what, `page ${pages + 1} has rows after the end of the list`);
}

async function readToShortPage<R>(
  { what, asked, size, first, fetchPage }: List<R>,
  { textOf }: { textOf: (record: R) => string },
): Promise<R[][]> {
  const pages = [first.records];
  // More rows than requested: this server ignores paging.
  let rows = rowCount(first);
  if (rows > asked) return pages;
  for (let number = 2; rows > 0 && rows >= size; number++) {
    const page = await fetchPage(number, size);
    if (repeats(first, page, textOf)) {
      // It ignored the page number. Fewer rows than requested are the whole list; a full page may not be.
      if (rowCount(first) < asked) return [first.records];
      throw inconsistent(what, `page ${number} repeats page 1`);
    }
    pages.push(page.records);
    rows = rowCount(page);
    if (rows === 0) await refuseMore({ what, asked, size, first, fetchPage }, number);
  }
  return pages;
}

function repeats<R>(first: ListPage<R>, page: ListPage<R>, textOf: (record: R) => string): boolean {
  const [record, other] = [first.records[0], page.records[0]];
  return record !== undefined && other !== undefined && textOf(record) === textOf(other);
}

function inconsistent(what: string, reason: string): OffprintError {
  return new OffprintError("UPSTREAM_INCONSISTENT", `The pages of ${what} are inconsistent: ${reason}.`, {
    hint: "The space was probably edited while it was read. Run the sync again.",
  });
}

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

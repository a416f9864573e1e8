import { OffprintError } from "../errors.js";
import type { Page } from "./answer.js";

/** The default page size of the interface; servers that cap it do so at a multiple. */
const usualCap = 25;

/** How {@link readPages} reads. */
export interface ReadPagesOptions {
  /** What is listed, for error messages: `links`, `stories of published/de`. */
  what?: string;
  /** How many pages may be under way at once; the queue of the upstream bounds the requests themselves. */
  concurrency?: number;
}

/**
 * Reads all pages of a list and returns their records in page order.
 *
 * With `Total`, pages 2 to n are asked for concurrently, and every page has to repeat it. Without it, pages are
 * asked for one after the other up to the first short one. A server that uses a smaller page size than it was asked
 * for says so in `Per-Page`; the other pages are then asked for in that size.
 *
 * @param perPage the page size to ask for
 * @param fetchPage reads one page (counted from 1) of the given size
 * @throws OffprintError UPSTREAM_INCONSISTENT when the records read are not as many as `Total` says
 */
export async function readPages<T>(
  perPage: number,
  fetchPage: (page: number, perPage: number) => Promise<Page<T>>,
  options: ReadPagesOptions = {},
): Promise<Page<T>["records"]> {
  const first = await fetchPage(1, perPage);
  const list: List<T> = {
    what: options.what ?? "the list",
    asked: perPage,
    size: pageSize(first, perPage),
    first,
    fetchPage,
  };
  if (first.total === null) return readToShortPage(list);
  return readToTotal(list, first.total, options.concurrency ?? 16);
}

/** A list whose first page was read. */
interface List<T> {
  what: string;
  /** Page size that was asked for. */
  asked: number;
  /** Page size of the server. */
  size: number;
  first: Page<T>;
  fetchPage: (page: number, perPage: number) => Promise<Page<T>>;
}

/**
 * The page size that the server really uses. Without `Per-Page` and `Total`, a first page of 25 or 50 rows where
 * 100 were asked for may have been capped: one more page is asked for before the list counts as complete.
 */
function pageSize(first: Page<unknown>, asked: number): number {
  if (first.perPage !== null && first.perPage > 0) return Math.min(first.perPage, asked);
  const rows = first.records.length;
  if (rows === 0 || rows >= asked) return asked;
  const capped = first.total === null ? rows % usualCap === 0 : rows < first.total;
  return capped ? rows : asked;
}

async function readToTotal<T>(
  { what, size, first, fetchPage }: List<T>,
  total: number,
  concurrency: number,
): Promise<Page<T>["records"]> {
  const pages: Page<T>[] = [first];
  const last = first.records.length === 0 ? 1 : Math.ceil(total / size);
  let next = 2;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (!failed && next <= last && first.records.length < total) {
      const number = next++;
      const page = await fetchPage(number, size);
      if (page.total !== total)
        throw inconsistent(what, `Total is ${total} on page 1 and ${page.total} on page ${number}`);
      if (page.records.length === 0) throw inconsistent(what, `Total is ${total}, but page ${number} is empty`);
      pages[number - 1] = page;
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, Math.max(0, last - 1)) }, () =>
    worker().catch((error: unknown) => {
      failed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
  const records = pages.flatMap((page) => page.records);
  if (records.length !== total) throw inconsistent(what, `Total is ${total}, but ${records.length} came`);
  return records;
}

async function readToShortPage<T>({ what, asked, size, first, fetchPage }: List<T>): Promise<Page<T>["records"]> {
  const records = [...first.records];
  // More rows than were asked for: this server ignores paging.
  if (records.length > asked) return records;
  let rows = records.length;
  for (let number = 2; rows > 0 && rows >= size; number++) {
    const page = await fetchPage(number, size);
    if (repeats(first, page)) {
      // The page number was ignored. A page with fewer rows than asked for is then the whole list; a full one may
      // not be.
      if (first.records.length < asked) return [...first.records];
      throw inconsistent(what, `page ${number} repeats page 1`);
    }
    records.push(...page.records);
    rows = page.records.length;
  }
  return records;
}

function repeats(first: Page<unknown>, page: Page<unknown>): boolean {
  const text = page.records[0]?.text;
  return text !== undefined && text === first.records[0]?.text;
}

function inconsistent(what: string, reason: string): OffprintError {
  return new OffprintError("UPSTREAM_INCONSISTENT", `The pages of ${what} do not fit together: ${reason}.`, {
    hint: "The space was probably edited while it was read. Run the sync again.",
  });
}

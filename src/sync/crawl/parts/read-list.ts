import { OffprintError } from "../../../lib/errors.js";
import type { Page, RecordText } from "../../upstream/answer.js";
import { readVariedPages, type VariedReading } from "../../upstream/varied-pages.js";

/** A list beside the stories, and how it is read. */
export interface ListToRead {
  /** What is listed, for error messages: `the entries of datasource "colors"`. */
  what: string;
  perPage: number;
  /** Above 0, the addresses are others than those of an ordinary reading. */
  variation: number;
  /** How many records the base or an earlier round has of it; 0 if there are none. */
  before: number;
  rules: ListRules;
}

/** The rules that a list beside the stories is read by. */
export interface ListRules {
  isMuchShorter: typeof isMuchShorter;
  sameRecords: typeof sameRecords;
  /** The page size of a variation, where the server's pages are smaller than what is asked for. */
  sizeBelowCap: NonNullable<VariedReading["sizeBelow"]>;
}

/**
 * Reads a paged list beside the stories, which no index confirms. Its end is confirmed where it could be a wrong one. A
 * list of several pages is read twice, the second time under other addresses, and so is one that is much shorter than it
 * was: both readings have to show the same records.
 * @throws OffprintError `UPSTREAM_INCONSISTENT` where they do not, or where pages shifted while they were read
 */
export async function readList<T extends object>(
  list: ListToRead,
  fetchPage: (page: number, perPage: number) => Promise<Page<T>>,
): Promise<RecordText<T>[]> {
  const first = await sweep(list, 2 * list.variation, fetchPage);
  if (first.pages < 2 && !list.rules.isMuchShorter(list.before, first.records.length)) return first.records;
  const second = await sweep(list, 2 * list.variation + 1, fetchPage);
  assertSame(list, first.records, second.records);
  return first.records;
}

/**
 * Reads a list that comes at once. One that is much shorter than it was is read once more.
 * @param again reads it under another address
 * @throws OffprintError `UPSTREAM_INCONSISTENT` where the two do not show the same records
 */
export async function readUnpaged<T extends object>(
  list: Pick<ListToRead, "what" | "before" | "rules">,
  read: () => Promise<RecordText<T>[]>,
  again: () => Promise<RecordText<T>[]>,
): Promise<RecordText<T>[]> {
  const first = await read();
  if (!list.rules.isMuchShorter(list.before, first.length)) return first;
  assertSame(list, first, await again());
  return first;
}

/** Whether a list is empty, or has less than half of its records, where it had some. Pure. */
export function isMuchShorter(before: number, now: number): boolean {
  return before > 0 && now * 2 < before;
}

/** Whether two readings of a list show the same records, in whatever order. Pure. */
export function sameRecords(a: readonly { text: string }[], b: readonly { text: string }[]): boolean {
  const texts = (records: readonly { text: string }[]) => records.map(({ text }) => text).sort();
  const other = texts(b);
  return a.length === b.length && texts(a).every((text, at) => text === other[at]);
}

function assertSame(
  { what, rules }: Pick<ListToRead, "what" | "rules">,
  first: readonly { text: string }[],
  second: readonly { text: string }[],
): void {
  if (rules.sameRecords(first, second)) return;
  throw inconsistent(`Two readings of ${what} differ: ${first.length} and ${second.length} records came.`);
}

async function sweep<T extends object>(
  { what, perPage, rules }: ListToRead,
  variation: number,
  fetchPage: (page: number, perPage: number) => Promise<Page<T>>,
): Promise<{ records: RecordText<T>[]; pages: number }> {
  const reading = { perPage: perPage - variation, variation, sizeBelow: rules.sizeBelowCap };
  const lists = await readVariedPages(reading, fetchPage, { what, confirmsEnd: true, textOf: ({ text }) => text });
  // What stands twice on one page is the list's own; on two pages it means that another record stands on none.
  const onPages = lists.flatMap((page) => [...new Set(page.flatMap(idOf))]);
  const twice = onPages.length - new Set(onPages).size;
  if (twice > 0) throw inconsistent(`The pages of ${what} shifted while they were read: ${twice} records came twice.`);
  return { records: lists.flat(), pages: lists.filter(({ length }) => length > 0).length };
}

/** The id of a record, where it has one. */
function idOf({ value }: RecordText<object>): number[] {
  const { id } = value as { id?: unknown };
  return typeof id === "number" ? [id] : [];
}

function inconsistent(message: string): OffprintError {
  return new OffprintError("UPSTREAM_INCONSISTENT", message, {
    hint: "The space was probably edited while it was read. Run the sync again.",
  });
}

import { OffprintError } from "../../../lib/errors.js";
import type { Page, RecordText } from "../../upstream/answer.js";
import { readVariedPages, type VariedReading } from "../../upstream/pages.js";
import { type PartReading, readPartRecords } from "./part-reading.js";

export interface ListToRead {
  /** What is listed, for error messages: `the entries of datasource "colors"`. */
  what: string;
  perPage: number;
  /** Above 0, the addresses differ from those of an ordinary reading. */
  variation: number;
  /** How many records the base or an earlier round has; 0 if there are none. */
  before: number;
  rules: ListRules;
}

export interface ListRules {
  isMuchShorter: typeof isMuchShorter;
  sameRecords: typeof sameRecords;
  /** The page size of a variation, if the server's pages are smaller than requested. */
  sizeBelowCap: NonNullable<VariedReading["sizeBelow"]>;
}

/** Several pages, or a much shorter list, are read twice under other addresses. @throws `UPSTREAM_INCONSISTENT` */
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

/** A part of a list without pages. Reads again, under another address, if much shorter than before. */
export async function readWhole<T extends object>(
  { before, rules }: { before(part: string): number; rules: ListRules },
  part: string,
  what: string,
  read: (isAgain: boolean) => Promise<RecordText<T>[]>,
): Promise<{ reading: PartReading; records: RecordText<T>[]; requests: number }> {
  const known = before(part);
  let requests = 1;
  const found = await readPartRecords(part, async () => {
    const first = await read(false);
    if (!rules.isMuchShorter(known, first.length)) return first;
    requests++;
    assertSame({ what, rules }, first, await read(true));
    return first;
  });
  return { ...found, requests };
}

/** True if a list that had records is empty or has less than half of them. Pure. */
export function isMuchShorter(before: number, now: number): boolean {
  return before > 0 && now * 2 < before;
}

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
  const lists = await readVariedPages(reading, fetchPage, { what, textOf: ({ text }) => text });
  // Repeated on one page, a record is the list's own. On two, it means that another one is on none.
  const onPages = lists.flatMap((page) => [...new Set(page.flatMap(idOf))]);
  const twice = onPages.length - new Set(onPages).size;
  if (twice > 0) throw inconsistent(`The pages of ${what} shifted while they were read: ${twice} records came twice.`);
  return { records: lists.flat(), pages: lists.filter(({ length }) => length > 0).length };
}

function idOf({ value }: RecordText<object>): number[] {
  const { id } = value as { id?: unknown };
  return typeof id === "number" ? [id] : [];
}

function inconsistent(message: string): OffprintError {
  return new OffprintError("UPSTREAM_INCONSISTENT", message, {
    hint: "The space was probably edited while it was read. Run the sync again.",
  });
}

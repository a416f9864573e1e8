import { OffprintError } from "../../../lib/errors.js";
import type { Page, RecordText } from "../../upstream/answer.js";
import { readVariedPages, type VariedReading } from "../../upstream/pages.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import { type PartReading, readPartRecords } from "./part-reading.js";

/** What reads the parts other than stories. */
export interface PartReader {
  pinned: PinnedUpstream;
  /** How many records the base or an earlier round has of a part; 0 if there are none. */
  before(part: string): number;
  rules: {
    isMuchShorter: typeof isMuchShorter;
    sameRecords: typeof sameRecords;
    /** The page size of a variation, if the server's pages are smaller than requested. */
    sizeBelowCap: NonNullable<VariedReading["sizeBelow"]>;
  };
}

export interface ReadList<T> {
  reading: PartReading;
  records: RecordText<T>[];
  requests: number;
}

/** Records per page: the documented maximum. */
export const listPerPage = 1_000;

/** A part with pages. Several pages, or a much shorter list, are read twice under other addresses. */
export async function readList<T extends object>(
  { pinned, before, rules }: PartReader,
  part: string,
  what: string,
  read: (page: number, perPage: number) => Promise<Page<T>>,
): Promise<ReadList<T>> {
  let requests = 0;
  const fetchPage = (page: number, perPage: number) => {
    requests++;
    return read(page, perPage);
  };
  const sweep = async (variation: number) => {
    const reading = { perPage: listPerPage - variation, variation, sizeBelow: rules.sizeBelowCap };
    const pages = await readVariedPages(reading, fetchPage, { what, textOf: ({ text }) => text });
    refuseShifted(what, pages);
    return { records: pages.flat(), isSeveral: pages.filter(({ length }) => length > 0).length > 1 };
  };
  const found = await readPartRecords(part, async () => {
    const first = await sweep(2 * pinned.variation);
    if (!first.isSeveral && !rules.isMuchShorter(before(part), first.records.length)) return first.records;
    const second = await sweep(2 * pinned.variation + 1);
    return assertSame(what, rules, first.records, second.records);
  });
  return { ...found, requests };
}

/** A part without pages. Reads again, under another address, if much shorter than before. */
export async function readWhole<T extends object>(
  { before, rules }: Pick<PartReader, "before" | "rules">,
  part: string,
  what: string,
  read: (isAgain: boolean) => Promise<RecordText<T>[]>,
): Promise<ReadList<T>> {
  let requests = 1;
  const found = await readPartRecords(part, async () => {
    const first = await read(false);
    if (!rules.isMuchShorter(before(part), first.length)) return first;
    requests++;
    return assertSame(what, rules, first, await read(true));
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

/** @returns the first reading @throws OffprintError `UPSTREAM_INCONSISTENT` */
function assertSame<T>(
  what: string,
  rules: PartReader["rules"],
  first: RecordText<T>[],
  second: readonly RecordText<T>[],
): RecordText<T>[] {
  if (rules.sameRecords(first, second)) return first;
  throw inconsistent(`Two readings of ${what} differ: ${first.length} and ${second.length} records came.`);
}

/** Repeated on one page, a record is the list's own. On two, it means that another one is on none. */
function refuseShifted(what: string, pages: readonly RecordText<object>[][]): void {
  const onPages = pages.flatMap((page) => [...new Set(page.flatMap(idOf))]);
  const twice = onPages.length - new Set(onPages).size;
  if (twice > 0) throw inconsistent(`The pages of ${what} shifted while they were read: ${twice} records came twice.`);
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

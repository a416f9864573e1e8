import type { Config, Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { UpstreamError } from "../http/upstream-error.js";
import type { ListPage } from "../upstream/answer.js";
import { duplicateFault } from "../upstream/record-faults.js";
import { readVariedPages } from "../upstream/varied-pages.js";
import { type Index, type IndexRow, indexRow } from "./index-row.js";
import { PackedRow, type PackedRows } from "./packed-rows.js";
import { PackedSweep } from "./packed-sweep.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { linksPerPage } from "./plan.js";
import { numberIn, RowTable } from "./row-table.js";
import { StagedRow } from "./staged-row.js";
import { isIncluded } from "./story-filter.js";
import type { KnownRows } from "./sweep-rows.js";
import type { SweptRows } from "./version-index.js";

export interface Sweep extends SweptRows {
  /** Pages that were read. */
  pages: number;
  /** Whether there were rows that do not tell of which story they are. */
  hasNamelessRows: boolean;
}

export interface SweepOptions {
  pinned: PinnedUpstream;
  version: Version;
  include: Config["source"]["include"];
  /**
   * Varies the page size and so the URLs: an edge that holds a page of another order, or of a moment before, would give
   * it again as long as the cv stays.
   */
  variation: number;
  /** Rows that may come again as they were: the sweep then has these very rows. */
  known: KnownRows;
  /** Uuids that stood twice on a page in earlier sweeps of this crawl; those of this one are added. */
  repeated: Set<string>;
  /** Where the rows go. */
  packed: PackedRows;
  /** Called after every page. @param total rows of the listing, where the upstream tells it */
  onRows?(rows: number, total: number | null): void;
  /** {@link pagesShifted} */
  pagesShifted: (rows: number, different: number) => boolean;
}

/**
 * Reads the whole index of a version: the links listing, paginated, dates included. Where the upstream has no `Total`,
 * nothing confirms the number of rows, so it is swept twice and both must be equal.
 * @throws OffprintError `UPSTREAM_INCONSISTENT` when pages shifted while they were read
 */
export async function sweepLinks(options: SweepOptions): Promise<Sweep> {
  const { pinned, version, include, variation } = options;
  const prefixes = include.startsWith.length === 0 || include.related ? [undefined] : include.startsWith;
  const wantsAll = include.startsWith.length + include.excludeSlugs.length === 0;
  let rows: Index = new Map();
  const wanted = new RowTable(options.packed);
  const beyond = new RowTable(options.packed);
  let pages = 0;
  let hasNamelessRows = false;
  for (const prefix of prefixes) {
    const first = await sweepOnce(options, prefix, 2 * variation);
    pages += first.pages;
    hasNamelessRows ||= first.hasNamelessRows;
    if (!first.counted) {
      const again = { ...options, known: recallFrom(first.rows, options.known) };
      const second = await sweepOnce(again, prefix, 2 * variation + 1);
      pages += second.pages;
      if (!sameUuids(first.rows, second.rows)) pinned.pin.taintListing(`two sweeps of the ${version} links differ`);
      else if (!sameRows(first.rows, second.rows)) pinned.pin.taint(`two sweeps of the ${version} links differ`);
    }
    if (wantsAll) rows = first.rows;
    else
      for (const row of first.rows.values()) {
        if (row.slug === undefined || isIncluded(row.slug, include)) wanted.add(numberIn(options.packed, row));
        else if (include.related) beyond.add(numberIn(options.packed, row));
      }
  }
  return { rows: wantsAll ? rows : wanted, beyond, pages, hasNamelessRows };
}

/** What one reading of the listing came to. */
interface SweptOnce {
  rows: Index;
  pages: number;
  counted: boolean;
  hasNamelessRows: boolean;
}

async function sweepOnce(
  { pinned, version, known, packed, repeated, pagesShifted, onRows }: SweepOptions,
  prefix: string | undefined,
  variation: number,
): Promise<SweptOnce> {
  const sweep = new PackedSweep(packed, known);
  let pages = 0;
  let read = 0;
  let hasNamelessRows = false;
  let counted = true;
  const options = { knownOf: (uuid: string) => known.recall(uuid), pages: sweep };
  const fetchPage = async (page: number, perPage: number) => {
    pages++;
    const query = {
      version,
      paginated: true,
      include_dates: true,
      page,
      per_page: perPage,
      starts_with: prefix,
    };
    const answer = await pinned.links(query, options);
    if (answer.total === null) counted = false;
    read += answer.records.length;
    onRows?.(read, answer.total);
    // What a row is compared by is kept; the parsed records of a large space would take several times as much.
    if (answer.faults?.some(({ isLeftOut }) => isLeftOut)) hasNamelessRows = true;
    if (sweep.isKnown(answer.records)) return { ...answer, records: sweep.take(answer.records) };
    const records = answer.records.map((record) => (record instanceof StagedRow ? record : indexRow(record)));
    const different = withoutRepeats({ ...answer, records }, { pinned, version, repeated });
    return { ...different, records: sweep.take(different.records) };
  };
  const onTotalChanged = (reason: string) => pinned.pin.taint(reason);
  const lists = await readVariedPages({ perPage: linksPerPage - variation, variation }, fetchPage, {
    what: "the links",
    concurrency: pinned.pin.concurrency,
    confirmsEnd: true,
    onTotalChanged,
    textOf: (row) => sweep.textOf(row),
  });
  const rows = sweep.collect(lists);
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (pagesShifted(count, rows.size)) {
    throw new OffprintError(
      "UPSTREAM_INCONSISTENT",
      `The links listing showed ${count - rows.size} of ${count} rows twice: pages shifted while they were read.`,
      { hint: "Someone edits the space right now. Run the sync again." },
    );
  }
  if (rows.size === 0 && hasNamelessRows) throw uselessIndex(version);
  return { rows, pages, counted, hasNamelessRows };
}

/**
 * A page without rows whose uuid another row of the same page has, where a sweep under another address had them twice, too:
 * then the listing is like that. Otherwise such a row stands in the place of one that the page lacks.
 */
function withoutRepeats(
  page: ListPage<IndexRow>,
  { pinned: { noteFaults }, version, repeated }: Pick<SweepOptions, "pinned" | "version" | "repeated">,
): ListPage<IndexRow> {
  const different = new Set<string>();
  for (const { uuid } of page.records) different.add(uuid);
  if (different.size === page.records.length) return page;
  const first = new Map([...page.records].reverse().map((row) => [row.uuid, row]));
  const repeats = page.records.filter((row) => first.get(row.uuid) !== row);
  const isKnown = repeats.every(({ uuid }) => repeated.has(uuid));
  for (const { uuid } of repeats) repeated.add(uuid);
  if (!isKnown) return page;
  const faults = repeats.map((row) => duplicateFault(row, "uuid"));
  noteFaults(`links/${version}`, faults);
  return { ...page, records: [...first.values()].reverse(), faults: [...(page.faults ?? []), ...faults] };
}

function uselessIndex(version: Version): UpstreamError {
  return new UpstreamError("UPSTREAM_BAD_ANSWER", `No row of the ${version} links listing has a usable uuid.`, {
    status: 200,
    hint: "Check source.url (or source.region): this host may be another service or another version of the interface.",
  });
}

/**
 * Whether pages shifted while they were read: one row stands on two pages, and so another one on none. As many rows came
 * as `Total` says either way; only different uuids show it. Pure.
 */
export function pagesShifted(rows: number, different: number): boolean {
  return rows !== different;
}

/** Whether two readings name the same stories, whatever they say of them. */
export function sameUuids(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const uuid of a.keys()) if (!b.has(uuid)) return false;
  return true;
}

/** Whether two sweeps show the same rows. */
export function sameRows(a: Index, b: Index): boolean {
  if (a.size !== b.size) return false;
  for (const [uuid, row] of a) {
    const other = b.get(uuid);
    if (other === undefined || !isSameRow(row, other)) return false;
  }
  return true;
}

function isSameRow(a: IndexRow, b: IndexRow): boolean {
  const isOne = a instanceof PackedRow && b instanceof PackedRow && a.from === b.from && a.number === b.number;
  return isOne || a.text === b.text;
}

/** Recalls rows of a sweep, or else of what that one knew. */
export function recallFrom(swept: Index, known: KnownRows): KnownRows {
  if (!(swept instanceof RowTable)) return known;
  return {
    recall(uuid) {
      const number = swept.numberOf(uuid);
      return number < 0 ? known.recall(uuid) : swept.rows.recall(number, uuid);
    },
    numberAt(body, at) {
      const number = swept.numberAt(body, at);
      return number < 0 ? known.numberAt(body, at) : number;
    },
  };
}

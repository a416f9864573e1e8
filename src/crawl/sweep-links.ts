import type { Config, Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { UpstreamError } from "../http/upstream-error.js";
import type { ListPage } from "../upstream/answer.js";
import { type ReadPagesOptions, readPageList } from "../upstream/pages.js";
import { duplicateFault } from "../upstream/record-faults.js";
import { type Index, type IndexRow, indexRow } from "./index-row.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { linksPerPage } from "./plan.js";
import { StagedRow } from "./staged-row.js";
import { isIncluded } from "./story-filter.js";
import { SweptPages } from "./swept-pages.js";
import type { SweptRows } from "./version-index.js";

export interface Sweep extends SweptRows {
  /** Pages that were read. */
  pages: number;
  /** Whether there were rows that do not tell of which story they are. */
  hasNamelessRows: boolean;
  /** The pages that all rows came in; undefined where nothing is kept, or the rows are only some of those. */
  swept: SweptPages | undefined;
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
  /** Rows that may come again as they were: the sweep then has these very objects. They may still be coming in. */
  staged: ReadonlyMap<string, StagedRow>;
  /** Uuids that stood twice on a page in earlier sweeps of this crawl; those of this one are added. */
  repeated: Set<string>;
  /** Knows pages of the sweep before, and takes those of this one; undefined where nothing is kept. */
  pages?: SweptPages | undefined;
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
  let rows = new Map<string, IndexRow>();
  const beyond = new Map<string, IndexRow>();
  let pages = 0;
  let hasNamelessRows = false;
  // What is kept of a sweep is that of the whole index.
  const swept = wantsAll ? options.pages : undefined;
  for (const prefix of prefixes) {
    const first = await sweepOnce({ ...options, pages: swept }, prefix, 2 * variation);
    pages += first.pages;
    hasNamelessRows ||= first.hasNamelessRows;
    if (!first.counted) {
      const second = await sweepOnce({ ...options, pages: undefined }, prefix, 2 * variation + 1);
      pages += second.pages;
      if (!sameUuids(first.rows, second.rows)) pinned.pin.taintListing(`two sweeps of the ${version} links differ`);
      else if (!sameRows(first.rows, second.rows)) pinned.pin.taint(`two sweeps of the ${version} links differ`);
    }
    if (wantsAll) rows = first.rows;
    else
      for (const row of first.rows.values()) {
        if (row.slug === undefined || isIncluded(row.slug, include)) rows.set(row.uuid, row);
        else if (include.related) beyond.set(row.uuid, row);
      }
  }
  return { rows, beyond, pages, hasNamelessRows, swept };
}

async function sweepOnce(
  { pinned, version, staged, repeated, pages: swept, pagesShifted }: SweepOptions,
  prefix: string | undefined,
  variation: number,
): Promise<{ rows: Map<string, IndexRow>; pages: number; counted: boolean; hasNamelessRows: boolean }> {
  let pages = 0;
  let hasNamelessRows = false;
  let counted = true;
  const options = { knownOf: (uuid: string) => staged.get(uuid), pages: swept };
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
    // What a row is compared by is kept; the parsed records of a large space would take several times as much.
    if (answer.faults?.some(({ isLeftOut }) => isLeftOut)) hasNamelessRows = true;
    if (swept?.isKnown(answer.records)) return { ...answer, records: answer.records };
    const records = answer.records.map((record) => (record instanceof StagedRow ? record : indexRow(record)));
    swept?.noteRows(answer.records, records);
    return withoutRepeats({ ...answer, records }, { pinned, version, repeated });
  };
  const onTotalChanged = (reason: string) => pinned.pin.taint(reason);
  const lists = await readVaried(variation, fetchPage, {
    what: "the links",
    concurrency: pinned.pin.concurrency,
    confirmsEnd: true,
    onTotalChanged,
  });
  const rows = (swept ?? new SweptPages(undefined)).collect(lists);
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
  const first = new Map([...page.records].reverse().map((row) => [row.uuid, row]));
  if (first.size === page.records.length) return page;
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

/** Reads all pages in a page size of its own for every variation, also where the server's largest page is smaller. */
async function readVaried(
  variation: number,
  fetchPage: (page: number, perPage: number) => Promise<ListPage<IndexRow>>,
  options: ReadPagesOptions,
): Promise<IndexRow[][]> {
  const size = linksPerPage - variation;
  if (variation === 0) return readPageList(size, fetchPage, options);
  const first = await fetchPage(1, size);
  const largest = first.perPage ?? size;
  // Two variations in a row never share an address, however small the pages are.
  if (largest < size) return readPageList(largest - (variation % largest), fetchPage, options);
  let isFirst = true;
  const fetch = async (page: number, perPage: number) => {
    if (page > 1 || !isFirst) return fetchPage(page, perPage);
    isFirst = false;
    return first;
  };
  return readPageList(size, fetch, options);
}

/** Whether two readings name the same stories, whatever they say of them. */
export function sameUuids(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((uuid) => b.has(uuid));
}

/** Whether two sweeps show the same rows. */
export function sameRows(a: Index, b: Index): boolean {
  if (a.size !== b.size) return false;
  for (const [uuid, row] of a) {
    if (b.get(uuid)?.text !== row.text) return false;
  }
  return true;
}

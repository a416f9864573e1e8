import type { Config, Version } from "../../../config/config.js";
import { isIncluded } from "../../../content/resolve/left-out.js";
import { OffprintError } from "../../../lib/errors.js";
import { UpstreamError } from "../../../lib/http/upstream-error.js";
import type { ListPage } from "../../upstream/answer.js";
import { readVariedPages } from "../../upstream/pages.js";
import { duplicateFault } from "../../upstream/record-faults.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import type { Rows } from "./index-row.js";
import { RowTable } from "./row-table.js";
import { type KnownRows, Sweep } from "./sweep.js";
import type { SweptRows, VersionIndex } from "./version-index.js";

/** Links per page: the documented maximum. */
export const linksPerPage = 1_000;

export interface SweptIndex extends SweptRows {
  pages: number;
}

export interface SweepOptions {
  pinned: PinnedUpstream;
  version: Version;
  include: Config["source"]["include"];
  /** Varies the page size and so the URLs: until the cv moves, an edge may serve outdated pages. */
  variation: number;
  /** Rows that may come again: the sweep then has the same objects. */
  known: KnownRows;
  /** Where the rows go, and uuids that occurred twice on a page. */
  index: Pick<VersionIndex, "packed" | "repeated">;
  /** Called after every page. @param total number of rows, if the upstream sends it */
  onRows?(rows: number, total: number | null): void;
  pagesShifted: (rows: number, different: number) => boolean;
}

/** Without a `Total` nothing confirms the number of rows: swept twice. @throws `UPSTREAM_INCONSISTENT` */
export async function sweepLinks(options: SweepOptions): Promise<SweptIndex> {
  const { pinned, version, include, variation } = options;
  const prefixes = include.startsWith.length === 0 || include.related ? [undefined] : include.startsWith;
  const wantsAll = include.startsWith.length + include.excludeSlugs.length === 0;
  const { packed } = options.index;
  let rows = new RowTable(packed);
  const wanted = new RowTable(packed);
  const beyond = new RowTable(packed);
  let pages = 0;
  let hasNamelessRows = false;
  for (const prefix of prefixes) {
    const first = await sweepOnce(options, prefix, 2 * variation);
    pages += first.pages;
    hasNamelessRows ||= first.hasNamelessRows;
    if (!first.counted) {
      const again = { ...options, known: { tables: [first.rows, ...options.known.tables] } };
      const second = await sweepOnce(again, prefix, 2 * variation + 1);
      pages += second.pages;
      if (!sameUuids(first.rows, second.rows)) pinned.pin.taintListing(`two sweeps of the ${version} links differ`);
      else if (!first.rows.hasSameRows(second.rows)) pinned.pin.taint(`two sweeps of the ${version} links differ`);
    }
    if (wantsAll) rows = first.rows;
    else
      for (const row of first.rows.values()) {
        if (row.slug === undefined || isIncluded(row.slug, include)) wanted.add(row.number);
        else if (include.related) beyond.add(row.number);
      }
  }
  return { rows: wantsAll ? rows : wanted, beyond, pages, hasNamelessRows };
}

interface SweptOnce {
  rows: RowTable;
  pages: number;
  counted: boolean;
  hasNamelessRows: boolean;
}

async function sweepOnce(
  { pinned, version, known, index, pagesShifted, onRows }: SweepOptions,
  prefix: string | undefined,
  variation: number,
): Promise<SweptOnce> {
  const sweep = new Sweep(index.packed, known);
  let pages = 0;
  let read = 0;
  let hasNamelessRows = false;
  let counted = true;
  const options = { knownOf: sweep.knownOf, pages: sweep };
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
    // Keep only what is compared: parsed records of a large space would take several times as much.
    if (answer.faults?.some(({ isLeftOut }) => isLeftOut)) hasNamelessRows = true;
    return withoutRepeats({ ...answer, records: sweep.take(answer.records) }, { pinned, version, index });
  };
  const onTotalChanged = (reason: string) => pinned.pin.taint(reason);
  const lists = await readVariedPages({ perPage: linksPerPage - variation, variation }, fetchPage, {
    what: "the links",
    concurrency: pinned.pin.concurrency,
    onTotalChanged,
    textOf: (row) => index.packed.textAt(row),
  });
  const rows = sweep.finish(lists);
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (pagesShifted(count, rows.size)) {
    throw new OffprintError(
      "UPSTREAM_INCONSISTENT",
      `The links listing showed ${count - rows.size} of ${count} rows twice: pages shifted while they were read.`,
      { hint: "Someone is editing the space. Run the sync again." },
    );
  }
  if (rows.size === 0 && hasNamelessRows) throw uselessIndex(version);
  return { rows, pages, counted, hasNamelessRows };
}

/** Leaves out repeated rows if a sweep under another address had them twice, too: else the page lacks another. */
function withoutRepeats(
  page: ListPage<number>,
  { pinned, version, index: { packed, repeated } }: Pick<SweepOptions, "pinned" | "version" | "index">,
): ListPage<number> {
  const first = new RowTable(packed, page.records.length);
  const repeats = page.records.filter((row) => !first.add(row)).map((row) => packed.at(row));
  if (repeats.length === 0) return page;
  const isKnown = repeats.every(({ uuid }) => repeated.has(uuid));
  for (const { uuid } of repeats) repeated.add(uuid);
  if (!isKnown) return page;
  const faults = repeats.map(({ value }) => duplicateFault(value, "uuid"));
  pinned.noteFaults(`links/${version}`, faults);
  return { ...page, records: [...first.numbers()], faults: [...(page.faults ?? []), ...faults] };
}

function uselessIndex(version: Version): UpstreamError {
  return new UpstreamError("UPSTREAM_BAD_ANSWER", `No row of the ${version} links listing has a usable uuid.`, {
    status: 200,
    hint: "Check source.url (or source.region): this host may be another service or another version of the interface.",
  });
}

/** True if a row is on two pages, and so another on none: only different uuids show it. Pure. */
export function pagesShifted(rows: number, different: number): boolean {
  return rows !== different;
}

export function sameUuids(a: Rows<unknown>, b: Rows<unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const uuid of a.keys()) if (!b.has(uuid)) return false;
  return true;
}

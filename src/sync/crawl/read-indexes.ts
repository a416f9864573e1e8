import type { Version } from "../../config/config.js";
import { UuidSet } from "../../lib/collections/uuid-set.js";
import { parts as partNames } from "../../snapshot/layout.js";
import { readPart } from "../../snapshot/read-part.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import type { IndexDiff, RowsToCompare } from "./index/diff.js";
import { isFolderText } from "./index/packed-rows.js";
import { type SweepOptions, type SweptIndex, sweepLinks } from "./index/sweep-links.js";
import { isRefusedAddress } from "./parts/part-reading.js";
import type { StoryLedger } from "./stories/story-ledger.js";

/** Sweeps each index that is due; without a listing, rows are derived. @returns pages by version */
export async function readIndexes(run: CrawlRun, round: Round): Promise<Map<Version, number>> {
  const sweeps = new Map<Version, number>();
  for (const ledger of run.ledgers) {
    if (!ledger.due || ledger.derived) continue;
    try {
      sweeps.set(ledger.version, await readIndex(run, round, ledger));
    } catch (error) {
      if (!isRefusedAddress(error) || hadIndex(run)) throw error;
      for (const each of run.ledgers) each.derived = true;
      sweeps.set(ledger.version, 1);
    }
  }
  return sweeps;
}

/** Sweeps the links of a version. */
export function sweepIndex(
  { context }: CrawlRun,
  { pinned }: Round,
  { version, index }: StoryLedger,
  how: Pick<SweepOptions, "variation" | "known" | "onRows">,
): Promise<SweptIndex> {
  const { config, rules } = context;
  const { pagesShifted } = rules;
  return sweepLinks({ pinned, version, index, include: config.source.include, pagesShifted, ...how });
}

async function readIndex(run: CrawlRun, round: Round, ledger: StoryLedger): Promise<number> {
  const { context, began } = run;
  const { index } = ledger;
  const { staged, loaded } = index.readStaged();
  // Request pages while the staged rows are read.
  const [sweep, loading] = await Promise.allSettled([
    sweepIndex(run, round, ledger, {
      variation: round.number + began.sweepVariation,
      known: { ready: staged.ready, tables: [staged.rows] },
      onRows: (done, total) => context.onProgress({ kind: "advance", stage: "index", done, total }),
    }),
    loaded,
  ]);
  if (loading.status === "rejected") throw loading.reason;
  if (sweep.status === "rejected") throw sweep.reason;
  index.set(sweep.value);
  return sweep.value.pages;
}

function hadIndex({ context }: CrawlRun): boolean {
  return context.previous?.editions.some(({ index }) => index === "links") === true && !context.full;
}

/** @throws OffprintError `UPSTREAM_EMPTY` if the version has no stories any more */
export async function diffVersion({ context, workspace }: CrawlRun, ledger: StoryLedger): Promise<IndexDiff> {
  const { rules } = context;
  const { version, index, withoutRow, full } = ledger;
  await workspace.fold();
  const staged = await index.staged();
  const settle = (diff: IndexDiff) =>
    checked(context, version, index.swept.hasNamelessRows ? withoutLostFolders(diff) : diff);
  if (!full && withoutRow.length === 0) {
    return settle(rules.diffIndex(staged.rows, index.rows, (row) => staged.rows.holds(row)));
  }
  const rows = rules.rowsToCompare({
    staged: staged.rows,
    previous: full && !ledger.first ? await previousRows(context, version) : [],
    recorded: full ? await recordedStories(workspace, ledger) : [],
    pending: withoutRow,
  });
  if (full && index.swept.hasNamelessRows) await keepRows({ context, workspace }, ledger);
  return settle(rules.diffIndex(rows, index.rows));
}

/** A full reading starts without rows: keep those that a row without a name may be. */
async function keepRows({ context, workspace }: Pick<CrawlRun, "context" | "workspace">, ledger: StoryLedger) {
  const part = partNames.links(ledger.version);
  const entry = context.previous?.parts[part];
  if (entry === undefined) return;
  const staged = new UuidSet();
  for await (const { key } of workspace.all(part)) staged.add(key);
  for await (const { key, line } of readPart(context.store, part, entry)) {
    if (!ledger.index.rows.has(key) && !staged.has(key)) ledger.stageRow(key, line);
  }
}

async function previousRows(
  { store, previous }: CrawlRun["context"],
  version: Version,
): Promise<RowsToCompare["previous"]> {
  const part = partNames.links(version);
  const entry = previous?.parts[part];
  const rows: { uuid: string; isFolder: boolean }[] = [];
  if (entry === undefined) return rows;
  for await (const { key, line } of readPart(store, part, entry)) {
    rows.push({ uuid: key, isFolder: isFolderText(line) });
  }
  return rows;
}

async function recordedStories(workspace: CrawlRun["workspace"], { editions }: StoryLedger): Promise<Iterable<string>> {
  const uuids = new UuidSet();
  for (const { name } of editions) {
    for await (const { key } of workspace.all(partNames.stories(name))) uuids.add(key);
  }
  return uuids;
}

/** If a row does not name its story, no folder counts as removed: folders cannot be requested. */
function withoutLostFolders(diff: IndexDiff): IndexDiff {
  return { ...diff, folders: new Map([...diff.folders].filter(([, text]) => text !== null)) };
}

function checked(context: CrawlRun["context"], version: Version, diff: IndexDiff): IndexDiff {
  if (diff.storiesNow === 0 && diff.storiesBefore > 0) {
    context.brake({
      code: "UPSTREAM_EMPTY",
      message: `The upstream lists no ${version} stories; there were ${diff.storiesBefore}.`,
      when: "Nothing was changed. If the space was emptied on purpose",
    });
  }
  return diff;
}

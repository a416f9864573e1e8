import { UuidList } from "../../lib/collections/uuid-list.js";
import { isOffprintError, OffprintError } from "../../lib/errors.js";
import { parts as partNames } from "../../snapshot/layout.js";
import { baseEdition } from "../../snapshot/manifest.js";
import type { ProbeAnswer } from "../upstream/upstream.js";
import { type AskedVersion, askVersion, relate, uuidsOf } from "./ask-version.js";
import type { CrawlRun, Round } from "./crawl-run.js";
import { storyUuids } from "./index/index-row.js";
import { type RoundCounts, requestsAhead, type SyncPlan } from "./plan.js";
import { diffVersion, readIndexes, sweepIndex } from "./read-indexes.js";
import { readOtherParts } from "./read-other-parts.js";
import { readUnindexed } from "./read-unindexed.js";
import { readVariants } from "./read-variants.js";
import { billOf, comparesVersion, countRound, storiesIn } from "./round-counts.js";
import { type OnFaults, pinUpstream } from "./run/pinned-upstream.js";
import { type Batch, backlogBatches } from "./stories/batches.js";
import type { StoryLedger } from "./stories/story-ledger.js";

export interface RoundResult {
  /** The cv that it began to read at; null if the upstream has none. */
  from: number | null;
  cv: number | null;
  /** Why it is not clean; empty if it is. */
  reasons: readonly string[];
  /** The newest cv that was read before it was old enough; null: none. */
  hurriedTo: number | null;
  /** True if the whole index was read and all its stories were requested. */
  isComplete: boolean;
  /** The cost of a sync from this index; undefined if the index could not be read. */
  plan: SyncPlan | undefined;
  /** The closing probe, which opens the next round. */
  closing: ProbeAnswer;
}

/** Stages what fits, clean or not; a dry run ends after the plan. @param opening the last probe, of sync or round */
export async function readRound(
  run: CrawlRun,
  opening: ProbeAnswer,
  number: number,
  { hurriedTo = null, onFaults }: { hurriedTo?: number | null; onFaults?: OnFaults } = {},
): Promise<RoundResult> {
  const { context, ledgers } = run;
  const { rules, upstream, pacing, config } = context;
  run.tried = { cv: opening.cv ?? context.probe.cv, rounds: run.tried.rounds + 1 };
  const { probe, immature } = await rules.openingProbe(upstream, opening, pacing, number);
  const pin = rules.createPin(probe.cv, pacing, number > 0 && config.safety.consistency === "interval");
  if (immature) pin.taint(`cv ${probe.cv} is not yet 2 s old by the server's clock`);
  if (hurriedTo !== null && probe.cv !== null && probe.cv <= hurriedTo) {
    pin.taint(`cv ${probe.cv} was read at before it was 2 s old`);
  }
  for (const ledger of ledgers) ledger.openRound();
  const round: Round = { number, pin, pinned: pinUpstream(upstream, pin, undefined, onFaults) };
  const from = pin.cv;
  let plan: SyncPlan | undefined;
  let isBroken = false;
  try {
    const indexed = await readIndexAndParts(run, round);
    plan = billOf(run, indexed.counts);
    context.onProgress({ kind: "plan", requests: plan.requests, stories: storiesIn(indexed.asked) });
    if (!context.dryRun) await readStories(run, round, indexed);
  } catch (error) {
    // Pages shifted, or an edge redirected without end: the next round reads them again.
    if (!isOffprintError(error, "UPSTREAM_INCONSISTENT")) throw error;
    pin.taint(error.message);
    isBroken = true;
  }
  const isComplete = !isBroken && pin.isComplete;
  if (isComplete) for (const ledger of ledgers) ledger.rounds.closeRound();
  const closing = context.dryRun ? probe : await close(run, round);
  const { cv, reasons } = pin;
  return { from, cv, reasons, hurriedTo: immature ? cv : pin.hurriedTo, isComplete, plan, closing };
}

interface Indexed {
  asked: AskedVersion[];
  counts: RoundCounts;
}

async function readIndexAndParts(run: CrawlRun, round: Round): Promise<Indexed> {
  run.context.onProgress({ kind: "stage", stage: "index" });
  // Wait for both even if one fails: what it would still stage belongs to no later round.
  const [sweeps, parts] = await Promise.allSettled([readIndexes(run, round), readOtherParts(run, round)]);
  if (parts.status === "rejected" || sweeps.status === "rejected") {
    throw sweeps.status === "rejected" ? sweeps.reason : (parts as PromiseRejectedResult).reason;
  }
  for (const ledger of run.ledgers) if (ledger.tags.takeUntagged()) await requeueAll(run, ledger);
  const asked: AskedVersion[] = [];
  for (const ledger of run.ledgers) {
    if (!ledger.due || ledger.derived || !ledger.index.isSwept) continue;
    await lookAgain(run, ledger);
    for (const uuid of await relate(run, ledger)) ledger.requeue(uuid);
    const diff = await diffVersion(run, ledger);
    asked.push({ ledger, diff, batches: batchesOf(run, ledger, diff) });
  }
  return { asked, counts: countRound(run, round.pin, sweeps.value, asked) };
}

/** Requests stories of earlier readings again, together with those that differ. */
async function lookAgain({ context: { rules }, workspace }: CrawlRun, ledger: StoryLedger): Promise<void> {
  const looks = ledger.readLog.takeLooks();
  if (looks.length === 0) return;
  const { version, editions, index } = ledger;
  const part = partNames.stories(baseEdition(editions).name);
  const { rows, rowOfId } = index;
  const records = (uuids: ReadonlySet<string>) => workspace.lines(part, uuids);
  const space = { version, rows, rowOfId, records, neighbourIds: rules.neighbourIds };
  const uuids = await rules.storiesToLookAt(space, looks);
  await workspace.fold();
  await ledger.lookAgain(uuids);
}

/** Requests again stories that were read without tags: no row shows renames since. */
async function requeueAll({ workspace, context }: CrawlRun, ledger: StoryLedger): Promise<void> {
  await workspace.fold();
  const { rows } = await ledger.index.staged();
  const stories = [...storyUuids(rows)];
  for (const uuid of stories) ledger.requeue(uuid);
  if (stories.length === 0) return;
  const message = `the tags are read for the first time: requesting all ${ledger.version} stories again`;
  context.onProgress({ kind: "note", message });
}

function batchesOf({ context, batchSize }: CrawlRun, ledger: StoryLedger, diff: AskedVersion["diff"]): Batch[] {
  const { editions, index, audit } = ledger;
  const size = batchSize.stories;
  const audited = { cursor: audit.cursor ?? "", uuids: ledger.first ? [] : storyUuids(index.rows) };
  const deciding = context.rules.decidingBatches(editions, diff, size, audited);
  if (ledger.backlogs.size === 0) return deciding;
  const asked = uuidsOf(deciding);
  const filling = editions.flatMap((edition) => {
    const backlog = ledger.backlogs.get(edition.name);
    if (backlog === undefined) return [];
    const open = new UuidList();
    for (const uuid of storyUuids(index.rows)) if (backlog.isOpen(uuid) && !asked.has(uuid)) open.push(uuid);
    return backlogBatches(edition, open, size);
  });
  return [...deciding, ...filling];
}

async function readStories(run: CrawlRun, round: Round, { asked, counts }: Indexed): Promise<void> {
  checkRequestLimit(run, requestsAhead(counts, run.batchSize.stories));
  run.context.onProgress({ kind: "stage", stage: "stories" });
  for (const one of asked) {
    await askVersion(run, round, one);
    // The next version gets all the room for waiting lines.
    await run.workspace.fold();
  }
  await readUnindexed(run, round);
  await readVariants(run, round);
  for (const one of asked) await sweepDraftsAgain(run, round, one);
}

/** Stops before stories are requested, not in the middle. */
function checkRequestLimit({ context: { config, upstream } }: CrawlRun, ahead: number): void {
  const limit = config.queue.maxRequests;
  const needed = upstream.counts.total + ahead;
  if (limit === undefined || needed <= limit) return;
  throw new OffprintError("REQUEST_LIMIT", `This sync needs ${needed} requests; queue.maxRequests allows ${limit}.`, {
    hint: "Raise queue.maxRequests, or narrow source.include. `offprint sync --dry-run` prints the costs.",
  });
}

/** Drafts are not pinned: a second sweep after the stories must equal the first. */
async function sweepDraftsAgain(run: CrawlRun, round: Round, { ledger, batches }: AskedVersion): Promise<void> {
  const { version, index } = ledger;
  if (version !== "draft" || batches.length === 0) return;
  const { swept, lastStaged } = index;
  const known = { tables: [swept.rows, ...(lastStaged === undefined ? [] : [lastStaged.rows])] };
  const again = await sweepIndex(run, round, ledger, { variation: round.number, known });
  if (!again.rows.hasSameRows(swept.rows) || !again.beyond.hasSameRows(swept.beyond)) {
    round.pin.taint("the draft index changed while it was read");
  }
}

/** The closing probe; skipped if nothing was read at the pin. */
async function close(run: CrawlRun, { pin, pinned }: Round): Promise<ProbeAnswer> {
  const { context, workspace } = run;
  const { rules, upstream, pacing, settleMs, store } = context;
  if (!pin.used) return { cv: pin.cv, dateMs: null, total: null };
  context.onProgress({ kind: "stage", stage: "settle" });
  await workspace.fold();
  // Only a round that is clean so far benefits. Other work for the commit goes on meanwhile.
  const waitMs = pin.reasons.length === 0 ? settleMs : 0;
  const [closing] = await Promise.all([rules.closingProbe(upstream, pin, pacing, waitMs), store.flush()]);
  if (closing.cv !== pin.cv) pin.taint(`the space moved from cv ${pin.cv} to ${closing.cv} while it was read`);
  const isCloseable = pin.reasons.length === 0 && comparesVersion(run, pin);
  run.closingVersion = isCloseable ? await rules.closingVersion(pinned) : undefined;
  return closing;
}

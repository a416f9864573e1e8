import { isOffprintError, OffprintError, type Problem } from "../../lib/errors.js";
import type { PartChanges } from "../../snapshot/part-changes.js";
import type { SecondLook } from "../../snapshot/state.js";
import type { ManifestDraft } from "../../snapshot/write/commit.js";
import { loadStage, type Stage } from "../../snapshot/write/stage.js";
import type { ProbeAnswer } from "../upstream/upstream.js";
import type { CrawlContext, CrawlRun } from "./crawl-run.js";
import { draftManifest } from "./draft-manifest.js";
import { openRun, stageOf } from "./open-run.js";
import type { SyncPlan } from "./plan.js";
import { type RoundResult, readRound } from "./round.js";
import { roundsAtMost } from "./run/interval.js";
import { collectRecordProblems, type RecordProblems } from "./run/record-problems.js";
import { keepStage } from "./staged-stories.js";
import { lookAfter, lookForMissing, looksInARow } from "./stories/second-look.js";

export interface CrawlResult {
  /** `interval`: no round was clean, but the draft is the space during an interval. `planned`: a dry run. */
  outcome: "clean" | "interval" | "unclean" | "planned";
  draft: ManifestDraft | undefined;
  cv: number | null;
  plan: SyncPlan;
  /** The cost of each round, and why it was not clean. */
  rounds: readonly RoundBill[];
  /** True if all parts other than stories were read. */
  partsWereRead: boolean;
  reasons: readonly string[];
  problems: Problem[];
  auditCursor: Record<string, string>;
  /** True if the audit requested stories too. */
  audited: boolean;
  /** The known differences between its parts and those that the crawl began with. */
  changes: ReadonlyMap<string, PartChanges>;
  /** What a later sync must check again; undefined if nothing was read or nothing can lag. */
  look: SecondLook | undefined;
  /** The staged reading for a later sync, if this one does not commit; undefined for a dry run. */
  stage: Stage | undefined;
}

export interface RoundBill {
  requests: number;
  reason: string | null;
}

/**
 * Reads what is due until a round is clean: one cv from probe to close, and every record agrees with its row. If the
 * space keeps changing, two rounds are enough for an interval. @throws OffprintError; what was read is staged
 */
export async function crawl(context: CrawlContext): Promise<CrawlResult> {
  const run = openRun(context, await loadStage(context.store, context.previous?.generation ?? null));
  try {
    return await readUntilClean(run);
  } catch (error) {
    // If the disk is full, keep the first error. The next sync reads this again.
    if (!context.dryRun && !isOffprintError(error, "NO_SPACE")) await keepRead(run).catch(() => undefined);
    throw error;
  } finally {
    for (const { index } of run.ledgers) index.close();
  }
}

async function readUntilClean(run: CrawlRun): Promise<CrawlResult> {
  const { dryRun, onProgress } = run.context;
  const faults = collectRecordProblems();
  let progress = await takeRound(run, faults);
  while (!isClean(progress) && !dryRun) {
    const { rounds, last } = progress;
    onProgress({ kind: "note", message: `round ${rounds.length} was not clean: ${last.reasons[0]}` });
    if (rounds.length === roundsAtMost || isInterval(run, progress)) break;
    progress = await takeRound(run, faults, progress);
  }
  if (progress.plan === undefined) throw unreadableIndex(progress.last);
  const read = { ...progress, plan: progress.plan };
  if (dryRun) return result(run, "planned", read, faults);
  const outcome = isClean(progress) ? "clean" : isInterval(run, progress) ? "interval" : "unclean";
  // Staged without the rows that the draft gets now: the next sync requests these stories again.
  if (outcome !== "clean") await keepRead(run);
  for (const ledger of run.ledgers) ledger.confirmRows(outcome === "clean");
  return result(run, outcome, read, faults);
}

/** The rounds so far. */
interface Rounds {
  /** The cv that the first one began at. */
  from: number | null;
  /** The newest cv that a round read before it was old enough. */
  hurriedTo: number | null;
  rounds: readonly RoundBill[];
  last: RoundResult;
  /** Of the first round whose index could be read; undefined: there was none yet. */
  plan: SyncPlan | undefined;
}

function isClean({ last }: Rounds): boolean {
  return last.reasons.length === 0;
}

async function takeRound(run: CrawlRun, faults: RecordProblems, before?: Rounds): Promise<Rounds> {
  const { pacing, probe, upstream } = run.context;
  const { rounds = [], hurriedTo = null } = before ?? {};
  const number = rounds.length;
  if (number > 0) await pacing.sleep(1000 * 2 ** (number - 1), `round ${number} was not clean`);
  const sent = upstream.counts.total;
  const opening = before?.last.closing ?? probe;
  const last = await readRound(run, opening, number, { hurriedTo, onFaults: faults.note });
  return {
    from: before === undefined ? last.from : before.from,
    hurriedTo: last.hurriedTo === null ? hurriedTo : Math.max(hurriedTo ?? 0, last.hurriedTo),
    rounds: [...rounds, { requests: upstream.counts.total - sent, reason: last.reasons[0] ?? null }],
    last,
    plan: before?.plan ?? last.plan,
  };
}

function isInterval({ context: { config, rules }, ledgers }: CrawlRun, { rounds, last }: Rounds): boolean {
  if (config.safety.consistency !== "interval") return false;
  const isRead = ledgers.every((ledger) => !ledger.due || ledger.derived || ledger.rounds.isRead);
  return rules.coversInterval({ rounds: rounds.length, isComplete: last.isComplete, isRead });
}

async function result(
  run: CrawlRun,
  outcome: CrawlResult["outcome"],
  { plan, from, rounds, last }: Rounds & { plan: SyncPlan },
  faults: RecordProblems,
): Promise<CrawlResult> {
  const { cv, closing, reasons } = last;
  const { context, ledgers, parts, workspace } = run;
  const isPlanned = outcome === "planned";
  if (!isPlanned) await workspace.fold();
  await (await run.relations)?.save();
  const readAtCv = outcome === "unclean" || outcome === "interval" ? uncleanCv(run, last) : cv;
  const cursors = ledgers.flatMap(({ version, audit: { cursor } }) =>
    cursor === undefined ? [] : [[version, cursor]],
  );
  return {
    outcome,
    draft: isPlanned ? undefined : draftManifest(run, { outcome, from: earlier(from, readAtCv), cv: readAtCv }),
    cv: readAtCv,
    plan,
    rounds,
    partsWereRead: parts !== undefined,
    reasons,
    problems: [...(parts?.problems ?? []), ...faults.list()],
    auditCursor: { ...context.auditCursor, ...Object.fromEntries(cursors) },
    audited: ledgers.some(({ audit }) => audit.happened),
    changes: workspace.changes(),
    look: isPlanned ? undefined : lookOf(run, closing, readAtCv),
    stage: isPlanned ? undefined : stageOf(run),
  };
}

/** In an unclean round a single answer may name a future cv, or one before the last generation. */
function uncleanCv({ context: { previous } }: CrawlRun, { cv, closing }: RoundResult): number | null {
  const readAt = earlier(cv, closing.cv);
  const before = previous?.cv ?? null;
  return readAt === null || before === null ? readAt : Math.max(readAt, before);
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** At an unmoved cv, and for drafts, what was read needs a second look; else the index does. */
function lookOf(
  { context, began, ledgers }: CrawlRun,
  { dateMs }: ProbeAnswer,
  cv: number | null,
): SecondLook | undefined {
  if (context.settleMs === 0) return undefined;
  const { published } = context.due;
  // The cv may have moved during the recheck.
  const recheck = context.due.recheck && cv === context.probe.cv;
  const logs = ledgers.filter(({ due }) => due).map(({ version, readLog }) => [version, readLog] as const);
  const read = new Map(logs.map(([version, { stories }]) => [version, stories]));
  const isNews = published.length > 0 && !recheck;
  if (!isNews && [...read.values()].every(({ uuids, all }) => !all && uuids.length === 0)) return undefined;
  // Without a limit, a record that differs in every answer would cause looks for ever; the recheck covers it.
  const inARow = recheck ? Math.max(0, ...context.looks.map((look) => look.inARow ?? 0)) + 1 : 0;
  const readAtMs = dateMs ?? context.probe.dateMs ?? Date.now();
  const look = { ...lookAfter(read, { startedMs: Date.parse(began.at), readAtMs }), inARow };
  const missing = new Map(logs.map(([version, log]) => [version, log.missing]));
  return inARow > looksInARow ? lookForMissing(look, missing) : look;
}

function unreadableIndex({ reasons }: RoundResult): OffprintError {
  const reason = reasons[0] ?? "no reason given";
  return new OffprintError("UPSTREAM_INCONSISTENT", `The index could not be read: ${reason}`, {
    hint: "Someone is editing the space. Run the sync again.",
  });
}

async function keepRead(run: CrawlRun): Promise<void> {
  await run.workspace.fold();
  await keepStage(run.context, stageOf(run));
}

import { isOffprintError, OffprintError, type Problem } from "../errors.js";
import type { ManifestDraft } from "../snapshot/commit.js";
import type { PartChanges } from "../snapshot/part-changes.js";
import { loadStage, type Stage, saveStage } from "../snapshot/stage.js";
import type { CrawlContext } from "./crawl-context.js";
import { type CrawlRun, openRun } from "./crawl-run.js";
import { stageOf } from "./crawl-stage.js";
import { draftManifest } from "./draft-manifest.js";
import type { SyncPlan } from "./plan.js";
import { type RoundResult, readRound } from "./round.js";
import { reportStagedStories } from "./staged-stories.js";

/** Rounds until a crawl gives up on a space that keeps changing; they are 1, 2, 4 … seconds apart. */
const roundLimit = 5;

export interface CrawlResult {
  /** `clean`: the draft is one consistent reading. `unclean`: no round was, see `reasons`. `planned`: a dry run. */
  outcome: "clean" | "unclean" | "planned";
  /** What a commit would name; undefined for a dry run. */
  draft: ManifestDraft | undefined;
  cv: number | null;
  plan: SyncPlan;
  /** Whether everything beside the stories was read. */
  partsWereRead: boolean;
  /** Why the last round was not clean. */
  reasons: readonly string[];
  problems: Problem[];
  auditCursor: Record<string, string>;
  /** Whether stories that nothing points to were asked for too. */
  audited: boolean;
  /** What is known of how its parts differ from those that the crawl began with. */
  changes: ReadonlyMap<string, PartChanges>;
  /** What was read, for a later sync, where this one comes to no commit; undefined for a dry run. */
  stage: Stage | undefined;
}

/**
 * Reads what is due until a round is clean: one cv from probe to close, and every record agrees with its index row. The cv
 * is the space's cache version, a time in seconds that grows with every publish.
 * A round that was not goes on from what is staged, never from nothing.
 *
 * @throws OffprintError of the upstream (refused, unreachable …); what was read until then is staged for the next sync.
 */
export async function crawl(context: CrawlContext): Promise<CrawlResult> {
  const run = openRun(context, await loadStage(context.store, context.previous?.generation ?? null));
  try {
    return await readUntilClean(run);
  } catch (error) {
    // Where nothing can be kept, the next sync reads it again: why this one ended matters more.
    if (!context.dryRun && !isOffprintError(error, "NO_SPACE")) await keepStage(run).catch(() => undefined);
    throw error;
  }
}

async function readUntilClean(run: CrawlRun): Promise<CrawlResult> {
  const { pacing, probe, dryRun, onProgress } = run.context;
  let opening = probe;
  let plan: SyncPlan | undefined;
  let last: RoundResult | undefined;
  for (let number = 0; number < roundLimit; number++) {
    if (number > 0) await pacing.sleep(1000 * 2 ** (number - 1), `round ${number} was not clean`);
    last = await readRound(run, opening, number);
    plan ??= last.plan;
    if (dryRun && plan !== undefined) return result(run, "planned", plan, last);
    if (dryRun) throw unreadableIndex(last);
    if (last.reasons.length === 0 && plan !== undefined) {
      for (const ledger of run.ledgers) ledger.confirmRows(true);
      return result(run, "clean", plan, last);
    }
    onProgress({ kind: "note", message: `round ${number + 1} was not clean: ${last.reasons[0]}` });
    opening = last.closing;
  }
  if (plan === undefined) throw unreadableIndex(last as RoundResult);
  // Kept without the rows that the draft gets now: the next sync asks for these stories again.
  await keepStage(run);
  for (const ledger of run.ledgers) ledger.confirmRows(false);
  return result(run, "unclean", plan, last as RoundResult);
}

async function result(
  run: CrawlRun,
  outcome: CrawlResult["outcome"],
  plan: SyncPlan,
  { cv, closing, reasons }: RoundResult,
): Promise<CrawlResult> {
  const { context, ledgers, parts, workspace } = run;
  const isPlanned = outcome === "planned";
  if (!isPlanned) await workspace.fold();
  const readAtCv = outcome === "unclean" ? closing.cv : cv;
  const cursors = ledgers.flatMap(({ version, audit: { cursor } }) =>
    cursor === undefined ? [] : [[version, cursor]],
  );
  return {
    outcome,
    draft: isPlanned ? undefined : draftManifest(run, readAtCv, outcome === "clean"),
    cv: readAtCv,
    plan,
    partsWereRead: parts !== undefined,
    reasons,
    problems: parts?.problems ?? [],
    auditCursor: { ...context.auditCursor, ...Object.fromEntries(cursors) },
    audited: ledgers.some(({ audit }) => audit.happened),
    changes: workspace.changes(),
    stage: isPlanned ? undefined : stageOf(run),
  };
}

function unreadableIndex({ reasons }: RoundResult): OffprintError {
  const reason = reasons[0] ?? "no reason given";
  return new OffprintError("UPSTREAM_INCONSISTENT", `The index could not be read: ${reason}`, {
    hint: "Someone edits the space right now. Run the sync again.",
  });
}

/** Keeps what was read for the next sync. */
async function keepStage(run: CrawlRun): Promise<void> {
  await run.workspace.fold();
  const stage = stageOf(run);
  await saveStage(run.context.store, stage);
  await reportStagedStories(run.context, stage);
}

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
  /** `clean`: the draft is one consistent reading. `unclean`: the space kept changing. `planned`: a dry run. */
  outcome: "clean" | "unclean" | "planned";
  /** What a commit would name; undefined for a dry run. */
  draft: ManifestDraft | undefined;
  cv: number | null;
  plan: SyncPlan;
  /** Whether everything beside the stories was read. */
  readParts: boolean;
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
 * Reads what is due until a round is clean: one cv from probe to close, and every record agrees with its index row.
 * A round that was not goes on from what is staged, never from nothing.
 *
 * @throws OffprintError of the upstream (refused, unreachable …); what was read until then is staged for the next sync.
 */
export async function crawl(context: CrawlContext): Promise<CrawlResult> {
  const run = openRun(context, await loadStage(context.store, context.previous?.generation ?? null));
  try {
    return await readUntilClean(run);
  } catch (error) {
    if (!context.dryRun && !isOffprintError(error, "NO_SPACE")) await keepStage(run);
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
    if (dryRun) return result(run, "planned", plan, last);
    if (last.reasons.length === 0) {
      for (const ledger of run.ledgers) ledger.confirmRows(true);
      return result(run, "clean", plan, last);
    }
    onProgress({ kind: "note", message: `round ${number + 1} was not clean: ${last.reasons[0]}` });
    opening = last.closing;
  }
  await keepStage(run);
  for (const ledger of run.ledgers) ledger.confirmRows(false);
  return result(run, "unclean", plan, last as RoundResult);
}

async function result(
  run: CrawlRun,
  outcome: CrawlResult["outcome"],
  plan: SyncPlan | undefined,
  { cv, closing, reasons }: RoundResult,
): Promise<CrawlResult> {
  if (plan === undefined) {
    const reason = reasons[0] ?? "no reason given";
    throw new OffprintError("UPSTREAM_INCONSISTENT", `The index could not be read: ${reason}`, {
      hint: "Someone edits the space right now. Run the sync again.",
    });
  }
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
    readParts: parts !== undefined,
    reasons,
    problems: parts?.problems ?? [],
    auditCursor: { ...context.auditCursor, ...Object.fromEntries(cursors) },
    audited: ledgers.some(({ audit }) => audit.happened),
    changes: workspace.changes(),
    stage: isPlanned ? undefined : stageOf(run),
  };
}

/** Keeps what was read for the next sync. */
async function keepStage(run: CrawlRun): Promise<void> {
  await run.workspace.fold();
  const stage = stageOf(run);
  await saveStage(run.context.store, stage);
  await reportStagedStories(run.context, stage);
}

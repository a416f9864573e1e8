import { isOffprintError, OffprintError, type Problem } from "../errors.js";
import type { ManifestDraft } from "../snapshot/generations.js";
import { parts } from "../snapshot/layout.js";
import type { PartChanges } from "../snapshot/part-changes.js";
import { loadStage, type Stage, saveStage } from "../snapshot/stage.js";
import type { CrawlContext } from "./crawl-context.js";
import { draftManifest } from "./draft-manifest.js";
import { matureProbe, type ProbeAnswer } from "./opening-probe.js";
import { createPin, type Pin } from "./pin.js";
import type { SyncPlan } from "./plan.js";
import { readRound } from "./round.js";
import { type CrawlRun, openRun, stageOf } from "./run.js";

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
  reasons: string[];
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
 * Reads what is due until a round is clean: one cv from probe to close, and every record agrees with its index line.
 * A round that was not goes on from what is staged, never from nothing.
 *
 * @throws OffprintError of the upstream (refused, unreachable …); what was read until then is staged for the next sync.
 */
export async function crawl(context: CrawlContext): Promise<CrawlResult> {
  const run = await openRun(context, await loadStage(context.store, context.previous?.generation ?? null));
  try {
    return await rounds(run);
  } catch (error) {
    if (!context.dryRun && !isOffprintError(error, "NO_SPACE")) await keepStage(run);
    throw error;
  }
}

async function rounds(run: CrawlRun): Promise<CrawlResult> {
  const { upstream, pacing } = run.context;
  let opening = run.context.probe;
  let reasons: string[] = [];
  for (let round = 0; round < roundLimit; round++) {
    if (round > 0) await pacing.sleep(1000 * 2 ** (round - 1));
    const { probe, immature } = await matureProbe(upstream, opening, pacing);
    const pin = createPin(probe.cv, pacing);
    for (const doubtful of run.doubtful.values()) doubtful.clear();
    if (immature) pin.spoil(`cv ${probe.cv} is not yet 2 s old by the server's clock`);
    await readRoundOrSpoil(run, pin, round);
    if (run.context.dryRun) return result(run, "planned", pin.cv, []);
    opening = await close(run, pin);
    reasons = [...pin.reasons];
    if (reasons.length === 0) {
      giveLines(run);
      return result(run, "clean", pin.cv, []);
    }
    run.context.onProgress({ kind: "note", message: `round ${round + 1} was not clean: ${reasons[0]}` });
  }
  await keepStage(run);
  giveLines(run);
  return result(run, "unclean", opening.cv, reasons);
}

/** Stories whose answer was in doubt get their line: after a clean round, or where a commit needs one in any case. */
function giveLines(run: CrawlRun): void {
  for (const [version, doubtful] of run.doubtful) {
    for (const [uuid, line] of doubtful) run.workspace.set(parts.links(version), uuid, line);
  }
}

/** Pages that shift under a listing make the round unclean; the next one reads them again. */
async function readRoundOrSpoil(run: CrawlRun, pin: Pin, round: number): Promise<void> {
  try {
    await readRound(run, pin, round);
  } catch (error) {
    if (!isOffprintError(error, "UPSTREAM_INCONSISTENT")) throw error;
    pin.spoil(error.message);
  }
}

/**
 * The closing probe: at least `settle` after the last read, because the cv may move after a write is visible. Needless
 * where nothing was read at the pin.
 */
async function close(run: CrawlRun, pin: Pin): Promise<ProbeAnswer> {
  const { context } = run;
  if (!pin.used) return { cv: pin.cv, dateMs: null, total: null };
  context.onProgress({ kind: "stage", stage: "settle" });
  await run.workspace.fold();
  // What a commit waits for is done while there is nothing else to do.
  const [closing] = await Promise.all([probeSettled(run, pin), context.store.flush()]);
  if (closing.cv !== pin.cv) pin.spoil(`the space moved from cv ${pin.cv} to ${closing.cv} while it was read`);
  return closing;
}

async function probeSettled({ context }: CrawlRun, pin: Pin): Promise<ProbeAnswer> {
  const elapsed = context.pacing.now() - (pin.lastReadMs ?? 0);
  if (elapsed < context.settleMs) await context.pacing.sleep(context.settleMs - elapsed);
  return context.upstream.probe();
}

async function result(
  run: CrawlRun,
  outcome: CrawlResult["outcome"],
  cv: number | null,
  reasons: string[],
): Promise<CrawlResult> {
  if (run.plan === undefined) {
    throw new OffprintError(
      "UPSTREAM_INCONSISTENT",
      `The index could not be read: ${reasons[0] ?? "no reason given"}`,
      {
        hint: "Someone edits the space right now. Run the sync again.",
      },
    );
  }
  if (outcome !== "planned") await run.workspace.fold();
  return {
    outcome,
    draft: outcome === "planned" ? undefined : draftManifest(run, cv, outcome),
    cv,
    plan: run.plan,
    readParts: run.partReadings !== undefined,
    reasons,
    problems: run.problems,
    auditCursor: run.auditCursor,
    audited: run.audited,
    changes: run.workspace.changes(),
    stage: outcome === "planned" ? undefined : stageOf(run),
  };
}

/** Keeps what was read for the next sync. */
async function keepStage(run: CrawlRun): Promise<void> {
  await run.workspace.fold();
  const stage: Stage = stageOf(run);
  await saveStage(run.context.store, stage);
}

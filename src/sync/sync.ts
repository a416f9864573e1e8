import { hasContent } from "../content/tree/content-folder.js";
import { isOffprintError } from "../lib/errors.js";
import { scratchStore } from "../snapshot/open-output.js";
import { damageBehind } from "../snapshot/shard-records.js";
import { removeStage } from "../snapshot/write/stage.js";
import { askSpace, lookAtTaxonomies, readSpace } from "./ask-space.js";
import { type Base, leaveOutDamage, openBase, recheckBase, recoverBase } from "./base.js";
import { confirmGeneration } from "./confirm-generation.js";
import { type Due, decide, dueOf, nextStep } from "./decide.js";
import { keepPrevious, noteAndRethrow, stageAndRethrow } from "./keep-previous.js";
import { commitDraft, prepareCommit } from "./prepare-commit.js";
import { withoutRemovals } from "./removals.js";
import { bringTypes, renderAgain, renderContent, reportHeld } from "./render-content.js";
import { knownProblems, type SyncReport, syncReport } from "./report.js";
import { type HeldLock, openContext, type SyncContext, takeTurn } from "./sync-context.js";
import type { SyncOptions } from "./sync-options.js";
import type { ProbeAnswer } from "./upstream/upstream.js";

/**
 * Updates the snapshot, the content tree, and the types file if one is configured.
 * @throws OffprintError; the previous generation stays, and finished work is staged for the next sync
 */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const context = openContext(options);
  const { output, config, source } = context;
  try {
    const base = await openBase(output, config, options.env);
    return await bringTypes(context, await syncFrom(context, base));
  } finally {
    await source.close();
  }
}

async function syncFrom(asked: SyncContext, base: Base): Promise<SyncReport> {
  const { output, options, source } = asked;
  // A dry run plans what a sync would do once the generation is released.
  if (base.previous?.held && !options.dryRun) {
    const isWhole = base.contentIsCurrent && base.isPointed;
    return isWhole ? reportHeld(asked, base) : syncUnderLock(asked, base);
  }
  asked.onProgress({ kind: "stage", stage: "probe" });
  const probe = await source.upstream.probe();
  const isUnmoved = dueOf(asked, { base, probe }).work.published.length === 0;
  const news = isUnmoved ? await lookAtTaxonomies(asked, base, probe) : undefined;
  const context = news === undefined ? asked : { ...asked, options: { ...options, recheck: news } };
  if (nextStep(base, dueOf(context, { base, probe }).isAny) === "nothing") {
    if (!options.dryRun) await output.tidy?.();
    return unchanged(context, base, probe);
  }
  return options.dryRun ? plan(context, base, probe) : syncUnderLock(context, base, probe);
}

/** @param before and `probe`: as they were without the lock */
async function syncUnderLock(context: SyncContext, before: Base, probe?: ProbeAnswer): Promise<SyncReport> {
  const { output, config, source } = context;
  const isOld = await takeTurn(context);
  const lock = await output.lock();
  try {
    const base = await recoverBase(output, config, before, context.options.env);
    if (base.previous?.held) return await reportHeld(context, base, lock);
    // Another process may have committed or confirmed something newer than the probe.
    const isSame = base.head === before.head && base.state.cv === before.state.cv && !isOld;
    const current = probe !== undefined && isSame ? probe : await source.upstream.probe();
    try {
      return await takeStep(context, base, current, lock);
    } catch (thrown) {
      const error = (base.previous && (await damageBehind(thrown, output.store, base.previous))) ?? thrown;
      if (!isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
      context.onProgress({ kind: "note", message: error.message });
      // The damage may be in the stage, or in an earlier commit of this sync.
      await removeStage(output.store);
      const rechecked = await recheckBase(output, config, base, error);
      // If the newest manifest is damaged, the one before it is current, which may be held.
      if (rechecked.previous?.held) return await reportHeld(context, rechecked, lock);
      return await takeStep(context, rechecked, await source.upstream.probe(), lock);
    }
  } finally {
    await lock.release();
  }
}

/** The next step under the lock; the pointer is already repaired. */
async function takeStep(context: SyncContext, base: Base, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  const due = dueOf(context, { base, probe });
  const step = nextStep(base, due.isAny);
  if (step === "read") return readAndCommit(context, due, lock);
  return step === "render" ? renderAgain(context, base, lock, probe) : unchanged(context, base, probe);
}

async function readAndCommit(context: SyncContext, known: Due, lock: HeldLock): Promise<SyncReport> {
  const { config, output, options } = context;

  const due = await askSpace(context, known);
  const { base, nowMs } = due;
  const reading = await readSpace(context, due, output.store).catch((error: unknown) =>
    noteAndRethrow(context, base, nowMs, error),
  );

  const decision = decide(reading, base, config, nowMs);
  if (decision.kind === "stop") throw decision.error;
  if (decision.kind === "keep") return keepPrevious(context, base, reading, { error: decision.error, nowMs });
  const draft =
    decision.kind === "commit"
      ? decision.draft
      : await withoutRemovals(output.store, decision.previous, decision.draft, config.output.shardBytes);

  const { drift, ...prepared } = await prepareCommit(context, base, reading, draft).catch((error: unknown) =>
    stageAndRethrow(context, base, reading, error),
  );
  const { changes } = prepared;

  const { manifest, isNew } = await commitDraft(context, base, { draft, reading, lock, nowMs });
  const from = base.previous?.generation ?? null;
  if (isNew) await options.onCommit?.({ manifest, from, changes });

  const renders = hasContent(config) && (isNew || !base.contentIsCurrent);
  const led = isNew ? { from, to: manifest.generation, ...changes } : undefined;
  const content = renders ? await renderContent(context, lock, manifest, led) : undefined;

  const stale = decision.kind === "add" ? [decision.error.toProblem()] : [];
  const problems = [...reading.problems, ...stale, ...drift];
  const commit = { ...prepared, manifest, isNew, reading: { ...reading, problems }, content };
  return confirmGeneration(context, due, { lock, commit });
}

function unchanged(context: SyncContext, base: Base, { cv, dateMs }: ProbeAnswer): SyncReport {
  if (!context.options.dryRun) context.output.tellConfirmed?.(dateMs ?? Date.now());
  const problems = [...base.repairs, ...knownProblems(base.state)];
  return syncReport(context, { base, outcome: "unchanged", cv, problems });
}

async function plan(context: SyncContext, start: Base, before: ProbeAnswer): Promise<SyncReport> {
  const { output, source } = context;
  const probe = (await takeTurn(context)) ? await source.upstream.probe() : before;
  const found = start.damaged.length > 0 ? await leaveOutDamage(output, start, false) : start;
  const due = await askSpace(context, dueOf(context, { base: found, probe }));
  const { base } = due;
  const reading = await readSpace(context, due, scratchStore(output.store));
  const problems = [...base.repairs, ...reading.problems];
  return syncReport(context, { base, outcome: "unchanged", cv: reading.cv, reading, problems });
}

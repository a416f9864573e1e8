import type { CrawlResult } from "./crawl/crawl.js";
import type { ProbeAnswer } from "./crawl/opening-probe.js";
import { reportStagedStories } from "./crawl/staged-stories.js";
import { unlessForced } from "./crawl/unless-forced.js";
import { isOffprintError, OffprintError, type Problem } from "./errors.js";
import { hasContent } from "./export/content-folder.js";
import type { ExportReport } from "./export/export-content.js";
import { compareStories, type StoryChanges, sameGeneration } from "./snapshot/compare-stories.js";
import { commit, type ManifestDraft } from "./snapshot/generations.js";
import { assetJournalFile, parts as partNames } from "./snapshot/layout.js";
import type { Manifest } from "./snapshot/manifest.js";
import { scratchStore } from "./snapshot/open-output.js";
import { rebaseStage, removeStage, saveStage } from "./snapshot/stage.js";
import { type State, saveState } from "./snapshot/state.js";
import { bringAssets, usesToCount } from "./sync/bring-assets.js";
import { confirm, pruneGenerations } from "./sync/confirm.js";
import { acceptable, keep, noteUnclean, read } from "./sync/read-upstream.js";
import { droppedLanguages, emptiedEditions, emptyRepair, excessiveRemovals } from "./sync/removals.js";
import { comparable, leaveOutDamage, recover, repaired } from "./sync/repair.js";
import { type Facts, type SyncReport, syncReport } from "./sync/report.js";
import {
  assetState,
  begin,
  type HeldLock,
  isDue,
  isUpToDate,
  knownProblems,
  type SyncOptions,
  type SyncRun,
} from "./sync/sync-run.js";

export type { SyncOptions } from "./sync/sync-run.js";

/**
 * Brings the snapshot and the content tree up to the space: probe, crawl, compare, assets, commit, export.
 *
 * @throws OffprintError when the space could not be read, or what was read must not be committed. The previous
 *   generation is untouched then, and what was read is staged for the next sync.
 */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const run = await begin(options);
  try {
    if (run.previous?.held && !options.dryRun) {
      return await (run.contentIsCurrent ? hold(run) : underLock(run, (lock) => hold(run, lock)));
    }
    run.onProgress({ kind: "stage", stage: "probe" });
    const probe = await run.source.upstream.probe();
    if (isUpToDate(run, probe)) {
      if (!options.dryRun) await run.output.tidy?.();
      return unchanged(run, probe);
    }
    if (options.dryRun) return await plan(run, probe);
    const probed = run.previous?.generation;
    return await underLock(run, async (lock) => {
      // What another process has committed meanwhile may be newer than the probe.
      const current = run.previous?.generation === probed ? probe : await run.source.upstream.probe();
      return bringUpToDate(run, current, lock);
    });
  } finally {
    await run.source.close();
  }
}

/** The stages of a sync that has something to read. */
async function reconcile(run: SyncRun, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  const { previous } = run;
  const { store } = run.output;
  const serverMs = probe.dateMs ?? Date.now();
  const reading = await read(run, probe).catch((error: unknown) => noteFailure(run, serverMs, error));
  const draft = await acceptable(run, reading, serverMs);
  if (draft === undefined) return keep(run, reading, serverMs);

  const { changes, assets } = await prepare(run, reading, draft).catch((error: unknown) =>
    keepReading(run, reading, error),
  );
  draft.parts[partNames.assets] = assets.part;

  const isNew = previous === undefined || run.previous === undefined || !sameGeneration(previous, draft);
  if (isNew) await lock.assertHeld();
  const manifest = isNew ? await commitDraft(run, draft, previous) : previous;
  // Damaged objects that were read again are in their old place, under the same generation.
  if (!isNew && run.damaged.length > 0) await store.flush();
  await store.remove(assetJournalFile);
  if (reading.outcome === "clean") await removeStage(store);
  else await rebaseStage(store, manifest);
  const renders = hasContent(run.config) && (isNew || !run.contentIsCurrent);
  const content = renders ? await render(run, manifest, lock, isNew ? changes : undefined) : undefined;

  const outcome = isNew ? "committed" : "unchanged";
  const spaceProblems = [...partProblems(run, reading), ...assets.problems];
  const contentProblems = content?.problems ?? run.state.contentProblems;
  // A process that was killed after its commit has noted nothing of it, and may not have come to remove anything.
  const removes = isNew || run.state.generation !== manifest.generation;
  const pruneProblems = removes ? await pruneGenerations(run, lock) : [];
  const problems = [...run.repairs, ...spaceProblems, ...contentProblems, ...pruneProblems];
  const facts: Facts = {
    outcome,
    manifest,
    cv: reading.cv,
    changes,
    assets: assets.report,
    content,
    problems,
    reading,
  };
  const auditCursor: State["auditCursor"] = assets.auditedTo === "" ? {} : { [partNames.assets]: assets.auditedTo };
  const known = { assets: assetState(run.config, assets.open), auditCursor, spaceProblems, contentProblems };
  await confirm(run, probe, facts, known);
  return syncReport(run, facts);
}

/** What stands between the reading and its commit: which stories differ, whether so much may go, and the assets. */
async function prepare(run: SyncRun, reading: CrawlResult, draft: ManifestDraft) {
  const uses = await usesToCount(run);
  const changes = await compareStories(run.output.store, await comparable(run), draft, uses?.note, reading.changes);
  const stops = [
    ...(run.repairs.length > 0 ? emptyRepair(run.previous, draft) : []),
    ...(run.previous === undefined
      ? []
      : [
          ...emptiedEditions(run.previous, draft),
          ...droppedLanguages(run.previous, draft, run.config),
          ...excessiveRemovals(changes, run.previous, draft, run.config.safety.maxRemoveShare),
        ]),
  ];
  const force = { forceRemove: run.options.forceRemove ?? false, onProgress: run.onProgress };
  for (const stop of stops) unlessForced(force, stop);
  return { changes, assets: await bringAssets(run, draft, uses, reading) };
}

/** Parts beside the stories that could not be read. Where none was asked for, those of before are still as they were. */
function partProblems({ state }: SyncRun, reading: CrawlResult): Problem[] {
  if (reading.readParts) return reading.problems;
  const lasting = state.spaceProblems.filter(({ code }) => code === "PART_KEPT" || code === "PART_NOT_INCLUDED");
  return [...lasting, ...reading.problems];
}

/** Stages what was read where it comes to no commit, so that the next sync need not read it again. */
async function keepReading(run: SyncRun, reading: CrawlResult, error: unknown): Promise<never> {
  const isUseless = isOffprintError(error, "NO_SPACE") || isOffprintError(error, "SNAPSHOT_DAMAGED");
  if (reading.stage === undefined || isUseless) throw error;
  await saveStage(run.output.store, reading.stage);
  await reportStagedStories(
    { store: run.output.store, previous: run.readable, onProgress: run.onProgress },
    reading.stage,
  );
  throw error;
}

/** A space that changes so fast that not even its index can be read is unclean too. */
async function noteFailure(run: SyncRun, nowMs: number, error: unknown): Promise<never> {
  if (isOffprintError(error, "UPSTREAM_INCONSISTENT")) await noteUnclean(run, nowMs);
  throw error;
}

async function underLock(run: SyncRun, work: (lock: HeldLock) => Promise<SyncReport>): Promise<SyncReport> {
  const lock = await run.output.lock();
  try {
    await recover(run);
    return await work(lock);
  } finally {
    await lock.release();
  }
}

/** One sync under the lock. Where it meets damage, that is read again. */
async function bringUpToDate(run: SyncRun, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  try {
    return await step(run, probe, lock);
  } catch (error) {
    if (!isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
    run.onProgress({ kind: "note", message: error.message });
    // The damage may lie in the stage, or in what this run has committed before it met it.
    await removeStage(run.output.store);
    await recover(run);
    await leaveOutDamage(run);
    if (run.damaged.length === 0) run.repairs.push(repaired(error));
    run.contentIsCurrent = !hasContent(run.config);
    return await step(run, await run.source.upstream.probe(), lock);
  }
}

function step(run: SyncRun, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  // Someone may have rolled back while this sync waited for the probe and the lock.
  if (run.previous?.held) return hold(run, lock);
  if (isDue(run, probe)) return reconcile(run, probe, lock);
  return run.contentIsCurrent ? Promise.resolve(unchanged(run, probe)) : renderAgain(run, probe, lock);
}

/** Nothing to read, nothing to write; what was wrong before still is. */
function unchanged(run: SyncRun, probe: ProbeAnswer): SyncReport {
  return syncReport(run, {
    outcome: "unchanged",
    cv: probe.cv,
    problems: [...run.repairs, ...knownProblems(run.state)],
  });
}

/** A generation that was rolled back to stays until it is released; its content is rendered where it is not. */
async function hold(run: SyncRun, lock?: HeldLock): Promise<SyncReport> {
  const generation = run.previous?.generation;
  const problem = new OffprintError(
    "HELD",
    `Generation ${generation} was rolled back to, and is held. Nothing was read.`,
    {
      hint: "`offprint rollback --release` lets sync go on.",
    },
  ).toProblem();
  const facts: Facts = { outcome: "kept", cv: run.previous?.cv ?? null, problems: [problem] };
  if (run.contentIsCurrent || lock === undefined) return syncReport(run, facts);
  return syncReport(run, { ...facts, content: await render(run, run.previous as Manifest, lock) });
}

async function commitDraft(run: SyncRun, draft: ManifestDraft, previous: Manifest | undefined): Promise<Manifest> {
  run.onProgress({ kind: "stage", stage: "commit" });
  return commit(run.output.store, draft, { base: previous?.generation ?? null });
}

async function render(run: SyncRun, manifest: Manifest, lock: HeldLock, changes?: StoryChanges): Promise<ExportReport> {
  run.onProgress({ kind: "stage", stage: "export" });
  const from = manifest.previous;
  const { exportGeneration } = await import("./export/export-generation.js");
  return exportGeneration({
    config: run.config,
    output: run.output.store,
    manifest,
    assertHeld: () => lock.assertHeld(),
    ...(changes === undefined ? {} : { changes: { from, to: manifest.generation, ...changes } }),
  });
}

/**
 * Renders the content tree again: its settings changed, it is not there, or a sync was killed before it was whole. Needs
 * nothing of the space.
 */
async function renderAgain(run: SyncRun, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  const manifest = run.previous as Manifest;
  const content = await render(run, manifest, lock);
  const state = { ...run.state, generation: manifest.generation, contentProblems: content.problems };
  await saveState(run.output.store, state);
  return syncReport(run, {
    outcome: "unchanged",
    cv: probe.cv,
    content,
    problems: [...run.repairs, ...knownProblems(state)],
  });
}

/** Reads without writing, to say what a sync would do. */
async function plan(run: SyncRun, probe: ProbeAnswer): Promise<SyncReport> {
  if (run.damaged.length > 0) await leaveOutDamage(run);
  const reading = await read(run, probe, scratchStore(run.output.store));
  return syncReport(run, {
    outcome: "unchanged",
    cv: reading.cv,
    reading,
    problems: [...run.repairs, ...reading.problems],
  });
}

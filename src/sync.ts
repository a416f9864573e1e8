import type { AssetUses } from "./assets/asset-uses.js";
import type { Config } from "./config/config.js";
import { hostsOfOrigin } from "./config/region-hosts.js";
import type { CrawlResult } from "./crawl/crawl.js";
import { type DueWork, dueWork } from "./crawl/due.js";
import { knownScope, type Scope } from "./crawl/known-scope.js";
import { openSource, type Source, settleMs } from "./crawl/open-source.js";
import type { ProbeAnswer } from "./crawl/opening-probe.js";
import type { Pacing } from "./crawl/pin.js";
import type { OnProgress } from "./crawl/progress.js";
import { brakeRemovals, refuseEmpty, withoutRemovals } from "./crawl/removals.js";
import { isSameSpace } from "./crawl/space-identity.js";
import { type StageClock, startStageClock } from "./crawl/stage-clock.js";
import { withoutDamage } from "./crawl/without-damage.js";
import { isOffprintError, OffprintError, type Problem } from "./errors.js";
import { hasContent } from "./export/content-folder.js";
import type { ExportReport } from "./export/export-content.js";
import { changedRecords } from "./snapshot/changed-records.js";
import { compareStories, type StoryChanges, sameGeneration } from "./snapshot/compare-stories.js";
import { commit, type ManifestDraft, prune, recoverPointer } from "./snapshot/generations.js";
import { assetFile, assetJournalFile, assetsFolder, parts as partNames } from "./snapshot/layout.js";
import type { AssetRecord, Manifest } from "./snapshot/manifest.js";
import { type Output, openOutput, readDamagedOutput, readOutput, scratchStore } from "./snapshot/open-output.js";
import { readPart } from "./snapshot/read-part.js";
import { rebaseStage, removeStage } from "./snapshot/stage.js";
import { type State, saveState } from "./snapshot/state.js";
import { updatePart } from "./snapshot/update-part.js";
import { findDamage } from "./snapshot/verify.js";
import { wholeShards } from "./snapshot/whole-shards.js";
import { type Facts, runRecord, type SyncReport, syncReport } from "./sync-report.js";

export interface SyncOptions {
  config: Config;
  /** Where the source answers when its configured address is a name (`demo:`), and hosts that stand for other origins. */
  source?: { url: string; hostMap: Readonly<Record<string, string>> };
  /** Confirm every record, whatever the index shows. */
  full?: boolean;
  /** Remove what is gone upstream, however much it is. */
  forceRemove?: boolean;
  /** Replace the snapshot of another space. */
  replace?: boolean;
  /** Plan only: nothing is written. */
  dryRun?: boolean;
  /** Where the snapshot lies; default: the files of `output.dir`. */
  output?: Output;
  /** How time passes for waits and retries; default: as it does. */
  pacing?: Pacing;
  /** For proxies. */
  env?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  onProgress?: OnProgress;
}

/**
 * Brings the snapshot and the content tree up to the space: probe, crawl, compare, assets, commit, export.
 *
 * @throws OffprintError when the space could not be read, or what was read must not be committed. The previous
 *   generation is untouched then, and what was read is staged for the next sync.
 */
export async function sync(options: SyncOptions): Promise<SyncReport> {
  const run = await begin(options);
  try {
    if (run.previous?.held && !options.dryRun) return await hold(run);
    run.onProgress({ kind: "stage", stage: "probe" });
    const probe = await run.source.upstream.probe();
    if (isUpToDate(run, probe)) {
      await run.output.tidy?.();
      return unchanged(run, probe);
    }
    if (options.dryRun) return await plan(run, probe);
    return await underLock(run, (lock) => bringUpToDate(run, probe, lock));
  } finally {
    await run.source.close();
  }
}

/** Nothing to read, nothing to write; what was wrong before still is. */
function unchanged(run: SyncRun, probe: ProbeAnswer): SyncReport {
  return syncReport(run, {
    outcome: "unchanged",
    cv: probe.cv,
    problems: [...run.repairs, ...knownProblems(run.state)],
  });
}

/** Whether there is nothing to read, to render or to put right. */
function isUpToDate(run: SyncRun, probe: ProbeAnswer): boolean {
  return run.isPointed && run.damaged.length === 0 && run.contentIsCurrent && !isDue(run, probe);
}

/** A generation that was rolled back to stays until it is released; its content is rendered where it is not. */
async function hold(run: SyncRun): Promise<SyncReport> {
  const generation = run.previous?.generation;
  const problem = new OffprintError(
    "HELD",
    `Generation ${generation} was rolled back to, and is held. Nothing was read.`,
    {
      hint: "`offprint rollback --release` lets sync go on.",
    },
  ).toProblem();
  if (run.contentIsCurrent)
    return syncReport(run, { outcome: "kept", cv: run.previous?.cv ?? null, problems: [problem] });
  return underLock(run, async (lock) => {
    const content = await render(run, run.previous as Manifest, lock);
    return syncReport(run, { outcome: "kept", cv: run.previous?.cv ?? null, content, problems: [problem] });
  });
}

/** Everything that a sync has at hand. */
export interface SyncRun {
  readonly options: SyncOptions;
  readonly config: Config;
  readonly output: Output;
  readonly source: Source;
  /** Origin that answers. */
  readonly url: string;
  previous: Manifest | undefined;
  /** The previous generation without what is damaged of it: what is not in there is read again. */
  readable: Manifest | undefined;
  /** Names of what is damaged of the previous generation: parts, asset files, the manifest. */
  damaged: readonly string[];
  /** Whether the pointer holds the previous generation's manifest, so that nothing has to be put right. */
  isPointed: boolean;
  /** What was found damaged, and is put right by this sync. */
  readonly repairs: Problem[];
  state: State;
  contentIsCurrent: boolean;
  readonly startedMs: number;
  readonly clock: StageClock;
  readonly onProgress: OnProgress;
}

/** The right to commit: held until the end of {@link underLock}. */
interface HeldLock {
  assertHeld(): Promise<void>;
}

async function begin(options: SyncOptions): Promise<SyncRun> {
  const { config, env = {}, signal } = options;
  const output = options.output ?? openOutput(config.output.dir);
  const { manifest, state, isPointed, damage } = await readDamagedOutput(output);
  const clock = startStageClock(options.onProgress ?? (() => {}), () => performance.now());
  const { onProgress } = clock;
  const url = options.source?.url ?? config.source.url;
  return {
    options,
    config,
    output,
    source: openSource({ config, url, env, signal, pacing: options.pacing, onProgress }),
    url,
    previous: manifest,
    readable: manifest,
    damaged: state.damaged,
    isPointed: isPointed || (manifest === undefined && damage === undefined),
    repairs: damage === undefined ? [] : [repaired(damage)],
    state,
    contentIsCurrent: await hasCurrentContent(config, manifest),
    startedMs: performance.now(),
    clock,
    onProgress,
  };
}

async function hasCurrentContent(config: Config, manifest: Manifest | undefined): Promise<boolean> {
  if (!hasContent(config)) return true;
  if (manifest === undefined) return false;
  const { isContentCurrent } = await import("./export/export-generation.js");
  return isContentCurrent(config, manifest);
}

function dueOf(run: SyncRun, scope: Scope, probe: ProbeAnswer): DueWork {
  return dueWork({
    config: run.config,
    specs: scope.specs,
    previous: run.readable,
    damaged: run.damaged,
    confirmed: { cv: run.state.cv, checkedAtMs: run.state.checkedMs.parts ?? null },
    probe,
    full: run.options.full === true,
  });
}

/** Whether anything has to be read: what cv covers, what no cv covers, what is damaged, or assets that are still missing. */
function isDue(run: SyncRun, probe: ProbeAnswer): boolean {
  const due = dueOf(run, knownScope(run.config, run.readable), probe);
  return due.published.length > 0 || due.unpinned || run.state.assets !== assetState(run.config, 0);
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

/** Starts from what is there now: another process may have committed since, or have died between commit and pointer. */
async function recover(run: SyncRun): Promise<void> {
  const { store } = run.output;
  const before = run.previous?.generation;
  try {
    run.previous = await recoverPointer(store);
  } catch (error) {
    // No manifest verifies: everything is read, and committed as a generation of its own.
    if (run.previous !== undefined || !isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
  }
  run.readable = run.previous;
  run.isPointed = true;
  if (run.previous !== undefined && run.previous.generation !== before) {
    run.state = (await readOutput(run.output)).state;
    run.damaged = run.state.damaged;
    run.contentIsCurrent = await hasCurrentContent(run.config, run.previous);
  }
  if (run.damaged.length > 0) await leaveOutDamage(run);
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
  if (isDue(run, probe)) return reconcile(run, probe, lock);
  return run.contentIsCurrent ? Promise.resolve(unchanged(run, probe)) : renderAgain(run, probe, lock);
}

/** Finds what of the previous generation is damaged, and leaves it out of what the crawl starts from. */
async function leaveOutDamage(run: SyncRun): Promise<void> {
  const { previous, output } = run;
  if (previous === undefined) return;
  const noted = run.damaged;
  run.damaged = await findDamage(output.store, previous);
  run.readable = withoutDamage(previous, run.damaged);
  // What was noted and is whole by now is the generation's own file, which the recovery has put right.
  const names = run.damaged.length > 0 ? run.damaged : noted;
  if (names.length === 0) return;
  const message = `Generation ${previous.generation} is damaged: ${names.join(", ")}.`;
  if (!run.repairs.some((repair) => repair.message === message)) {
    run.repairs.push(repaired(new OffprintError("SNAPSHOT_DAMAGED", message)));
  }
  if (run.options.dryRun) return;
  run.state = { ...run.state, generation: previous.generation, damaged: [...run.damaged] };
  await saveState(output.store, run.state);
  // The bytes are not those that the name stands for: the asset is fetched again.
  for (const name of run.damaged) if (name.startsWith(`${assetsFolder}/`)) await output.store.remove(name);
}

function repaired(damage: OffprintError): Problem {
  return {
    ...damage.toProblem(),
    hint: "It is put right by this sync. Files do not change by themselves: look after the disk.",
  };
}

/** The stages of a sync that has something to read. */
async function reconcile(run: SyncRun, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  const { previous } = run;
  const { store } = run.output;
  const reading = await read(run, probe);
  const serverMs = probe.dateMs ?? Date.now();
  const draft = await acceptable(run, reading, serverMs);
  if (draft === undefined) return keep(run, reading, serverMs);

  const uses = await usesToCount(run);
  const changes = await compareStories(store, await comparable(run), draft, uses?.note);
  if (!run.options.forceRemove) {
    if (run.repairs.length > 0) refuseEmpty(previous, draft);
    if (run.previous !== undefined) brakeRemovals(changes, run.previous, draft, run.config.safety.maxRemoveShare);
  }
  const assets = await bringAssets(run, draft, uses, reading);
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
  const spaceProblems = [...reading.problems, ...assets.problems];
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

/** Removes what nobody needs any more. Where that cannot be told, nothing is removed, and the sync has succeeded all the same. */
async function pruneGenerations(run: SyncRun, lock: HeldLock): Promise<Problem[]> {
  await lock.assertHeld();
  try {
    await prune(run.output.store, run.config.output.keepGenerations, Date.now());
    return [];
  } catch (error) {
    if (!isOffprintError(error, "SNAPSHOT_DAMAGED") && !isOffprintError(error, "SNAPSHOT_FORMAT")) throw error;
    return [
      {
        ...error.toProblem(),
        hint: "A kept generation cannot be read, so no old file was removed. Remove its manifest by hand.",
      },
    ];
  }
}

/** What the new generation is compared with: of the damaged parts those shards that are whole. */
async function comparable(run: SyncRun): Promise<Manifest | undefined> {
  const { previous, readable } = run;
  if (previous === undefined || readable === previous) return previous;
  return { ...previous, parts: await wholeShards(run.output.store, previous, Object.keys(readable?.parts ?? {})) };
}

/** Asks the space what there is, and reads what is due. */
async function read(run: SyncRun, probe: ProbeAnswer, store = run.output.store): Promise<CrawlResult> {
  const { config, source, options } = run;
  const known = knownScope(config, run.previous);
  const asksSpace = config.source.include.space && dueOf(run, known, probe).published.length > 0;
  const { readScope } = await import("./crawl/read-scope.js");
  const scope = asksSpace ? await readScope(config, source.upstream, source.pacing, run.previous) : known;
  const replace = options.replace === true;
  if (!isSameSpace(run.previous, config.source.url, scope.space?.record, replace)) {
    run.previous = undefined;
    run.readable = undefined;
  }
  const { crawl } = await import("./crawl/crawl.js");
  const result = await crawl({
    config,
    upstream: source.upstream,
    store,
    pacing: source.pacing,
    previous: run.readable,
    probe,
    due: dueOf(run, scope, probe),
    specs: scope.specs,
    space: scope.space,
    auditCursor: run.state.auditCursor,
    settleMs: settleMs(config, run.url),
    full: options.full === true,
    forceRemove: options.forceRemove === true,
    dryRun: options.dryRun === true,
    onProgress: run.onProgress,
  });
  return { ...result, problems: [...scope.problems, ...result.problems] };
}

/**
 * The draft that may be committed. An unclean reading is none, unless the space has kept changing for longer than
 * `safety.maxStale`: then it may add and change, never remove.
 * @returns undefined when the previous generation is kept
 */
async function acceptable(run: SyncRun, reading: CrawlResult, nowMs: number): Promise<ManifestDraft | undefined> {
  if (reading.outcome === "clean" || reading.draft === undefined) return reading.draft;
  if (run.readable === undefined) throw inconsistent(reading);
  const since = run.state.uncleanSinceMs ?? nowMs;
  if (nowMs - since < run.config.safety.maxStaleMs) return undefined;
  reading.problems.push(inconsistent(reading).toProblem());
  return withoutRemovals(run.output.store, run.readable, reading.draft, run.config.output.shardBytes);
}

/** The previous generation stays; since when no reading was clean is noted. */
async function keep(run: SyncRun, reading: CrawlResult, nowMs: number): Promise<SyncReport> {
  const problems = [...run.repairs, ...reading.problems, inconsistent(reading).toProblem()];
  const facts: Facts = { outcome: "kept", cv: reading.cv, problems, reading };
  const { state } = run;
  const uncleanSinceMs = state.uncleanSinceMs ?? nowMs;
  await saveState(run.output.store, { ...state, uncleanSinceMs, runs: [...state.runs, runRecord(run, facts)] });
  return syncReport(run, facts);
}

function inconsistent({ reasons }: CrawlResult): OffprintError {
  return new OffprintError(
    "UPSTREAM_INCONSISTENT",
    `No clean reading of the space: ${reasons[0] ?? "it kept changing"}.`,
    {
      hint: "What was read is staged: the next sync goes on from there.",
    },
  );
}

/**
 * Counts the uses of assets while the stories are compared, so that they are read once. Undefined where the two look at
 * different stories: the stories of the previous generation are there and its assets are not, or it is damaged.
 */
async function usesToCount({ previous, readable }: SyncRun): Promise<AssetUses | undefined> {
  if (readable !== previous || (previous !== undefined && previous.parts[partNames.assets] === undefined))
    return undefined;
  const { countAssetUses } = await import("./assets/asset-uses.js");
  return countAssetUses();
}

/** Fetches the assets that the new records name, and returns the part that lists them. */
async function bringAssets(run: SyncRun, draft: ManifestDraft, uses: AssetUses | undefined, reading: CrawlResult) {
  run.onProgress({ kind: "stage", stage: "assets" });
  const { store } = run.output;
  const before = run.readable?.parts[partNames.assets];
  const countsAnew = run.readable !== run.previous;
  const earlier = before === undefined ? [] : readPart(store, partNames.assets, before);
  const [{ fetchAssets }, { openAssetJournal }] = await Promise.all([
    import("./assets/fetch-assets.js"),
    import("./assets/asset-journal.js"),
  ]);
  const fetched = await fetchAssets({
    journal: await openAssetJournal(store, assetJournalFile),
    audit: {
      after: run.state.auditCursor[partNames.assets] ?? "",
      count: assetsToAudit(run, reading),
    },
    records: () => changedRecords(store, undefined, draft),
    uses,
    changes: changedRecords(
      store,
      before === undefined || countsAnew ? undefined : run.readable,
      draft,
      uses === undefined ? "all" : "variants",
    ),
    previous: countsAnew ? withoutUses(earlier) : earlier,
    config: run.config,
    sourceOrigin: new URL(run.url).origin,
    sourceHosts: hostsOfOrigin(new URL(run.url).origin)?.assets ?? [],
    hostMap: run.options.source?.hostMap ?? {},
    transport: { download: (url, download) => run.source.transport().download(url, download) },
    store,
    files: { folder: assetsFolder, fileOf: assetFile },
    retryAll: run.options.full === true,
    ...(run.options.signal === undefined ? {} : { signal: run.options.signal }),
    onProgress: (done, total) => run.onProgress({ kind: "advance", stage: "assets", done, total }),
  });
  const part = await updatePart(store, partNames.assets, before, fetched.changes, run.config.output.shardBytes);
  const { report, problems, auditedTo } = fetched;
  return { part, report, problems, open: report.failed, auditedTo };
}

/** So many assets are asked, where records are audited, whether the bytes behind their URL are what they were. */
const assetsAudited = 25;

function assetsToAudit({ options, state }: SyncRun, { auditCursor }: CrawlResult): number {
  if (options.full) return Number.POSITIVE_INFINITY;
  return JSON.stringify(auditCursor) === JSON.stringify(state.auditCursor) ? 0 : assetsAudited;
}

/** The assets as they were fetched, to be counted anew: what named them before is not known any more. */
async function* withoutUses(lines: Iterable<{ line: string }> | AsyncIterable<{ line: string }>) {
  for await (const { line } of lines) yield { line: JSON.stringify({ ...(JSON.parse(line) as AssetRecord), uses: 0 }) };
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
  const state = { ...run.state, contentProblems: content.problems };
  await saveState(run.output.store, state);
  return syncReport(run, {
    outcome: "unchanged",
    cv: probe.cv,
    content,
    problems: [...run.repairs, ...knownProblems(state)],
  });
}

function knownProblems({ spaceProblems, contentProblems }: State) {
  return [...spaceProblems, ...contentProblems];
}

/** Notes that the generation is what the space was at this cv. An unclean reading confirms nothing. */
async function confirm(run: SyncRun, probe: ProbeAnswer, facts: Facts, known: Partial<State>): Promise<void> {
  const { state } = run;
  const { reading, cv, manifest, outcome } = facts;
  const dateMs = probe.dateMs ?? Date.now();
  const isClean = reading?.outcome === "clean";
  const next: State = {
    ...state,
    ...known,
    generation: manifest?.generation ?? null,
    auditCursor: { ...(reading?.auditCursor ?? state.auditCursor), ...known.auditCursor },
    damaged: [],
    ...(isClean ? { cv, confirmedAtMs: dateMs, uncleanSinceMs: null } : {}),
    ...(isClean && reading.readParts ? { checkedMs: { ...state.checkedMs, parts: dateMs } } : {}),
    runs: outcome === "unchanged" && run.repairs.length === 0 ? state.runs : [...state.runs, runRecord(run, facts)],
  };
  // Alone, when it was confirmed is not worth a write at every sync of drafts.
  if (JSON.stringify({ ...next, confirmedAtMs: 0 }) === JSON.stringify({ ...state, confirmedAtMs: 0 })) return;
  await saveState(run.output.store, next);
}

/** Settings of the assets, and whether some are still to be fetched: a mark that differs makes a sync look at them. */
function assetState({ assets }: Config, open: number): string {
  return JSON.stringify([assets.download, assets.hosts, assets.maxBytes, open > 0]);
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

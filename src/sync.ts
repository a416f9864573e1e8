import { fetchAssets } from "./assets/fetch-assets.js";
import type { Config } from "./config/config.js";
import { hostsOfOrigin } from "./config/region-hosts.js";
import { type CrawlResult, crawl, dropStage } from "./crawl/crawl.js";
import { type DueWork, dueWork } from "./crawl/due.js";
import { openSource, type Source, settleMs } from "./crawl/open-source.js";
import type { ProbeAnswer } from "./crawl/opening-probe.js";
import type { Pacing } from "./crawl/pin.js";
import type { OnProgress } from "./crawl/progress.js";
import { knownScope, readScope, type Scope } from "./crawl/read-scope.js";
import { brakeRemovals, withoutRemovals } from "./crawl/removals.js";
import { isSameSpace } from "./crawl/space-identity.js";
import { OffprintError } from "./errors.js";
import type { ExportReport } from "./export/export-content.js";
import { exportGeneration, hasContent, isContentCurrent } from "./export/export-generation.js";
import { changedRecords } from "./snapshot/changed-records.js";
import { compareStories, type StoryChanges, sameGeneration } from "./snapshot/compare-stories.js";
import { commit, type ManifestDraft, prune, recoverPointer } from "./snapshot/generations.js";
import { assetFile, assetsFolder, parts as partNames } from "./snapshot/layout.js";
import type { Manifest } from "./snapshot/manifest.js";
import { type Output, openOutput, readOutput, scratchStore } from "./snapshot/open-output.js";
import { readPart } from "./snapshot/read-part.js";
import { type State, saveState } from "./snapshot/state.js";
import { updatePart } from "./snapshot/update-part.js";
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
    const due = dueOf(run, knownScope(run.config, run.previous), probe);
    if (!isDue(run, due) && run.contentIsCurrent) return unchanged(run, probe);
    if (options.dryRun) return await plan(run, probe);
    return await underLock(run, (lock) => (isDue(run, due) ? reconcile(run, probe, lock) : renderAgain(run, probe)));
  } finally {
    await run.source.close();
  }
}

/** Nothing to read, nothing to write; what was wrong before still is. */
function unchanged(run: SyncRun, probe: ProbeAnswer): SyncReport {
  return syncReport(run, { outcome: "unchanged", cv: probe.cv, problems: knownProblems(run.state) });
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
  return underLock(run, async () => {
    const content = await render(run, run.previous as Manifest);
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
  state: State;
  readonly contentIsCurrent: boolean;
  readonly startedMs: number;
  readonly onProgress: OnProgress;
}

/** The right to commit: held until the end of {@link underLock}. */
interface HeldLock {
  assertHeld(): Promise<void>;
}

async function begin(options: SyncOptions): Promise<SyncRun> {
  const { config, env = {}, signal } = options;
  const output = options.output ?? openOutput(config.output.dir);
  const { manifest, state } = await readOutput(output);
  const onProgress = options.onProgress ?? (() => {});
  const url = options.source?.url ?? config.source.url;
  return {
    options,
    config,
    output,
    source: openSource({ config, url, env, signal, pacing: options.pacing, onProgress }),
    url,
    previous: manifest,
    state,
    contentIsCurrent: !hasContent(config) || (manifest !== undefined && (await isContentCurrent(config, manifest))),
    startedMs: performance.now(),
    onProgress,
  };
}

function dueOf(run: SyncRun, scope: Scope, probe: ProbeAnswer): DueWork {
  return dueWork({
    config: run.config,
    specs: scope.specs,
    previous: run.previous,
    confirmed: { cv: run.state.cv, checkedAtMs: run.state.checkedMs.parts ?? null },
    probe,
    full: run.options.full === true,
  });
}

/** Whether anything has to be read: what cv covers, what no cv covers, or assets that are still missing. */
function isDue(run: SyncRun, due: DueWork): boolean {
  return due.published.length > 0 || due.unpinned || run.state.assets !== assetState(run.config, 0);
}

async function underLock(run: SyncRun, work: (lock: HeldLock) => Promise<SyncReport>): Promise<SyncReport> {
  const lock = await run.output.lock();
  try {
    // Another process may have committed since, or have died between the commit and the pointer.
    run.previous = await recoverPointer(run.output.store);
    return await work(lock);
  } finally {
    await lock.release();
  }
}

/** The stages of a sync that has something to read. */
async function reconcile(run: SyncRun, probe: ProbeAnswer, lock: HeldLock): Promise<SyncReport> {
  const { previous } = run;
  const reading = await read(run, probe);
  const serverMs = probe.dateMs ?? Date.now();
  const draft = await acceptable(run, reading, serverMs);
  if (draft === undefined) return keep(run, reading, serverMs);

  const changes = await compareStories(run.output.store, run.previous, draft);
  if (previous !== undefined && run.previous !== undefined && !run.options.forceRemove) {
    brakeRemovals(changes, previous, draft, run.config.safety.maxRemoveShare);
  }
  const assets = await bringAssets(run, draft);
  draft.parts[partNames.assets] = assets.part;

  const isNew = previous === undefined || run.previous === undefined || !sameGeneration(previous, draft);
  if (isNew) await lock.assertHeld();
  const manifest = isNew ? await commitDraft(run, draft, previous) : previous;
  await dropStage(run.output.store);
  const renders = hasContent(run.config) && (isNew || !run.contentIsCurrent);
  const content = renders ? await render(run, manifest, changes) : undefined;

  const outcome = isNew ? "committed" : "unchanged";
  const spaceProblems = [...reading.problems, ...assets.problems];
  const contentProblems = content?.problems ?? run.state.contentProblems;
  const problems = [...spaceProblems, ...contentProblems];
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
  await confirm(run, probe, facts, { assets: assetState(run.config, assets.open), spaceProblems, contentProblems });
  if (isNew) await prune(run.output.store, run.config.output.keepGenerations, Date.now());
  return syncReport(run, facts);
}

/** Asks the space what there is, and reads what is due. */
async function read(run: SyncRun, probe: ProbeAnswer, store = run.output.store): Promise<CrawlResult> {
  const { config, source, options } = run;
  const known = knownScope(config, run.previous);
  const asksSpace = config.source.include.space && dueOf(run, known, probe).published.length > 0;
  const scope = asksSpace ? await readScope(config, source.upstream, source.pacing, run.previous) : known;
  const replace = options.replace === true;
  if (!isSameSpace(run.previous, config.source.url, scope.space?.record, replace)) run.previous = undefined;
  const result = await crawl({
    config,
    upstream: source.upstream,
    store,
    pacing: source.pacing,
    previous: run.previous,
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
  if (run.previous === undefined) throw inconsistent(reading);
  const since = run.state.uncleanSinceMs ?? nowMs;
  if (nowMs - since < run.config.safety.maxStaleMs) return undefined;
  reading.problems.push(inconsistent(reading).toProblem());
  return withoutRemovals(run.output.store, run.previous, reading.draft, run.config.output.shardBytes);
}

/** The previous generation stays; since when no reading was clean is noted. */
async function keep(run: SyncRun, reading: CrawlResult, nowMs: number): Promise<SyncReport> {
  const problems = [...reading.problems, inconsistent(reading).toProblem()];
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

/** Fetches the assets that the new records name, and returns the part that lists them. */
async function bringAssets(run: SyncRun, draft: ManifestDraft) {
  run.onProgress({ kind: "stage", stage: "assets" });
  const { store } = run.output;
  const before = run.previous?.parts[partNames.assets];
  const fetched = await fetchAssets({
    changes: changedRecords(store, before === undefined ? undefined : run.previous, draft),
    previous: before === undefined ? [] : readPart(store, partNames.assets, before),
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
  return { part, report: fetched.report, problems: fetched.problems, open: fetched.report.failed };
}

async function commitDraft(run: SyncRun, draft: ManifestDraft, previous: Manifest | undefined): Promise<Manifest> {
  run.onProgress({ kind: "stage", stage: "commit" });
  return commit(run.output.store, draft, { base: previous?.generation ?? null });
}

async function render(run: SyncRun, manifest: Manifest, changes?: StoryChanges): Promise<ExportReport> {
  run.onProgress({ kind: "stage", stage: "export" });
  const from = run.previous?.generation ?? null;
  return exportGeneration({
    config: run.config,
    output: run.output.store,
    manifest,
    ...(changes === undefined ? {} : { changes: { from, to: manifest.generation, ...changes } }),
  });
}

/** Renders the content tree again: its settings changed, or it is not there. Needs nothing of the space. */
async function renderAgain(run: SyncRun, probe: ProbeAnswer): Promise<SyncReport> {
  const content = await render(run, run.previous as Manifest);
  const state = { ...run.state, contentProblems: content.problems };
  await saveState(run.output.store, state);
  return syncReport(run, { outcome: "unchanged", cv: probe.cv, content, problems: knownProblems(state) });
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
    auditCursor: reading?.auditCursor ?? state.auditCursor,
    ...(isClean ? { cv, confirmedAtMs: dateMs, uncleanSinceMs: null } : {}),
    ...(isClean && reading.readParts ? { checkedMs: { ...state.checkedMs, parts: dateMs } } : {}),
    runs: outcome === "unchanged" ? state.runs : [...state.runs, runRecord(run, facts)],
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
  const reading = await read(run, probe, scratchStore(run.output.store));
  return syncReport(run, { outcome: "unchanged", cv: reading.cv, reading, problems: reading.problems });
}

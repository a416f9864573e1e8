import type { Config } from "../../src/config/config.js";
import type { Output } from "../../src/snapshot/output.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Pacing } from "../../src/sync/crawl/run/pin.js";
import type { SyncReport } from "../../src/sync/report.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { editorialEdit, listEdit, uncoveredEdit } from "../support/model-space/editorial-edits.js";
import { anyEdit, initialSpace } from "../support/model-space/edits.js";
import { faults } from "../support/model-space/faults.js";
import { longestLagMs } from "../support/model-space/lags.js";
import { createModelSpace, type ModelSpace } from "../support/model-space/model-space.js";
import { calm, createModelUpstream, type ModelUpstream } from "../support/model-space/model-upstream.js";
import { createRandom, type Random } from "../support/model-space/random.js";
import type { ModelServer } from "../support/model-space/serve-model-upstream.js";
import { termEdit } from "../support/model-space/terms.js";
import { sampleConfig } from "../support/sample-config.js";
import { type HistoryPlan, planGap, planHistory } from "./history-plan.js";
import { type HistoryStorage, memoryStorage, type OpenStorage, unlocked } from "./history-storage.js";
import {
  checkCommit,
  checkExact,
  checkFresh,
  checkHealed,
  checkInterval,
  checkSameShards,
  isHeld,
  isPoisoned,
  PropertyViolation,
} from "./properties.js";
import type { Regime } from "./regimes.js";
import { type ReadSnapshot, readSnapshot } from "./snapshot-lines.js";

export type Sync = (options: SyncOptions) => Promise<SyncReport>;

export interface HistoryResult {
  seed: string;
  syncs: number;
  /** Syncs that ended with an exact reading, and were compared with the model. */
  exact: number;
  /** How many of them had to be right, and how many others were wrong. */
  held: number;
  torn: number;
  /** The furthest that a part lagged, in milliseconds. */
  longestLagMs: number;
  committed: number;
  kept: number;
  failed: number;
  crashed: number;
  requests: number;
  /**
   * True if other clients had filled an edge with a state that its cv does not stand for: nothing
   * is promised then.
   */
  poisoned: boolean;
  /** Records that differed where the index is blind. */
  blind: number;
  /** Virtual milliseconds. */
  lastedMs: number;
}

export interface HistoryRun {
  plan: HistoryPlan;
  space: ModelSpace;
  upstream: ModelUpstream;
  storage: HistoryStorage;
  config: Config;
  pacing: Pacing;
  sync: Sync;
  random: Random;
  result: HistoryResult;
  /** The previous generation, as it was read back. */
  snapshot: ReadSnapshot | undefined;
  /** When the sync of the last clean generation began. */
  sinceMs: number;
  /** True once there are no more writes. */
  isQuiet: boolean;
  /** The last sync's writes. */
  lastWrites: readonly string[];
}

/** Expected errors of a sync of a space that answers badly or keeps changing. */
const expectedErrors = new Set([
  "UPSTREAM_REFUSED",
  "UPSTREAM_UNREACHABLE",
  "UPSTREAM_RATE_LIMITED",
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_NOT_FOUND",
  "UPSTREAM_BAD_ANSWER",
  "UPSTREAM_INCONSISTENT",
  "UPSTREAM_EMPTY",
  "REMOVAL_BRAKE",
]);

const requestBound = 6_000;
const syncBoundMs = 3 * 3_600_000;

/**
 * Runs one history: edits, syncs in between, quiet at the end. Checks all properties on the way.
 * @param openStorage opens the snapshot's storage
 * @throws PropertyViolation
 */
export async function runHistory(
  seed: string,
  server: ModelServer,
  sync: Sync,
  regime: Regime = "plain",
  openStorage: OpenStorage = memoryStorage,
): Promise<HistoryResult> {
  const run = await openHistory({ seed, server, sync, regime, openStorage });
  try {
    return await live(run);
  } finally {
    await run.storage.close();
  }
}

async function live(run: HistoryRun): Promise<HistoryResult> {
  startEditors(run);
  const { plan, random, space, upstream } = run;
  for (let count = 0, troubles = 0; count < plan.syncs; count++) {
    // A caller that should try again does so at once, and meets old answers in the edges.
    const isRetry = troublesOf(run) > troubles && random.chance(0.7);
    troubles = troublesOf(run);
    wait(
      run,
      isRetry ? random.int(20, 600) : planGap(random, plan.longestGapMs),
      isRetry ? 1 : random.int(0, plan.writesBefore),
    );
    scheduleMeanwhile(run);
    upstream.weather =
      run.snapshot === undefined ? { ...plan.weather, faultNames: believable, emptyTwice: false } : plan.weather;
    await syncOnce(run, plan.crashShare > 0 && random.chance(plan.crashShare) ? random.int(1, 25) : undefined);
    if (isPoisoned(run)) return ended(run);
  }
  upstream.weather = calm;
  run.isQuiet = true;
  await run.storage.calm();
  // All planned events have happened.
  space.advance(plan.writeWindowMs + space.dialect.longestLagMs);
  upstream.forgetActions();
  await lookAgain(run);
  space.advance(10_000);
  await checkQuiet(run);
  return ended(run);
}

/** An upstream that shows nothing where nothing was before is a new space. */
const believable = Object.keys(faults).filter((name) => name !== "no links");

interface HistoryOptions {
  seed: string;
  server: ModelServer;
  sync: Sync;
  regime: Regime;
  openStorage: OpenStorage;
}

async function openHistory({ seed, server, sync, regime, openStorage }: HistoryOptions): Promise<HistoryRun> {
  const random = createRandom(seed);
  const plan = planHistory(random.stream("plan"), regime);
  const startMs = Date.UTC(2026, 0, 5) + random.int(0, 1e9);
  const start = initialSpace(startMs, random.stream("start"), plan);
  const space = createModelSpace(start, plan.dialect, startMs, random.stream("lag"));
  // Unique, so that unfinished requests of an earlier history reach nobody; short, so that it is
  // not masked as a secret.
  const token = `m${seed}`;
  const upstream = createModelUpstream(space, plan.edges, token, random);
  const jitter = random.stream("jitter");
  server.serve(upstream);
  const run: HistoryRun = {
    plan,
    space,
    upstream,
    storage: await openStorage({
      space,
      random,
      note: (line) => upstream.note(`  ${line}`),
      edit: () => write(run),
      syncElsewhere: (output) => syncElsewhere(run, output),
      violated: (property, what) => {
        throw violation(run, property, what);
      },
    }),
    config: configOf(plan, server.url, token),
    pacing: {
      sleep: (ms) => run.storage.pass(ms),
      now: () => space.nowMs,
      random: jitter.next,
    },
    sync,
    random: random.stream("history"),
    result: {
      seed,
      syncs: 0,
      exact: 0,
      held: 0,
      torn: 0,
      longestLagMs: longestLagMs(plan.dialect.lags),
      committed: 0,
      kept: 0,
      failed: 0,
      crashed: 0,
      requests: 0,
      poisoned: false,
      blind: 0,
      lastedMs: 0,
    },
    snapshot: undefined,
    sinceMs: startMs,
    isQuiet: false,
    lastWrites: [],
  };
  return run;
}

function configOf(plan: HistoryPlan, url: string, token: string): Config {
  return {
    baseDir: "/",
    source: {
      url,
      token,
      versions: plan.versions,
      languages: "all",
      releases: plan.releases,
      // Elsewhere nobody asks for them, so that a seed stands for the same history as before there were any.
      include: { ...sampleConfig.source.include, taxonomies: plan.termEditShare !== undefined, ...plan.include },
      recheckMs: plan.recheckMs,
      settleMs: 2_000,
    },
    queue: {
      concurrency: plan.concurrency,
      prefer: plan.prefer,
      rateLimit: false,
      timeoutMs: 10_000,
      retries: plan.retries,
    },
    // A single edit of a relation may remove many stories.
    safety: { maxRemoveShare: plan.relates ? 1 : 0.2, consistency: "interval", maxStaleMs: plan.maxStaleMs },
    resolve: { relations: "all", depth: 0, links: { pattern: "/{slug}", home: "home", use: "path", outside: "url" } },
    assets: { download: false, hosts: ["source"], maxBytes: 1, onFailure: "keep", metadata: false },
    content: { target: "plain", formats: [], richText: "document", outline: "frontMatter", types: {} },
    editor: {},
    site: {},
    output: { dir: "/output", keepGenerations: 3, shardBytes: plan.shardBytes },
    types: { format: "typescript" },
    check: sampleConfig.check,
    schedule: sampleConfig.schedule,
    webhooks: sampleConfig.webhooks,
    onCommit: {},
    consumers: sampleConfig.consumers,
    serve: { port: 0, host: "127.0.0.1", tokens: { public: [], preview: [] }, dialect: "compatible", tags: false },
  };
}

function troublesOf({ result }: HistoryRun): number {
  return result.failed + result.kept + result.crashed;
}

/** Lets the time between two syncs pass, with half of its writes shortly before its end. */
function wait(run: HistoryRun, ms: number, writes: number): void {
  const { space, random } = run;
  const from = space.nowMs;
  for (let count = 0; count < writes; count++) {
    const after = random.chance(0.5) ? Math.max(0, ms - random.int(0, 3_000)) : random.int(0, ms);
    space.at(from + after, () => write(run));
  }
  space.advance(ms);
}

/** Writes while the sync runs: before some of its requests, or at some time; often two within a second. */
function scheduleMeanwhile(run: HistoryRun): void {
  const { plan, random, space, upstream } = run;
  for (let count = random.int(0, plan.writesMeanwhile); count > 0; count--) {
    const action = () => {
      write(run);
      if (random.chance(0.5)) space.at(space.nowMs + random.int(10, 1_900), () => write(run));
    };
    if (random.chance(0.5)) upstream.before(random.int(1, 24), action);
    else space.at(space.nowMs + random.int(0, plan.writeWindowMs), action);
  }
}

/** An editorial team that publishes until the quiet. */
function startEditors(run: HistoryRun): void {
  const { plan, space, random, upstream } = run;
  const everyMs = plan.editorsEveryMs;
  if (everyMs === undefined) return;
  const editors = random.stream("editors");
  const next = () =>
    space.at(space.nowMs + Math.round(everyMs * (0.5 + editors.next())), () => {
      if (run.isQuiet) return;
      const edit = editorialEdit(editors);
      const done = space.write(edit.name, true, (state, ms) => edit.apply(state, ms, editors, space.dialect));
      if (done) upstream.note(`  write: ${edit.name}`);
      next();
    });
  next();
}

function write({ plan, space, random, upstream }: HistoryRun): boolean {
  const { listEditShare = 0, termEditShare = 0 } = plan;
  const edit =
    termEditShare > 0 && random.chance(termEditShare)
      ? termEdit(random, space.dialect.taxonomies?.movesCv === true)
      : listEditShare > 0 && random.chance(listEditShare)
        ? listEdit(random, random.chance(0.5))
        : plan.uncoveredShare > 0 && random.chance(plan.uncoveredShare)
          ? uncoveredEdit(random)
          : anyEdit(space.dialect, random);
  const done = space.write(edit.name, edit.movesCv(space.dialect), (state, ms) =>
    edit.apply(state, ms, random, space.dialect),
  );
  if (done) upstream.note(`  write: ${edit.name}`);
  if (done && random.chance(upstream.weather.otherClients)) {
    // Other clients read as soon as a cv moves, and may see a state between two writes of one
    // second.
    for (let count = 0; count < 8; count++) space.at(space.nowMs + 1 + random.int(0, 2_000), upstream.readByAnother);
  }
  return done && edit.movesCv(space.dialect);
}

async function syncOnce(
  run: HistoryRun,
  crashAt?: number,
  more: Partial<SyncOptions> = {},
): Promise<SyncReport | undefined> {
  const { space, upstream, storage, result } = run;
  const startedMs = space.nowMs;
  const firstRequest = upstream.requests;
  const stop = new AbortController();
  upstream.onRequest = () => {
    storage.wake();
    if (upstream.requests - firstRequest > requestBound || space.nowMs - startedMs > syncBoundMs)
      stop.abort(new EndlessSync());
  };
  const output = await storage.begin(crashAt);
  result.syncs++;
  upstream.note(`  sync ${result.syncs}${crashAt === undefined ? "" : `, the power fails at write ${crashAt}`}`);
  let report: SyncReport | undefined;
  try {
    report = await run.sync({
      config: run.config,
      output,
      pacing: run.pacing,
      signal: stop.signal,
      ...more,
    });
  } catch (error) {
    explain(run, error);
  }
  result.requests += upstream.requests - firstRequest;
  result.lastedMs = space.nowMs - (space.moments[0]?.fromMs ?? 0);
  if (space.nowMs - startedMs > syncBoundMs)
    throw violation(run, "every run ends", "a sync took more than three hours");
  await storage.end();
  run.lastWrites = storage.writes;
  await check(run, report, startedMs);
  checkFresh(run, report, startedMs);
  return report;
}

async function syncElsewhere(run: HistoryRun, output: Output): Promise<void> {
  const startedMs = run.space.nowMs;
  run.result.syncs++;
  let report: SyncReport | undefined;
  try {
    report = await run.sync({ config: run.config, output, pacing: run.pacing });
  } catch (error) {
    explain(run, error);
  }
  await check(run, report, startedMs);
}

class EndlessSync extends Error {}

/**
 * Errors are expected from a bad upstream and from a storage that is gone; aborted requests may
 * throw anything.
 */
function explain(run: HistoryRun, error: unknown): void {
  if (error instanceof PropertyViolation) throw error;
  const code = (error as { code?: unknown }).code;
  run.upstream.note(`  failed: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof EndlessSync)
    throw violation(run, "every run ends", `a sync sent more than ${requestBound} requests`);
  if (run.storage.crashed) {
    run.result.crashed++;
    return;
  }
  if (typeof code !== "string" || !(expectedErrors.has(code) || run.storage.explains(code))) {
    throw violation(
      run,
      "a sync fails only for what the upstream or the storage does",
      String((error as Error).stack ?? error),
    );
  }
  run.result.failed++;
}

/** Reads the snapshot back and compares it with the model. */
async function check(run: HistoryRun, report: SyncReport | undefined, startedMs: number): Promise<void> {
  const { result } = run;
  const before = run.snapshot;
  const now = await readAll(run);
  run.snapshot = now;
  if (report?.outcome === "kept") result.kept++;
  if (now !== undefined && now.manifest.generation !== before?.manifest.generation) {
    result.committed++;
    if (isPoisoned(run)) return;
    checkCommit(run, before, now);
    if (now.manifest.level !== "interval") run.sinceMs = startedMs;
  }
  if (report === undefined || now === undefined || report.requests.total === 1 || report.outcome === "kept") return;
  if (run.storage.isOvertaken) return;
  if (report.generation !== now.manifest.generation)
    throw violation(run, "a report names what is there", JSON.stringify(report));
  if (!isPoisoned(run)) checkInterval(run, now, report);
  const isExact = now.manifest.editions.some(({ level }) => level === "exact");
  if (isExact && report.cv !== null && !isPoisoned(run)) {
    result.exact++;
    if (isHeld(run, report)) result.held++;
    const found = checkExact(run, now, report);
    if (found === "torn") result.torn++;
    else result.blind += found;
  }
}

/** The snapshot, as every reader finds it. */
async function readAll(run: HistoryRun): Promise<ReadSnapshot | undefined> {
  let first: ReadSnapshot | undefined;
  for (const [at, store] of (await run.storage.readers()).entries()) {
    let found: ReadSnapshot | undefined;
    try {
      found = await readSnapshot(store);
    } catch (error) {
      throw violation(run, "a reader sees one complete generation", String(error));
    }
    if (at === 0) first = found;
    else if (
      found?.manifest.checksum !== first?.manifest.checksum &&
      found?.manifest.generation !== run.storage.pointed
    )
      throw violation(run, "every reader sees the same generation", `${found?.manifest.generation}`);
  }
  return first;
}

/**
 * If parts lag, the last sync may have a torn reading, and the next one a minute later finds that.
 */
async function lookAgain(run: HistoryRun): Promise<void> {
  const longestMs = longestLagMs(run.plan.dialect.lags);
  if (longestMs === 0) return;
  await quietSync(run);
  run.space.advance(60_000);
  const report = await quietSync(run);
  if (report === undefined || report.outcome === "kept" || run.snapshot === undefined)
    throw violation(run, "a quiet space is read cleanly", JSON.stringify(report ?? "the sync failed"));
  checkHealed(run, run.snapshot);
}

/**
 * Without further events, one sync makes the snapshot right, and the next one has nothing to do.
 */
async function checkQuiet(run: HistoryRun): Promise<void> {
  const { plan, space } = run;
  const refused = run.upstream.met.has("401") || run.upstream.met.has("404");
  if (plan.weather.shuffled > 0) {
    // An edge may have pages of different orders under every address that a sync would try: a new
    // cv makes new ones.
    while (!write(run)) space.advance(1);
    space.advance(10_000);
  }
  if (refused || plan.versions.includes("draft") || plan.recheckMs < 3_600_001) {
    // The next recheck requests again refused or missing records, and the tags of drafts. It may be
    // the second one that sees what no cv covers: an aborted sync may have filled an edge.
    space.advance(plan.recheckMs);
    await quietSync(run);
    space.advance(plan.recheckMs);
  }
  const first = await quietSync(run);
  if (isPoisoned(run)) return;
  if (first === undefined || first.outcome === "kept") {
    throw violation(run, "a quiet space is read cleanly", JSON.stringify(first ?? "the sync failed"));
  }
  await confirmQuiet(run, first);
  if (!plan.versions.includes("draft") && plan.releases.length === 0) {
    const second = await quietSync(run);
    // A look at taxonomies: the list, past the edge and at the pin, and two trees.
    const most = plan.dialect.taxonomies?.refusesParameter === false ? 5 : 1;
    if (
      second === undefined ||
      second.requests.total > most ||
      second.outcome !== "unchanged" ||
      run.lastWrites.length > 0
    ) {
      const what = `${JSON.stringify(second)} ${run.lastWrites.join(", ")}`;
      throw violation(run, "after quiet a sync makes one request and writes nothing", what);
    }
  }
  await checkSameShards(
    run,
    () => freshSync(run),
    async () => {
      await syncOnce(run, undefined, { full: true });
    },
  );
}

/**
 * A minute later, the last reading is checked again, and nothing is left to confirm. If the look
 * finds a difference, that is checked, too.
 */
async function confirmQuiet(run: HistoryRun, last: SyncReport): Promise<void> {
  if (last.confirmed) return;
  run.space.advance(60_000);
  let report = await quietSync(run);
  if (report?.outcome === "committed") {
    run.space.advance(60_000);
    report = await quietSync(run);
  }
  if (report?.confirmed === true || isPoisoned(run)) return;
  throw violation(run, "the first sync a minute later confirms what was read", JSON.stringify(report ?? "it failed"));
}

async function quietSync(run: HistoryRun): Promise<SyncReport | undefined> {
  run.space.advance(10_000);
  const report = await syncOnce(run);
  if (report !== undefined) return report;
  // The brake rightly stopped so large a removal.
  return syncOnce(run, undefined, { forceRemove: true });
}

/** The same space read into another place, bypassing all edges. */
async function freshSync(run: HistoryRun): Promise<ReadSnapshot> {
  run.upstream.edges.forget();
  const store = createMemoryStore();
  await run.sync({
    config: run.config,
    output: unlocked(store),
    pacing: run.pacing,
  });
  const snapshot = await readSnapshot(store);
  if (snapshot === undefined) throw violation(run, "a fresh sync commits", "there is no manifest");
  return snapshot;
}

function violation(run: HistoryRun, property: string, what: string): PropertyViolation {
  return new PropertyViolation(run, property, what);
}

function ended(run: HistoryRun): HistoryResult {
  run.result.poisoned = isPoisoned(run);
  return run.result;
}

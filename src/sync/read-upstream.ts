import type { CrawlResult } from "../crawl/crawl.js";
import { knownScope } from "../crawl/known-scope.js";
import { settleMs } from "../crawl/open-source.js";
import type { ProbeAnswer } from "../crawl/opening-probe.js";
import { OffprintError } from "../errors.js";
import type { ManifestDraft } from "../snapshot/generations.js";
import { saveState } from "../snapshot/state.js";
import { withoutRemovals } from "./removals.js";
import { type Facts, runRecord, type SyncReport, syncReport } from "./report.js";
import { demoSource, isSameSpace } from "./space-identity.js";
import { dueOf, type SyncRun } from "./sync-run.js";

/** Asks the space what there is, and reads what is due. */
export async function read(run: SyncRun, probe: ProbeAnswer, store = run.output.store): Promise<CrawlResult> {
  const { config, source, options } = run;
  const known = knownScope(config, run.previous);
  const isElsewhere = run.previous !== undefined && run.previous.space.source !== config.source.url;
  const asksSpace = config.source.include.space && (isElsewhere || dueOf(run, known, probe).published.length > 0);
  const { readScope } = await import("../crawl/read-scope.js");
  const scope = asksSpace ? await readScope(config, source.upstream, source.pacing, run.previous) : known;
  const replace = options.replace === true;
  if (!isSameSpace(run.previous, config.source.url, scope.space?.record, replace)) {
    run.previous = undefined;
    run.readable = undefined;
  }
  refuseOlderCv(run, probe);
  const { crawl } = await import("../crawl/crawl.js");
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
    rules: options.rules,
  });
  return { ...result, problems: [...scope.problems, ...result.problems] };
}

/**
 * A cv only grows: an older one is an old copy of the space, from a cache or a backup.
 * @throws OffprintError `UPSTREAM_INCONSISTENT`; with `--full` it is believed
 */
function refuseOlderCv({ previous, state, options, config }: SyncRun, { cv }: ProbeAnswer): void {
  if (previous === undefined || cv === null || options.full || config.source.url === demoSource) return;
  const known = Math.max(previous.cv ?? 0, state.cv ?? 0);
  if (cv >= known) return;
  throw new OffprintError("UPSTREAM_INCONSISTENT", `The upstream is at cv ${cv}, and was at ${known} before.`, {
    hint: "Something in between answers from an old copy. If the space itself was put back, run `offprint sync --full`.",
  });
}

/**
 * The draft that may be committed. An unclean reading is none, unless the space has kept changing for longer than
 * `safety.maxStale`: then it may add and change, never remove.
 * @returns undefined when the previous generation is kept
 */
export async function acceptable(
  run: SyncRun,
  reading: CrawlResult,
  nowMs: number,
): Promise<ManifestDraft | undefined> {
  if (reading.outcome === "clean" || reading.draft === undefined) return reading.draft;
  if (run.readable === undefined) throw inconsistent(reading);
  if (nowMs - uncleanSince(run, nowMs) < run.config.safety.maxStaleMs) return undefined;
  reading.problems.push(inconsistent(reading).toProblem());
  return withoutRemovals(run.output.store, run.readable, reading.draft, run.config.output.shardBytes);
}

/** The previous generation stays; since when no reading was clean is noted. */
export async function keep(run: SyncRun, reading: CrawlResult, nowMs: number): Promise<SyncReport> {
  const problems = [...run.repairs, ...reading.problems, inconsistent(reading).toProblem()];
  const facts: Facts = { outcome: "kept", cv: reading.cv, problems, reading };
  const { state } = run;
  await noteUnclean(run, nowMs, [...state.runs, runRecord(run, facts)]);
  return syncReport(run, facts);
}

/** Notes since when no reading was clean: after `safety.maxStale` an unclean one may add and change. */
export async function noteUnclean(run: SyncRun, nowMs: number, runs = run.state.runs): Promise<void> {
  if (run.previous === undefined) return;
  const { generation } = run.previous;
  const state = { ...run.state, generation, uncleanSinceMs: uncleanSince(run, nowMs), runs };
  await saveState(run.output.store, state);
}

/** A time that lies ahead was told by a clock that was wrong: it counts from now. */
function uncleanSince({ state }: SyncRun, nowMs: number): number {
  return Math.min(state.uncleanSinceMs ?? nowMs, nowMs);
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

import { isOffprintError, type OffprintError } from "../lib/errors.js";
import { saveState } from "../snapshot/state.js";
import type { Base } from "./base.js";
import type { CrawlResult } from "./crawl/crawl.js";
import { keepStage } from "./crawl/staged-stories.js";
import { uncleanSince } from "./decide.js";
import { type Facts, runRecord, type SyncReport, syncReport } from "./report.js";
import type { SyncContext } from "./sync-context.js";

/** Keeps the previous generation, noted with the time since when no reading was clean. */
export async function keepPrevious(
  context: SyncContext,
  base: Base,
  reading: CrawlResult,
  { error, nowMs }: { error: OffprintError; nowMs: number },
): Promise<SyncReport> {
  const problems = [...base.repairs, ...reading.problems, error.toProblem()];
  const facts: Facts = { base, outcome: "kept", cv: reading.cv, problems, reading };
  await noteUnclean(context, base, nowMs, [...base.state.runs, runRecord(context, facts)]);
  return syncReport(context, facts);
}

/** Since when no reading was clean: after `safety.maxStale` one may add and change. */
async function noteUnclean({ output }: SyncContext, base: Base, nowMs: number, runs = base.state.runs): Promise<void> {
  const { previous, state } = base;
  if (previous === undefined) return;
  const { generation } = previous;
  await saveState(output.store, { ...state, generation, uncleanSinceMs: uncleanSince(state, nowMs), runs });
}

/** Notes that the index kept changing or the cv went back. Throws `error`. */
export async function noteAndRethrow(context: SyncContext, base: Base, nowMs: number, error: unknown): Promise<never> {
  if (isOffprintError(error, "UPSTREAM_INCONSISTENT")) await noteUnclean(context, base, nowMs);
  throw error;
}

/** Stages a reading that is not committed, for the next sync. Throws `error`. */
export async function stageAndRethrow(
  { output, onProgress }: SyncContext,
  { usable }: Base,
  { stage }: CrawlResult,
  error: unknown,
): Promise<never> {
  const isUseless = isOffprintError(error, "NO_SPACE") || isOffprintError(error, "SNAPSHOT_DAMAGED");
  if (stage === undefined || isUseless) throw error;
  await keepStage({ store: output.store, previous: usable, onProgress }, stage);
  throw error;
}

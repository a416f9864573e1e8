import type { CrawlResult } from "../crawl/crawl.js";
import { partSettings } from "../crawl/due.js";
import type { ProbeAnswer } from "../crawl/opening-probe.js";
import { isOffprintError, type Problem } from "../errors.js";
import { prune } from "../snapshot/generations.js";
import { type State, saveState } from "../snapshot/state.js";
import { type Facts, runRecord } from "./report.js";
import type { HeldLock, SyncRun } from "./sync-run.js";

/** Notes that the generation is what the space was at this cv. An unclean reading confirms nothing. */
export async function confirm(run: SyncRun, probe: ProbeAnswer, facts: Facts, known: Partial<State>): Promise<void> {
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
    // After an unclean reading no cv is confirmed: the next sync reads again, also at this one.
    ...(isClean ? { cv, confirmedAtMs: dateMs, uncleanSinceMs: null } : { cv: null }),
    ...(isClean && reading.readParts ? partsChecked(run, reading, dateMs) : {}),
    runs: outcome === "unchanged" && run.repairs.length === 0 ? state.runs : [...state.runs, runRecord(run, facts)],
  };
  // Alone, when it was confirmed is not worth a write at every sync of drafts.
  if (JSON.stringify({ ...next, confirmedAtMs: 0 }) === JSON.stringify({ ...state, confirmedAtMs: 0 })) return;
  await saveState(run.output.store, next);
}

/** When the parts beside the stories were looked at: not while one is older, so that the next sync tries it again. */
function partsChecked({ state, config }: SyncRun, { problems }: CrawlResult, dateMs: number): Partial<State> {
  const isOlder = problems.some(({ code }) => code === "PART_KEPT");
  return {
    partSettings: partSettings(config),
    ...(isOlder ? {} : { checkedMs: { ...state.checkedMs, parts: dateMs } }),
  };
}

/** Removes what nobody needs any more. Where that cannot be told, nothing is removed, and the sync has succeeded all the same. */
export async function pruneGenerations(run: SyncRun, lock: HeldLock): Promise<Problem[]> {
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

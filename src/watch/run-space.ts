import { errorCodes, isOffprintError, type Problem } from "../lib/errors.js";
import { redact } from "../lib/redact/redact.js";
import type { SyncReport } from "../sync/report.js";
import type { Admit } from "../sync/run-spaces.js";
import type { SpaceSession } from "../sync/space-session.js";
import type { WatchClock } from "./watch-clock.js";
import type { RunEnded, RunReason, WatchEvent } from "./watch-event.js";

/** A space that is synced again and again. */
export interface SyncedSpace {
  /** As the configuration has it. */
  name: string;
  session: Pick<SpaceSession, "probe" | "sync">;
  /** What `offprint sync` would end with after this report. */
  exitCodeOf(report: SyncReport): number;
}

/** What a run is told of and ended by. */
export interface RunSurroundings {
  clock: WatchClock;
  emit(event: WatchEvent): void;
  /** No further run begins. */
  stop: AbortSignal;
  /** The run under way ends too. */
  abort: AbortSignal;
}

/** What a run came to, before it is known what comes next. */
type RunDone = Pick<RunEnded, "outcome" | "exitCode" | "report" | "problems">;

/** Why a space is synced now. */
export interface RunCause {
  reasons: RunReason[];
  /** Why what cv may not cover is read too. */
  recheck?: string | undefined;
}

/**
 * One sync of a space, with what is told of its beginning. What goes wrong with it is part of what it returns.
 *
 * @param nextAtMs when the space is due next, in milliseconds since the epoch; null: not at all
 */
export async function runSpace(
  { name: space, session, exitCodeOf }: SyncedSpace,
  { clock, emit, stop, abort }: RunSurroundings,
  { reasons, recheck }: RunCause,
  nextAtMs: (done: RunDone) => Promise<number | null>,
  admit: Admit = async () => {},
): Promise<RunEnded> {
  const startedMs = clock.elapsed();
  emit({ kind: "run-started", space, atMs: clock.now(), reasons });
  const done: RunDone = await session
    .sync({
      recheck,
      signal: abort,
      async admit() {
        await admit();
        stop.throwIfAborted();
      },
    })
    .then(
      (report) => ({ outcome: report.outcome, exitCode: exitCodeOf(report), report, problems: report.problems }),
      failedRun,
    );
  const durationMs = Math.round(clock.elapsed() - startedMs);
  const next = await nextAtMs(done);
  return { kind: "run-ended", space, reasons, ...done, atMs: clock.now(), durationMs, nextAtMs: next };
}

/** What a run that failed with an error comes to. */
export function failedRun(error: unknown): RunDone {
  const problem = problemOf(error);
  return { outcome: "failed", exitCode: errorCodes[problem.code].exit, report: undefined, problems: [problem] };
}

/** What an error that ended a run is reported as. */
function problemOf(error: unknown): Problem {
  if (isOffprintError(error)) return error.toProblem();
  const message = error instanceof Error ? error.message : String(error);
  return { code: "UNEXPECTED", message: `Something unexpected happened: ${redact(message)}`, hint: "" };
}

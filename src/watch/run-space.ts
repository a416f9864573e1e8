import { randomBytes } from "node:crypto";
import { errorCodes, isOffprintError, messageOf, type Problem } from "../lib/errors.js";
import { redact } from "../lib/redact/redact.js";
import type { SyncReport } from "../sync/report.js";
import type { Admit } from "../sync/run-spaces.js";
import type { SpaceSession } from "../sync/space-session.js";
import type { WatchClock } from "./watch-clock.js";
import { noRequests, type RunEnded, type RunReason, requestsAfter, type WatchEvent } from "./watch-event.js";

export interface SyncedSpace {
  name: string;
  session: Pick<SpaceSession, "probe" | "sync"> & Partial<Pick<SpaceSession, "close">>;
  /** Returns the exit code `offprint sync` would have for this report. */
  exitCodeOf(report: SyncReport): number;
}

export interface RunSurroundings {
  clock: WatchClock;
  emit(event: WatchEvent): void;
  /** No further run begins. */
  stop: AbortSignal;
  /** Aborts the active run too. */
  abort: AbortSignal;
}

type RunDone = Pick<RunEnded, "outcome" | "exitCode" | "report" | "requests" | "problems">;

export interface RunCause {
  reasons: RunReason[];
  /** Why the sync also reads the parts that cv may not cover. */
  recheck?: string | undefined;
}

/** Returns failures instead of throwing them; `nextAtMs` is in epoch milliseconds, null: never. */
export async function runSpace(
  { name: space, session, exitCodeOf }: SyncedSpace,
  { clock, emit, stop, abort }: RunSurroundings,
  { reasons, recheck }: RunCause,
  nextAtMs: (done: RunDone) => Promise<number | null>,
  admit: Admit = async () => {},
): Promise<RunEnded> {
  const startedMs = clock.elapsed();
  const run = randomBytes(4).toString("hex");
  emit({ kind: "run-started", space, atMs: clock.now(), run, reasons });
  let requests = noRequests;
  const done: RunDone = await session
    .sync({
      recheck,
      onProgress(progress) {
        requests = requestsAfter(requests, progress);
      },
      signal: abort,
      async admit() {
        await admit();
        stop.throwIfAborted();
      },
    })
    .then(
      (report) => ({ outcome: report.outcome, exitCode: exitCodeOf(report), report, problems: report.problems }),
      (error: unknown) => ({ ...failedRun(error), requests }),
    );
  // Both are read before the wait for the store: their difference is the start of the run.
  const ended = { atMs: clock.now(), durationMs: Math.round(clock.elapsed() - startedMs) };
  const next = await nextAtMs(done);
  return { kind: "run-ended", space, run, reasons, ...done, ...ended, nextAtMs: next };
}

export function failedRun(error: unknown): RunDone {
  const problem = problemOf(error);
  return { outcome: "failed", exitCode: errorCodes[problem.code].exit, report: undefined, problems: [problem] };
}

function problemOf(error: unknown): Problem {
  if (isOffprintError(error)) return error.toProblem();
  return { code: "UNEXPECTED", message: `Something unexpected happened: ${redact(messageOf(error))}`, hint: "" };
}

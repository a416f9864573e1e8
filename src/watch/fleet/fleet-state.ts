import type { Fleet, WorkerSetting } from "../../config/load/fleet.js";
import { shownQueue } from "../../config/schema/queue-address.js";
import { isOffprintError, type Problem } from "../../lib/errors.js";
import { isAlive, parseRuns, parseWorkers, type RunRecord, type WorkerRecord } from "./fleet-records.js";
import { type FleetQueue, openQueue } from "./open-queue.js";
import { reasonOf } from "./queue-safety.js";
import type { QueuedJob } from "./space-job.js";

export interface FleetState {
  queue: string;
  /** The most recently seen worker first. */
  workers: (WorkerRecord & { alive: boolean })[];
  spaces: ReadonlyMap<string, QueuedSpace>;
  /** Why nothing is known; undefined: the queue answered. */
  problem?: Problem | undefined;
}

export interface QueuedSpace {
  /** `failed`: its last run failed, and no job is waiting or active. */
  state: "waiting" | "active" | "failed" | "idle";
  /** Host and process id of the worker that has it or had it last; null: unknown. */
  worker: string | null;
  /** Start of the state, in milliseconds since the epoch; null: unknown. */
  sinceMs: number | null;
  lastRun: LastRun | null;
  /** The age of the copy after the last run; null: unknown. */
  freshness: RunRecord["freshness"] | null;
}

type LastRun = Pick<RunRecord, "atMs" | "durationMs" | "outcome" | "exitCode" | "codes" | "failingSinceMs" | "refusal">;

/** Asks the queue of a fleet; undefined without a queue. Returns queue problems too. */
export async function readFleetState({ worker, spaces }: Fleet): Promise<FleetState | undefined> {
  if (worker?.queue === undefined) return undefined;
  const setting: WorkerSetting & { queue: string } = { ...worker, queue: worker.queue };
  const shown = shownQueue(worker.queue);
  let queue: FleetQueue | undefined;
  try {
    queue = await openQueue({ setting, spaces: spaces.length, readOnly: true });
    return await stateOf(queue);
  } catch (error) {
    const problem = isUnused(error) ? undefined : problemOf(error, shown);
    return { queue: shown, workers: [], spaces: new Map(), problem };
  } finally {
    await queue?.close();
  }
}

async function stateOf({ shown, values, jobs }: FleetQueue): Promise<FleetState> {
  const { nowMs } = await values.read("workers", "");
  const [workers, runs, queued] = await Promise.all([values.list("workers"), values.list("runs"), jobs()]);
  return {
    queue: shown,
    workers: parseWorkers(workers.values())
      .map((worker) => ({ ...worker, alive: isAlive(worker, nowMs) }))
      .sort((a, b) => b.seenAtMs - a.seenAtMs),
    spaces: queuedSpaces(parseRuns(runs.values()), queued),
  };
}

/** Returns what is known of each space. A current job takes precedence over the last run. Pure. */
export function queuedSpaces(runs: readonly RunRecord[], jobs: readonly QueuedJob[]): ReadonlyMap<string, QueuedSpace> {
  const spaces = new Map<string, QueuedSpace>();
  for (const { space, worker, freshness, ...lastRun } of runs) {
    const state = lastRun.outcome === "failed" ? "failed" : "idle";
    spaces.set(space, { state, worker, sinceMs: lastRun.atMs, lastRun, freshness });
  }
  const activeLast = [...jobs].sort((a, b) => Number(a.state === "active") - Number(b.state === "active"));
  for (const { space, state, worker, sinceMs } of activeLast) {
    const { lastRun = null, freshness = null } = spaces.get(space) ?? {};
    spaces.set(space, { state, worker: worker ?? null, sinceMs, lastRun, freshness });
  }
  return spaces;
}

/** Whether PostgreSQL has no tables of the queue: its first worker creates them. */
function isUnused(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof Error && error.cause.name === "SchemaMigrationRequiredError";
}

function problemOf(error: unknown, shown: string): Problem {
  if (isOffprintError(error)) return error.toProblem();
  const message = `The queue at ${shown} cannot be asked: ${reasonOf(error)}`;
  return { code: "WORKER_QUEUE_UNREACHABLE", message, hint: "`offprint doctor` finds the cause." };
}

import { setMaxListeners } from "node:events";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { within } from "../../lib/concurrency/within.js";
import type { SpaceSession } from "../../sync/space-session.js";
import type { ContentEvent } from "../content-event.js";
import { earliest, untilLookAfterRunMs } from "../look-plan.js";
import type { SpaceFreshness } from "../telemetry/space-freshness.js";
import { traceWait } from "../telemetry/trace-sync.js";
import { onceAborted, type WatchClock } from "../watch-clock.js";
import type { RunEnded, WatchEvent } from "../watch-event.js";
import type { WatchedSpace } from "../watch-space.js";
import { drain } from "../watch-spaces.js";
import { createEventDesk, type EventDesk } from "./event-desk.js";
import { isAlive, parseRuns, parseWorkers, type RunRecord } from "./fleet-records.js";
import type { FleetQueue } from "./open-queue.js";
import type { JobEnd } from "./queue-consumer.js";
import { type JobSurroundings, runJob } from "./run-job.js";
import { createSessionPool, type SessionPool } from "./session-pool.js";
import { type ServerClock, serverClock } from "./shared-values.js";
import { type FleetNotice, type SignsOfLife, signsOfLife, type WorkerIdentity } from "./signs-of-life.js";
import type { SpaceJob } from "./space-job.js";
import {
  agendaAfterSettingBack,
  dueJobs,
  type FleetTurns,
  missedJob,
  startAgenda,
  type TurnAgenda,
  untilDueMs,
} from "./turn-agenda.js";

export type FleetSpace = Omit<WatchedSpace, "session"> & { openSession(): SpaceSession };

export interface FleetWorkerOptions {
  spaces: readonly FleetSpace[];
  queue: FleetQueue;
  identity: WorkerIdentity;
  concurrency: number;
  takeOverMs: number;
  clock: WatchClock;
  emit(event: WatchEvent): void;
  notice(notice: FleetNotice): void;
  freshnessOf(space: string): SpaceFreshness | undefined;
  learn(runs: readonly RunRecord[]): void;
  /** Called every ten seconds with what the queue tells of the fleet. */
  count(counts: { workersAlive: number; jobsWaiting: number }): void;
  /** Stops it: no new run begins, and active runs get 20 s to finish. */
  signal: AbortSignal;
}

export interface FleetWorker {
  announce(space: string, event: ContentEvent): void;
  spaceId(space: string): number | null;
  /** Resolves when it has stopped, at most 24 s after the signal. */
  done: Promise<void>;
}

const leaveMs = 1000;
const idleSessions = 32;
/** Longest pause between looks at the agenda, in milliseconds: a run may have added a look. */
const longestWaitMs = 1000;
const retryMs = 1000;
const learnEveryMs = 10_000;
const readsAtOnce = 16;

/** Works for a fleet until the signal: adds due jobs, as every worker does, and runs them. */
export function startFleetWorker(options: FleetWorkerOptions): FleetWorker {
  const worker = new Worker(options);
  return {
    announce: (space, event) => worker.events.announce(space, event),
    spaceId: (space) => worker.spaceIds.get(space) ?? null,
    done: worker.run(),
  };
}

class Worker {
  readonly spaceIds = new Map<string, number | null>();
  readonly events: EventDesk;
  readonly #options: FleetWorkerOptions;
  readonly #spaces: ReadonlyMap<string, FleetSpace>;
  readonly #turns: FleetTurns;
  readonly #server: ServerClock;
  readonly #sessions: SessionPool;
  readonly #signs: SignsOfLife;
  readonly #abort = new AbortController();
  readonly #ended = new AbortController();
  readonly #running = new Map<Promise<JobEnd>, string>();
  #agenda: TurnAgenda;

  constructor(options: FleetWorkerOptions) {
    const { spaces, queue, identity, clock, signal, notice } = options;
    this.#options = options;
    this.#spaces = new Map(spaces.map((space) => [space.name, space]));
    this.#turns = new Map(spaces.map(({ name, turns }) => [name, turns]));
    this.#server = serverClock(clock.now);
    this.#sessions = createSessionPool(idleSessions, (name) => this.#spaces.get(name)!.openSession());
    this.#agenda = startAgenda(this.#turns, clock.now());
    this.#signs = signsOfLife({
      values: queue.values,
      identity,
      clock,
      server: this.#server,
      running: () => [...this.#running.values()],
      notice,
    });
    this.events = createEventDesk({
      queue,
      clock,
      server: this.#server,
      confirmedCv: async (name) => (await this.#spaces.get(name)?.readKnown())?.cv ?? null,
    });
    // Each job adds listeners to both.
    setMaxListeners(0, signal, this.#abort.signal);
  }

  async run(): Promise<void> {
    const { queue, identity, concurrency, takeOverMs, signal, notice, clock } = this.#options;
    const untilStop = (work: Promise<void>) => Promise.race([work, onceAborted(signal)]);
    await untilStop(this.#signs.tell());
    await untilStop(this.#addMissed());
    const consumer = queue.consume({
      name: `${identity.host}:${identity.pid}`,
      concurrency,
      takeOverMs,
      handle: (job) => this.#handle(job),
      onStalled: (space) => notice({ kind: "taken-over", atMs: clock.now(), space }),
    });
    try {
      await Promise.all(
        [this.#followTurns(), this.#signs.run(signal), this.events.run(signal), this.#learn()].map(untilStop),
      );
      consumer.pause();
      await this.#drain();
    } finally {
      this.#ended.abort();
      await consumer.close();
      await within(leaveMs, this.#signs.leave());
      await this.#sessions.close();
      await Promise.all(this.#options.spaces.map((space) => space.close?.()));
    }
  }

  /** Runs work missed while no worker was running, once per space, however many turns passed. */
  async #addMissed(): Promise<void> {
    const { queue, spaces, clock, signal } = this.#options;
    const runs = await this.#runs();
    const found = await mapBounded(spaces, readsAtOnce, async ({ name, turns, readKnown, hasOutstanding }) => {
      const known = await readKnown();
      this.spaceIds.set(name, known.spaceId);
      const left = (await hasOutstanding?.()) ?? false;
      const about = { space: name, confirmedAtMs: known.confirmedAtMs, hasOutstanding: left, lastRun: runs.get(name) };
      return missedJob(about, turns, clock.now());
    });
    const jobs = found.filter((job) => job !== undefined);
    if (jobs.length > 0 && !signal.aborted) await this.#add(() => queue.add(jobs));
  }

  async #runs(): Promise<ReadonlyMap<string, RunRecord>> {
    try {
      const texts = await this.#options.queue.values.list("runs");
      return new Map(parseRuns(texts.values()).map((run) => [run.space, run]));
    } catch {
      return new Map();
    }
  }

  /** Adds the scheduled jobs, as every worker does. The queue recognizes each by its moment. */
  async #followTurns(): Promise<void> {
    const { queue, clock, signal } = this.#options;
    let seenMs = clock.now();
    while (!signal.aborted) {
      const nowMs = clock.now();
      if (nowMs < seenMs) this.#agenda = agendaAfterSettingBack(this.#agenda, this.#turns, nowMs);
      seenMs = nowMs;
      const { jobs, agenda } = dueJobs(this.#agenda, this.#turns, nowMs);
      this.#agenda = agenda;
      if (jobs.length > 0) await this.#add(() => queue.add(jobs));
      const untilMs = untilDueMs(this.#agenda, clock.now());
      if (untilMs > 0) await clock.sleep(Math.min(untilMs, longestWaitMs), signal);
    }
  }

  /** Retries while the server is unreachable. Turns that pass by then are due once. */
  async #add(add: () => Promise<void>): Promise<void> {
    const { clock, signal } = this.#options;
    while (!signal.aborted) {
      try {
        await add();
        return;
      } catch {
        await clock.sleep(retryMs, signal);
      }
    }
  }

  async #learn(): Promise<void> {
    const { clock, signal, learn } = this.#options;
    while (!signal.aborted) {
      await this.#count().catch(() => undefined);
      await clock.sleep(learnEveryMs, signal);
      if (!signal.aborted) learn([...(await this.#runs()).values()]);
    }
  }

  async #count(): Promise<void> {
    const { queue, count } = this.#options;
    const [{ nowMs }, workers, jobs] = await Promise.all([
      queue.values.read("workers", ""),
      queue.values.list("workers"),
      queue.jobs(),
    ]);
    const workersAlive = parseWorkers(workers.values()).filter((worker) => isAlive(worker, nowMs)).length;
    count({ workersAlive, jobsWaiting: jobs.filter(({ state }) => state === "waiting").length });
  }

  #handle(job: SpaceJob): Promise<JobEnd> {
    const handled = this.#work(job);
    this.#running.set(handled, job.space);
    const forget = () => void this.#running.delete(handled);
    handled.then(forget, forget);
    return handled;
  }

  async #work(job: SpaceJob): Promise<JobEnd> {
    const { signal, clock, notice } = this.#options;
    const space = this.#spaces.get(job.space);
    if (space === undefined) {
      notice({ kind: "unknown-space", atMs: clock.now(), space: job.space });
      return { kind: "failed", said: "not in the configuration of the worker that took it" };
    }
    if (signal.aborted) return { kind: "given-back" };
    // A missed job is due since an unknown time.
    if (job.kind !== "missed") void traceWait(job, this.#server.now());
    const ended = await this.#sessions.use(space.name, (session) =>
      runJob(job, { ...space, session }, this.#surroundings(space.name)),
    );
    if (ended === undefined) return signal.aborted ? { kind: "given-back" } : { kind: "done", said: "nothing to do" };
    const codes = failureCodes(ended);
    // Another process is syncing it: a worker presumed gone, or a manual sync.
    if (codes.includes("LOCKED")) return { kind: "done", said: "locked" };
    if (this.#abort.signal.aborted && codes.length > 0) return { kind: "given-back" };
    await this.#note(ended, codes);
    const said = [ended.outcome, ...codes].join(" ");
    return { kind: ended.outcome === "failed" ? "failed" : "done", said };
  }

  #surroundings(space: string): JobSurroundings {
    const { clock, emit, signal, queue } = this.#options;
    return {
      clock,
      emit,
      stop: signal,
      abort: this.#abort.signal,
      values: queue.values,
      server: this.#server,
      nextAtMs: (lookAtMs) => this.#planLook(space, lookAtMs),
    };
  }

  #planLook(space: string, wishedMs: number | null): number | null {
    const nowMs = this.#options.clock.now();
    const lookAtMs = wishedMs === null ? null : nowMs + untilLookAfterRunMs(wishedMs, nowMs);
    this.#agenda = new Map(this.#agenda).set(space, { ...this.#agenda.get(space)!, lookAtMs });
    return earliest(this.#turns.get(space)?.after(nowMs) ?? null, lookAtMs);
  }

  async #note(ended: RunEnded, codes: string[]): Promise<void> {
    const { queue, identity, freshnessOf } = this.#options;
    const { space, atMs, durationMs, outcome, exitCode } = ended;
    const known = await this.#spaces.get(space)?.readKnown();
    if (known?.spaceId != null) this.spaceIds.set(space, known.spaceId);
    const fresh = freshnessOf(space);
    if (fresh === undefined) return;
    const { generation, committedAtMs, confirmedAtMs, held } = fresh;
    const freshness = { generation, committedAtMs, confirmedAtMs, held };
    const worker = `${identity.host}:${identity.pid}`;
    const [before] = parseRuns([(await queue.values.read("runs", space).catch(() => undefined))?.value ?? ""]);
    const failingSinceMs = outcome === "failed" ? (before?.failingSinceMs ?? atMs) : undefined;
    const run: RunRecord = { space, worker, atMs, durationMs, outcome, exitCode, codes, failingSinceMs, freshness };
    await queue.values.put("runs", space, JSON.stringify(run)).catch(() => undefined);
  }

  async #drain(): Promise<void> {
    const { clock, signal } = this.#options;
    void Promise.allSettled(this.#running.keys()).then(() => this.#ended.abort());
    await drain(clock, () => this.#abort.abort(signal.reason), this.#ended.signal);
  }
}

function failureCodes({ outcome, problems }: RunEnded): string[] {
  return outcome === "failed" ? [...new Set(problems.map(({ code }) => code))] : [];
}

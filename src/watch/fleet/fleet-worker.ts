import { setMaxListeners } from "node:events";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { within } from "../../lib/concurrency/within.js";
import type { SpaceSession } from "../../sync/space-session.js";
import { earliest, type Turns, untilLookAfterRunMs } from "../next-turn.js";
import { parkedMs, refusalAfter } from "../parking.js";
import type { SpaceFreshness } from "../telemetry/space-freshness.js";
import { traceWait } from "../telemetry/trace-sync.js";
import { onceAborted, type WatchClock } from "../watch-clock.js";
import type { RunEnded, WatchEvent } from "../watch-event.js";
import type { WatchedSpace } from "../watch-space.js";
import { type ChangedSpaces, drain } from "../watch-spaces.js";
import { createEventDesk, type EventDesk } from "./event-desk.js";
import { isAlive, parseRuns, parseWorkers, type RunRecord } from "./fleet-records.js";
import type { FleetQueue } from "./open-queue.js";
import type { JobEnd } from "./queue-consumer.js";
import { type JobSurroundings, runJob } from "./run-job.js";
import { type ServerClock, serverClock } from "./shared-values.js";
import { type FleetNotice, type SignsOfLife, signsOfLife, type WorkerIdentity } from "./signs-of-life.js";
import type { SpaceJob } from "./space-job.js";
import { agendaAfterSettingBack, dueJobs, missedJob, startAgenda, type TurnAgenda, untilDueMs } from "./turn-agenda.js";

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

const leaveMs = 1000;
/** Longest pause between looks at the agenda, in milliseconds: a run may have added a look. */
const longestWaitMs = 1000;
const retryMs = 1000;
const learnEveryMs = 10_000;
const readsAtOnce = 16;
/** A job of a space that no worker has is given up after this time, in milliseconds. */
const longestRollOutMs = 3_600_000;
/** Longest time until another worker may take a job of a space that this one does not have. */
const longestPutOffMs = 15_000;

/** Works for a fleet until the signal: adds due jobs, as every worker does, and runs them. */
export class FleetWorker {
  readonly spaceIds = new Map<string, number | null>();
  /** Resolves when it has stopped, at most 24 s after the signal. */
  readonly done: Promise<void>;
  readonly events: EventDesk;
  readonly #options: FleetWorkerOptions;
  readonly #spaces: Map<string, FleetSpace>;
  readonly #turns: Map<string, Turns>;
  readonly #server: ServerClock;
  readonly #signs: SignsOfLife;
  readonly #abort = new AbortController();
  readonly #ended = new AbortController();
  readonly #running = new Map<Promise<JobEnd>, string>();
  /** Unknown spaces that were reported. */
  readonly #strange = new Set<string>();
  /** Jobs to add again: an event's job of their space kept them out. */
  #keptOut: SpaceJob[] = [];
  #agenda: TurnAgenda;

  constructor(options: FleetWorkerOptions) {
    const { spaces, queue, identity, clock, signal, notice } = options;
    this.#options = options;
    this.#spaces = new Map(spaces.map((space) => [space.name, space]));
    this.#turns = new Map(spaces.map(({ name, turns }) => [name, turns]));
    this.#server = serverClock(clock.now);
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
      knows: (name) => this.#spaces.has(name),
      confirmedCv: async (name) => (await this.#spaces.get(name)?.readKnown())?.cv ?? null,
    });
    // Each job adds listeners to both.
    setMaxListeners(0, signal, this.#abort.signal);
    this.done = this.#run();
  }

  async #run(): Promise<void> {
    const { queue, identity, concurrency, takeOverMs, signal, notice, clock } = this.#options;
    const untilStop = (work: Promise<void>) => Promise.race([work, onceAborted(signal)]);
    await untilStop(this.#signs.tell());
    await untilStop(this.#addMissed(this.#options.spaces));
    const consumer = queue.consume({
      name: `${identity.host}:${identity.pid}`,
      concurrency,
      takeOverMs,
      handle: (job, ageMs) => this.#handle(job, ageMs),
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
      await Promise.all([...this.#spaces.values()].map((space) => space.close?.()));
    }
  }

  /** Goes on with other spaces, as after a restart. Touches no run under way: it ends as it began. */
  change({ put, ended }: ChangedSpaces<FleetSpace>): void {
    const nowMs = this.#options.clock.now();
    const before = [...ended, ...put.map(({ name }) => name)].flatMap((name) => this.#spaces.get(name) ?? []);
    const agenda = new Map(this.#agenda);
    for (const name of ended) for (const known of [this.#spaces, this.#turns, agenda]) known.delete(name);
    for (const space of put) {
      const { name, turns } = space;
      this.#spaces.set(name, space);
      this.#turns.set(name, turns);
      agenda.set(name, { turnAtMs: turns.after(nowMs), lookAtMs: agenda.get(name)?.lookAtMs ?? null });
    }
    this.#agenda = agenda;
    this.#strange.clear();
    for (const space of before) this.#retire(space);
    void this.#addMissed(put);
  }

  /** Closes what only the old settings of a space used, once their runs have ended. */
  #retire({ name, place, close }: FleetSpace): void {
    if (close === undefined || this.#spaces.get(name)?.place === place) return;
    const runs = [...this.#running].filter(([, running]) => running === name).map(([run]) => run);
    void Promise.allSettled(runs).then(close);
  }

  /** Runs work missed while no worker was running, once per space, however many turns passed. */
  async #addMissed(spaces: readonly FleetSpace[]): Promise<void> {
    const { clock } = this.#options;
    const runs = await this.#runs();
    const found = await mapBounded(spaces, readsAtOnce, async ({ name, turns, readKnown, hasOutstanding }) => {
      const known = await readKnown();
      this.spaceIds.set(name, known.spaceId);
      const lastRun = runs.get(name);
      const isParked = lastRun !== undefined && parkedMs(lastRun.refusal, lastRun.atMs) > 0;
      const left = isParked || ((await hasOutstanding?.()) ?? false);
      const about = { space: name, confirmedAtMs: known.confirmedAtMs, hasOutstanding: left, lastRun };
      return missedJob(about, turns, clock.now());
    });
    const jobs = found.filter((job) => job !== undefined);
    if (jobs.length > 0) await this.#add(jobs);
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
    const { clock, signal } = this.#options;
    let seenMs = clock.now();
    while (!signal.aborted) {
      const nowMs = clock.now();
      if (nowMs < seenMs) this.#agenda = agendaAfterSettingBack(this.#agenda, this.#turns, nowMs);
      seenMs = nowMs;
      const { jobs, agenda } = dueJobs(this.#agenda, this.#turns, nowMs);
      this.#agenda = agenda;
      const due = [...(await this.#stillDue(this.#keptOut.splice(0))), ...jobs];
      if (due.length > 0) await this.#add(due);
      const untilMs = untilDueMs(this.#agenda, clock.now());
      if (untilMs > 0) await clock.sleep(Math.min(untilMs, longestWaitMs), signal);
    }
  }

  /** The jobs whose space has had no run since they were due. */
  async #stillDue(jobs: readonly SpaceJob[]): Promise<SpaceJob[]> {
    const due: SpaceJob[] = [];
    for (const job of jobs) {
      const ranAtMs = (await this.#lastRun(job.space))?.atMs ?? 0;
      if (this.#spaces.has(job.space) && ranAtMs <= job.atMs) due.push(job);
    }
    return due;
  }

  /** Retries while the server is unreachable. Turns that pass by then are due once. */
  async #add(jobs: readonly SpaceJob[]): Promise<void> {
    const { queue, clock, signal } = this.#options;
    while (!signal.aborted) {
      try {
        this.#keptOut.push(...(await queue.add(jobs)));
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

  #handle(job: SpaceJob, ageMs: number): Promise<JobEnd> {
    const handled = this.#work(job, ageMs);
    this.#running.set(handled, job.space);
    const forget = () => void this.#running.delete(handled);
    handled.then(forget, forget);
    return handled;
  }

  async #work(job: SpaceJob, ageMs: number): Promise<JobEnd> {
    const { signal } = this.#options;
    const space = this.#spaces.get(job.space);
    if (space === undefined) return this.#leaveToOthers(job.space, ageMs);
    if (signal.aborted) return { kind: "given-back" };
    const before = await this.#lastRun(space.name);
    if ((job.kind === "turn" || job.kind === "look") && this.#isParked(before)) return { kind: "done", said: "parked" };
    // A missed job is due since an unknown time.
    if (job.kind !== "missed") void traceWait(job, this.#server.now());
    const ended = await this.#runJob(job, space, before);
    if (ended === undefined) return signal.aborted ? { kind: "given-back" } : { kind: "done", said: "nothing to do" };
    const codes = failureCodes(ended);
    // Another process is syncing it: a worker presumed gone, or a manual sync.
    if (codes.includes("LOCKED")) return { kind: "done", said: "locked" };
    if (this.#abort.signal.aborted && codes.length > 0) return { kind: "given-back" };
    await this.#note(ended, codes, before);
    const said = [ended.outcome, ...codes].join(" ");
    return { kind: ended.outcome === "failed" ? "failed" : "done", said };
  }

  /** Connections are not kept: the next job of the space comes when the upstream has closed them. */
  async #runJob(job: SpaceJob, space: FleetSpace, before: RunRecord | undefined): Promise<RunEnded | undefined> {
    const session = space.openSession();
    try {
      return await runJob(job, { ...space, session }, this.#surroundings(space.name, before));
    } finally {
      await session.close();
    }
  }

  /** During a roll-out, workers with the other configuration have the space. */
  #leaveToOthers(space: string, ageMs: number): JobEnd {
    const { clock, notice } = this.#options;
    if (!this.#strange.has(space)) notice({ kind: "unknown-space", atMs: clock.now(), space });
    this.#strange.add(space);
    if (ageMs > longestRollOutMs) return { kind: "failed", said: "no worker has the space" };
    return { kind: "put-off", ms: Math.min(longestPutOffMs, Math.max(retryMs, ageMs / 4)) };
  }

  async #lastRun(space: string): Promise<RunRecord | undefined> {
    const { value = "" } = await this.#options.queue.values.read("runs", space).catch(() => ({ value: undefined }));
    return parseRuns([value])[0];
  }

  #isParked(last: RunRecord | undefined): boolean {
    return last !== undefined && this.#options.clock.now() < last.atMs + parkedMs(last.refusal, last.atMs);
  }

  #surroundings(space: string, before: RunRecord | undefined): JobSurroundings {
    const { clock, emit, signal, queue } = this.#options;
    return {
      clock,
      emit,
      stop: signal,
      abort: this.#abort.signal,
      values: queue.values,
      server: this.#server,
      nextAtMs: (lookAtMs, done) => {
        const nowMs = clock.now();
        const waitMs = parkedMs(refusalAfter(before?.refusal, done, nowMs), nowMs);
        return this.#planLook(space, waitMs > 0 ? null : lookAtMs, waitMs);
      },
    };
  }

  #planLook(space: string, wishedMs: number | null, waitMs: number): number | null {
    const nowMs = this.#options.clock.now();
    const lookAtMs = wishedMs === null ? null : nowMs + untilLookAfterRunMs(wishedMs, nowMs);
    const plan = this.#agenda.get(space);
    if (plan !== undefined) this.#agenda = new Map(this.#agenda).set(space, { ...plan, lookAtMs });
    return earliest(this.#turns.get(space)?.after(nowMs + waitMs) ?? null, lookAtMs);
  }

  async #note(ended: RunEnded, codes: string[], before: RunRecord | undefined): Promise<void> {
    const { queue, identity, freshnessOf, emit } = this.#options;
    const { space, atMs, durationMs, outcome, exitCode } = ended;
    const known = await this.#spaces.get(space)?.readKnown();
    if (known?.spaceId != null) this.spaceIds.set(space, known.spaceId);
    const fresh = freshnessOf(space);
    if (fresh === undefined) return;
    const { generation, committedAtMs, confirmedAtMs, held } = fresh;
    const refusal = refusalAfter(before?.refusal, ended, atMs);
    const run: RunRecord = {
      ...{ space, worker: `${identity.host}:${identity.pid}`, atMs, durationMs, outcome, exitCode, codes },
      failingSinceMs: outcome === "failed" ? (before?.failingSinceMs ?? atMs) : undefined,
      refusal,
      freshness: { generation, committedAtMs, confirmedAtMs, held },
    };
    if (refusal !== undefined && parkedMs(refusal, atMs) > 0 && parkedMs(before?.refusal, before?.atMs ?? 0) <= 0)
      emit({ kind: "parked", space, atMs, ...refusal, nextAtMs: ended.nextAtMs });
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

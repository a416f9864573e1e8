import { createGate } from "../../src/lib/concurrency/gate.js";
import type { KnownSpace } from "../../src/sync/known-space.js";
import type { SyncReport } from "../../src/sync/report.js";
import { createSpaceQueue } from "../../src/sync/run-spaces.js";
import type { SpaceSession } from "../../src/sync/space-session.js";
import { turnsOf } from "../../src/watch/next-turn.js";
import type { Refusal } from "../../src/watch/parking.js";
import type { WatchEvent } from "../../src/watch/watch-event.js";
import { SpaceWatch, type WatchedSpace } from "../../src/watch/watch-space.js";
import type { FakeClock } from "./fake-clock.js";

/** One sync of the model, as a clock's `elapsed`. */
export interface ModelRun {
  startedMs: number;
  /** Milliseconds since the epoch. */
  atMs: number;
  endedMs: number | undefined;
  recheck: string | undefined;
  outcome: "committed" | "unchanged" | undefined;
}

/** A space whose upstream and snapshot are a few numbers, and that is watched in the time of a fake clock. */
export class WatchedModel {
  /** The upstream's present cv. */
  cv = 100;
  /** Duration of the next syncs, in milliseconds. */
  syncMs = 300;
  /** The error of the next syncs. */
  failure: Error | undefined;
  /** The error of the next probes. */
  probeFailure: Error | undefined;
  /** The server's clock less that of the watcher. */
  serverAheadMs = 0;
  known: KnownSpace = { spaceId: 7, cv: null, confirmedAtMs: null, lookAtMs: null };
  readonly runs: ModelRun[] = [];
  /** When each probe was made. */
  readonly probes: number[] = [];
  readonly events: WatchEvent[] = [];
  /** True if an earlier process has left changes to deliver. */
  outstanding = false;
  /** True if the generation was rolled back to: the next syncs keep it. */
  held = false;
  mostAtOnce = 0;
  handedOver = 0;
  /** What the folder says of the parked space. */
  parked: Refusal | undefined;
  /** Sessions opened by changes, and those of them that were closed. */
  sessions = 0;
  readonly closed: number[] = [];
  readonly #clock: FakeClock;
  readonly #space: WatchedSpace;
  #running = 0;
  #stop = new AbortController();
  #watch: SpaceWatch | undefined;

  constructor(clock: FakeClock, schedule: Partial<Parameters<typeof turnsOf>[0]> = {}, name = "blog") {
    this.#clock = clock;
    const session: Pick<SpaceSession, "probe" | "sync"> = {
      probe: async () => {
        this.probes.push(clock.elapsed());
        if (this.probeFailure !== undefined) throw this.probeFailure;
        return { cv: this.cv, dateMs: this.#serverMs(), total: null };
      },
      sync: (run) => this.#sync(run?.recheck),
    };
    this.#space = {
      name,
      session,
      turns: turnsOf({ maxAgeMs: 0, ...schedule }, name),
      readKnown: async () => this.known,
      exitCodeOf: () => 0,
      parking: {
        read: async () => this.parked,
        write: async (refusal) => {
          this.parked = refusal;
        },
        remove: async () => {
          this.parked = undefined;
        },
      },
      hasOutstanding: async () => this.outstanding,
      handOver: async () => {
        this.handedOver += 1;
      },
    };
  }

  /** Starts a process that watches the space. */
  start(): void {
    this.#stop = new AbortController();
    this.#watch = new SpaceWatch(this.#space, {
      clock: this.#clock,
      queue: createSpaceQueue({ concurrency: 1 }),
      probes: createGate(1),
      emit: (event) => void this.events.push(event),
      stop: this.#stop.signal,
      abort: new AbortController().signal,
    });
  }

  /** Stops it; the run under way ends first. */
  async stop(): Promise<void> {
    this.#stop.abort();
    let isDone = false;
    void this.#watch?.done.then(() => {
      isDone = true;
    });
    for (await this.#clock.pass(0); !isDone; ) await this.#clock.pass(60_000);
  }

  announce(name = "published 1", movesCv = true): void {
    this.#watch?.announce({ name, movesCv, spaceId: undefined });
  }

  /** Goes on with another schedule and session, or ends. @returns false: it has ended already */
  change(to: Partial<Parameters<typeof turnsOf>[0]> | "ended", place?: unknown): boolean {
    if (to === "ended") return this.#watch!.change(to);
    this.sessions += 1;
    const number = this.sessions;
    const session = { ...this.#space.session, close: async () => void this.closed.push(number) };
    return this.#watch!.change({ ...this.#space, place, session, turns: turnsOf({ maxAgeMs: 0, ...to }, "blog") });
  }

  /** The reasons of all runs, as text. */
  reasons(): string[] {
    return this.events.flatMap((event) =>
      event.kind === "run-started"
        ? [event.reasons.map((one) => (one.kind === "webhook" ? `webhook ${one.event}` : one.kind)).join(", ")]
        : [],
    );
  }

  /** The results of the expectations. */
  told(): ("seen" | "not-seen")[] {
    return this.events.flatMap((event) => (event.kind === "expectation" ? [event.result] : []));
  }

  #serverMs(): number {
    return Math.floor((this.#clock.now() + this.serverAheadMs) / 1000) * 1000;
  }

  async #sync(recheck: string | undefined): Promise<SyncReport> {
    const clock = this.#clock;
    this.#running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#running);
    const { cv } = this;
    const atMs = clock.now();
    const confirmedAtMs = this.#serverMs();
    const run: ModelRun = { startedMs: clock.elapsed(), atMs, endedMs: undefined, recheck, outcome: undefined };
    this.runs.push(run);
    try {
      await clock.sleep(this.syncMs);
      if (this.failure !== undefined) throw this.failure;
      if (this.held) {
        const problems = [{ code: "HELD", message: "", hint: "" }];
        return { outcome: "kept", generation: 1, cv: this.known.cv, problems } as unknown as SyncReport;
      }
      run.outcome = cv === this.known.cv ? "unchanged" : "committed";
      this.known = { ...this.known, cv, confirmedAtMs };
      return { outcome: run.outcome, generation: 1, cv, problems: [] } as unknown as SyncReport;
    } finally {
      run.endedMs = clock.elapsed();
      this.#running -= 1;
    }
  }
}

import type { Gate } from "../lib/concurrency/gate.js";
import type { Leadership, StandByOptions } from "../snapshot/output.js";
import type { KnownSpace } from "../sync/known-space.js";
import type { Admit, SpaceQueue } from "../sync/run-spaces.js";
import { type Agenda, nextAction } from "./agenda.js";
import type { ContentEvent } from "./content-event.js";
import { followProbe, toldOf } from "./event-sync.js";
import { type Confirmed, type Expectation, expectStorm, type ProbeFound } from "./expectation.js";
import {
  afterSettingBack,
  earliest,
  lookAgainMs,
  missedTurnMs,
  type Turns,
  untilLookAfterRunMs,
  untilLookMs,
} from "./next-turn.js";
import { type ParkedNote, SpaceParking } from "./parking.js";
import { failedRun, type RunCause, type RunSurroundings, runSpace, type SyncedSpace } from "./run-space.js";
import { joinStorm } from "./storm.js";
import type { RunEnded } from "./watch-event.js";

export interface WatchedSpace extends SyncedSpace {
  turns: Turns;
  readKnown(): Promise<KnownSpace>;
  /** Identifies the output: other settings of a space may keep it, and the right to write with it. */
  place?: unknown;
  /** Acquires the right to write: see `Output.standBy`. undefined: nobody else writes. */
  standBy?: ((options: StandByOptions) => Promise<Leadership>) | undefined;
  close?: (() => Promise<void>) | undefined;
  /** Remembers that the space is parked; others may lift that. undefined: nothing does. */
  parking?: ParkedNote | undefined;
  /** Whether an earlier process left changes for the hooks. */
  hasOutstanding?: (() => Promise<boolean>) | undefined;
  /** Runs the change hooks after each successful sync. Reports hook failures itself. */
  handOver?: ((signal: AbortSignal, after: RunEnded) => Promise<void>) | undefined;
}

export interface WatchSurroundings extends RunSurroundings {
  queue: SpaceQueue;
  probes: Gate;
}

/** Watches a space until stopped, sequentially: a space never syncs twice at once. */
export class SpaceWatch {
  spaceId: number | null = null;
  /** Resolves when it has stopped. Failed runs do not reject it. */
  readonly done: Promise<void>;
  #agenda: Agenda = { turnAtMs: null, lookAtMs: null, storm: undefined, expectation: undefined };
  #confirmed: Confirmed = { cv: null, startedMs: Number.NEGATIVE_INFINITY };
  /** How far the server's clock is ahead of ours, in milliseconds. */
  #serverAheadMs = 0;
  #woken = new AbortController();
  #change: WatchedSpace | "ended" | undefined;
  #isOver = false;
  #parking: SpaceParking;
  /** After a failure to get the right to write, as `elapsed`. */
  #pausedUntilMs = Number.NEGATIVE_INFINITY;
  #changing = new AbortController();
  /** Aborted by a change and by the stop, which end a wait for the right to write. */
  #untilChange: AbortSignal;
  /** Aborted when the right to write is lost; undefined: nobody else writes. */
  #lost: AbortSignal | undefined;
  #space: WatchedSpace;
  readonly #around: WatchSurroundings;

  constructor(space: WatchedSpace, surroundings: WatchSurroundings) {
    this.#space = space;
    this.#around = surroundings;
    this.#parking = new SpaceParking(space.name, space.parking, surroundings);
    this.#untilChange = AbortSignal.any([surroundings.stop, this.#changing.signal]);
    this.done = this.#run();
  }

  announce(event: ContentEvent): void {
    const { storm } = this.#agenda;
    this.#agenda.storm = joinStorm(storm, event, this.#around.clock.elapsed(), this.#confirmed.cv);
    this.#woken.abort();
  }

  /**
   * After the run under way, goes on with other settings, as after a restart, or ends. Events that wait stay.
   * @returns false: it has ended
   */
  change(to: WatchedSpace | "ended"): boolean {
    this.#change = to;
    this.#changing.abort();
    this.#woken.abort();
    return !this.#isOver;
  }

  async #run(): Promise<void> {
    const { clock, stop } = this.#around;
    const wake = () => this.#woken.abort();
    stop.addEventListener("abort", wake);
    try {
      let seenMs = clock.now();
      for (let isNew = true; !stop.aborted && this.#change !== "ended"; ) {
        if (this.#change !== undefined) {
          await this.#takeChange(this.#change);
          isNew = true;
        }
        if (clock.elapsed() < this.#pausedUntilMs) {
          await this.#pause();
          continue;
        }
        const right = await this.#standBy();
        if (stop.aborted) break;
        if (right === "failed") continue;
        if (isNew || right === "new") await this.#start();
        isNew = false;
        if (stop.aborted) break;
        const nowMs = clock.now();
        if (nowMs < seenMs) this.#agenda = afterSettingBack(this.#agenda, this.#space.turns, nowMs);
        seenMs = nowMs;
        await this.#step(nowMs);
      }
    } finally {
      this.#isOver = true;
      stop.removeEventListener("abort", wake);
      if (!stop.aborted) await this.#space.session.close?.();
      await this.#space.close?.();
    }
  }

  async #takeChange(to: WatchedSpace): Promise<void> {
    const before = this.#space;
    this.#change = undefined;
    this.#changing = new AbortController();
    this.#untilChange = AbortSignal.any([this.#around.stop, this.#changing.signal]);
    this.#space = to;
    this.#parking = new SpaceParking(to.name, to.parking, this.#around);
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
    await before.session.close?.();
    if (before.place === to.place) return;
    this.#lost = undefined;
    this.#confirmed = { cv: null, startedMs: Number.NEGATIVE_INFINITY };
    await before.close?.();
  }

  /** @returns `new` if this process has just acquired the right to write */
  async #standBy(): Promise<"kept" | "new" | "failed"> {
    const { clock, emit } = this.#around;
    const { name: space, standBy } = this.#space;
    if (standBy === undefined) return "kept";
    const onWait: StandByOptions["onWait"] = (holder) => {
      const told = holder ? { host: holder.host, pid: holder.pid, since: holder.since } : null;
      emit({ kind: "standing-by", space, atMs: clock.now(), holder: told });
    };
    try {
      const onFailure: StandByOptions["onFailure"] = (error) => this.#tellFailure(error);
      const { isNew, lost } = await standBy({ signal: this.#untilChange, onWait, onFailure });
      if (!isNew) return "kept";
      this.#lost = lost;
      lost.addEventListener("abort", () => this.#woken.abort(), { once: true });
      emit({ kind: "took-over", space, atMs: clock.now() });
      return "new";
    } catch (error) {
      if (this.#untilChange.aborted) return "failed";
      this.#parking.after(failedRun(error));
      const pauseMs = Math.max(lookAgainMs, this.#parking.waitMs);
      this.#pausedUntilMs = clock.elapsed() + pauseMs;
      this.#tellFailure(error, pauseMs);
      await this.#parking.tell(clock.now() + pauseMs);
      return "failed";
    }
  }

  /** A store problem lasts until someone fixes it. Report it as a failed run and retry. */
  #tellFailure(error: unknown, againMs = lookAgainMs): void {
    const { clock, emit } = this.#around;
    const nextAtMs = clock.now() + againMs;
    const told = { space: this.#space.name, atMs: clock.now(), reasons: [], durationMs: 0, nextAtMs };
    emit({ kind: "run-ended", ...told, ...failedRun(error) });
  }

  /** An event, a change and `resume` end it. */
  async #pause(): Promise<void> {
    await this.#parking.sleep(this.#pausedUntilMs - this.#around.clock.elapsed(), this.#woken.signal);
    if (this.#woken.signal.aborted || (await this.#parking.isResumed())) this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
    this.#renewWaking();
  }

  #renewWaking(): void {
    if (this.#woken.signal.aborted && !this.#around.stop.aborted) this.#woken = new AbortController();
  }

  /** Runs what is due at once, once, however many turns passed. */
  async #start(): Promise<void> {
    const known = await this.#space.readKnown();
    const isParked = await this.#parking.begin();
    this.spaceId = known.spaceId;
    this.#confirmed = { ...this.#confirmed, cv: known.cv };
    const nowMs = this.#around.clock.now();
    this.#planNext(known, untilLookMs);
    const isMissed = missedTurnMs(this.#space.turns, known.confirmedAtMs, nowMs) !== null;
    const isDue = isMissed || isParked || (await this.#space.hasOutstanding?.());
    if (isDue && !this.#around.stop.aborted) await this.#sync({ reasons: [{ kind: "start" }] });
  }

  async #step(nowMs: number): Promise<void> {
    const { clock } = this.#around;
    const action = nextAction(this.#agenda, { nowMs, elapsedMs: clock.elapsed() });
    switch (action.kind) {
      case "wait":
        await this.#parking.sleep(action.ms, this.#woken.signal);
        this.#renewWaking();
        if (await this.#parking.isResumed()) await this.#sync({ reasons: [{ kind: "resume" }] });
        return;
      case "run":
        await this.#sync({ reasons: action.reasons });
        return;
      case "expect":
        this.#agenda.expectation = expectStorm(action.storm, clock.elapsed(), this.#agenda.expectation);
        this.#agenda.storm = undefined;
        return;
      case "probe":
        await this.#followEvents(action.expectation);
    }
  }

  async #followEvents(expectation: Expectation): Promise<void> {
    const { clock, stop, emit } = this.#around;
    const found = await this.#probe();
    if (stop.aborted) return;
    const nowMs = clock.elapsed();
    const probed = { expectation, found, confirmed: this.#confirmed, nowMs };
    const { open, result, dealtCv } = await followProbe(probed, (cause) => this.#sync(cause));
    this.#agenda.expectation = open;
    if (dealtCv !== undefined) this.#confirmed = { ...this.#confirmed, cv: dealtCv };
    if (result === undefined) return;
    const waitedMs = Math.round(clock.elapsed() - expectation.receivedMs);
    emit(toldOf(expectation, result, { space: this.#space.name, atMs: clock.now(), waitedMs }));
  }

  /** Undefined if it failed. The next probe or run reports why. */
  async #probe(): Promise<ProbeFound | undefined> {
    const { clock, probes, stop } = this.#around;
    try {
      const { cv, dateMs } = await probes(async () => {
        stop.throwIfAborted();
        return this.#space.session.probe(stop);
      });
      const nowMs = clock.now();
      if (dateMs !== null) this.#serverAheadMs = dateMs - nowMs;
      return { cv, serverMs: dateMs ?? nowMs };
    } catch {
      return undefined;
    }
  }

  /** Runs one sync and reports it; undefined if it was stopped before it began. */
  async #sync(cause: RunCause): Promise<RunEnded | undefined> {
    const { queue, stop, abort, emit } = this.#around;
    const ended = await queue.run(async (admit) =>
      stop.aborted || this.#change === "ended" ? undefined : this.#syncInTurn(cause, admit),
    );
    if (ended === undefined) return undefined;
    emit(ended);
    await this.#parking.tell(ended.nextAtMs);
    if (ended.exitCode === 0 && !stop.aborted) await this.#space.handOver?.(abort, ended);
    return ended;
  }

  async #syncInTurn(cause: RunCause, admit: Admit): Promise<RunEnded> {
    const { clock, abort } = this.#around;
    const startedMs = clock.elapsed();
    const signal = this.#lost === undefined ? abort : AbortSignal.any([abort, this.#lost]);
    const nextAtMs: Parameters<typeof runSpace>[3] = async (done) => {
      const { outcome, report } = done;
      this.#parking.after(done);
      if (report !== undefined && (outcome === "committed" || outcome === "unchanged")) {
        this.#confirmed = { cv: report.cv, startedMs };
      }
      const known = await this.#space.readKnown();
      this.spaceId = known.spaceId ?? this.spaceId;
      this.#planNext(known, untilLookAfterRunMs);
      return this.#nextAtMs();
    };
    return runSpace(this.#space, { ...this.#around, abort: signal }, cause, nextAtMs, admit);
  }

  /** Plans the next turn. Turns missed during a run are skipped. */
  #planNext({ lookAtMs }: KnownSpace, untilLook: typeof untilLookMs): void {
    const { clock } = this.#around;
    const nowMs = clock.now();
    const { waitMs } = this.#parking;
    const lookInMs = lookAtMs === null || waitMs > 0 ? null : untilLook(lookAtMs, nowMs + this.#serverAheadMs);
    this.#agenda.turnAtMs = this.#space.turns.after(nowMs + waitMs);
    this.#agenda.lookAtMs = lookInMs === null ? null : clock.elapsed() + lookInMs;
  }

  #nextAtMs(): number | null {
    const { turnAtMs, lookAtMs } = this.#agenda;
    const { clock } = this.#around;
    const nextMs = earliest(turnAtMs, lookAtMs === null ? null : clock.now() + lookAtMs - clock.elapsed());
    return nextMs === null ? null : Math.round(nextMs);
  }
}

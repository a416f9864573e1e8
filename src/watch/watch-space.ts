import type { Problem } from "../errors.js";
import type { Gate } from "../gate.js";
import type { Leadership, StandByOptions } from "../snapshot/output.js";
import type { KnownSpace } from "../sync/known-space.js";
import type { Admit, SpaceQueue } from "../sync/run-spaces.js";
import { type Agenda, afterSettingBack, nextAction } from "./agenda.js";
import type { ContentEvent } from "./content-event.js";
import {
  type Confirmed,
  type Expectation,
  expectStorm,
  judgeProbe,
  laterProbe,
  type ProbeFound,
  type Verdict,
} from "./expectation.js";
import { hasMissedTurn, type Turns } from "./next-turn.js";
import { failedRun, type RunSurroundings, runSpace, type SyncedSpace } from "./run-space.js";
import { type EventList, joinStorm } from "./storm.js";
import type { RunEnded, RunReason } from "./watch-event.js";

/** A space that is watched. */
export interface WatchedSpace extends SyncedSpace {
  /** When it is synced whatever happens. */
  turns: Turns;
  /** What lies in its output folder. */
  readKnown(): Promise<KnownSpace>;
  /**
   * Waits until this process may write, where machines share the snapshot, and keeps that right: see `Output.standBy`.
   * undefined: nobody else writes.
   */
  standBy?: ((options: StandByOptions) => Promise<Leadership>) | undefined;
  /** Gives the right back, when the watch ends. */
  close?: (() => Promise<void>) | undefined;
  /** Whether something was left to be handed over when an earlier process ended. */
  hasOutstanding?: (() => Promise<boolean>) | undefined;
  /** Hands what has changed to those who act on it, after each run that would have ended with 0. It tells its own failures. */
  handOver?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** What the spaces of a process have in common. */
export interface WatchSurroundings extends RunSurroundings {
  /** Bounds how many spaces are synced at the same time. */
  queue: SpaceQueue;
  /** Bounds how many are probed for events at the same time. */
  probes: Gate;
}

/** A space that is being watched. */
export interface SpaceWatch {
  /** Takes an event; returns at once. */
  announce(event: ContentEvent): void;
  /** The number of the space, as far as it is known. */
  spaceId(): number | null;
  /** Resolves when it has stopped. It does not reject for what goes wrong with a run. */
  done: Promise<void>;
}

/** The least time until what was read lately is looked at once more, where the sync that should have done so failed or left it open. */
const lookAgainMs = 60_000;
/** Date headers have whole seconds, so that a time read from one may be too early by this much. */
const headerMs = 1500;
/** Exit codes of runs that may succeed soon: 5, the upstream cannot be reached; 11, another process syncs. */
export const passingExitCodes = new Set([5, 11]);

/** Watches a space until it is stopped: one thing after the other, so that it is never synced twice at a time. */
export function watchSpace(space: WatchedSpace, surroundings: WatchSurroundings): SpaceWatch {
  const watch = new Watch(space, surroundings);
  return { announce: (event) => watch.announce(event), spaceId: () => watch.spaceId, done: watch.run() };
}

class Watch {
  spaceId: number | null = null;
  #agenda: Agenda = { turnAtMs: null, lookAtMs: null, storm: undefined, expectation: undefined };
  #confirmed: Confirmed = { cv: null, startedMs: Number.NEGATIVE_INFINITY };
  /** The server's clock less ours, in milliseconds. */
  #serverAheadMs = 0;
  #woken = new AbortController();
  /** Comes when the right to write is lost; undefined where nobody else writes. */
  #lost: AbortSignal | undefined;
  readonly #space: WatchedSpace;
  readonly #around: WatchSurroundings;

  constructor(space: WatchedSpace, surroundings: WatchSurroundings) {
    this.#space = space;
    this.#around = surroundings;
  }

  announce(event: ContentEvent): void {
    const { storm } = this.#agenda;
    this.#agenda.storm = joinStorm(storm, event, this.#around.clock.elapsed(), this.#confirmed.cv);
    this.#woken.abort();
  }

  async run(): Promise<void> {
    const { clock, stop } = this.#around;
    const wake = () => this.#woken.abort();
    stop.addEventListener("abort", wake);
    try {
      let seenMs = clock.now();
      for (let isFirst = true; !stop.aborted; isFirst = false) {
        const right = await this.#standBy();
        if (stop.aborted) break;
        if (right === "failed") continue;
        if (isFirst || right === "new") await this.#start();
        if (stop.aborted) break;
        const nowMs = clock.now();
        if (nowMs < seenMs) this.#agenda = afterSettingBack(this.#agenda, this.#space.turns, nowMs);
        seenMs = nowMs;
        await this.#step(nowMs);
      }
    } finally {
      stop.removeEventListener("abort", wake);
      await this.#space.close?.();
    }
  }

  /** Waits while another process has the right to write. @returns whether it is ours now, and was not before */
  async #standBy(): Promise<"kept" | "new" | "failed"> {
    const { clock, stop, emit } = this.#around;
    const { name: space, standBy } = this.#space;
    if (standBy === undefined) return "kept";
    const onWait: StandByOptions["onWait"] = (holder) =>
      emit({ kind: "standing-by", space, atMs: clock.now(), holder: holder ? holderOf(holder) : null });
    try {
      const onFailure: StandByOptions["onFailure"] = (error) => this.#tellFailure(error);
      const { isNew, lost } = await standBy({ signal: stop, onWait, onFailure });
      if (!isNew) return "kept";
      this.#lost = lost;
      lost.addEventListener("abort", () => this.#woken.abort(), { once: true });
      emit({ kind: "took-over", space, atMs: clock.now() });
      return "new";
    } catch (error) {
      if (stop.aborted) return "failed";
      this.#tellFailure(error);
      await clock.sleep(lookAgainMs, stop);
      return "failed";
    }
  }

  /** What is wrong with the store stays wrong until somebody mends it: it is told as a run that failed, and tried again. */
  #tellFailure(error: unknown): void {
    const { clock, emit } = this.#around;
    const nextAtMs = clock.now() + lookAgainMs;
    const told = { space: this.#space.name, atMs: clock.now(), reasons: [], durationMs: 0, nextAtMs };
    emit({ kind: "run-ended", ...told, ...failedRun(error) });
  }

  /** What is due is done at once, whatever number of turns was missed. */
  async #start(): Promise<void> {
    const known = await this.#space.readKnown();
    this.spaceId = known.spaceId;
    this.#confirmed = { ...this.#confirmed, cv: known.cv };
    const nowMs = this.#around.clock.now();
    const lookInMs = this.#untilLook(known);
    this.#agenda.turnAtMs = this.#space.turns.after(nowMs);
    this.#agenda.lookAtMs = lookInMs === null ? null : this.#around.clock.elapsed() + lookInMs;
    const isDue =
      hasMissedTurn(this.#space.turns, known.confirmedAtMs, nowMs) || (await this.#space.hasOutstanding?.());
    if (isDue && !this.#around.stop.aborted) {
      await this.#sync([{ kind: "start" }]);
    }
  }

  async #step(nowMs: number): Promise<void> {
    const { clock } = this.#around;
    const action = nextAction(this.#agenda, { nowMs, elapsedMs: clock.elapsed() });
    switch (action.kind) {
      case "wait":
        await clock.sleep(action.ms, this.#woken.signal);
        if (this.#woken.signal.aborted) this.#woken = new AbortController();
        return;
      case "run":
        await this.#sync(action.reasons);
        return;
      case "expect":
        this.#agenda.expectation = expectStorm(action.storm, clock.elapsed(), this.#agenda.expectation);
        this.#agenda.storm = undefined;
        return;
      case "probe":
        await this.#followEvents(action.expectation);
    }
  }

  /** Probes for what events have announced, and does what follows. */
  async #followEvents(expectation: Expectation): Promise<void> {
    const { clock, stop } = this.#around;
    const found = await this.#probe();
    if (stop.aborted) return;
    const verdict = judgeProbe(expectation, found, this.#confirmed, clock.elapsed());
    this.#agenda.expectation = verdict.open;
    if (verdict.runs) await this.#syncFor(expectation, verdict, found);
    else this.#tell(expectation, verdict.result);
  }

  /** Undefined: it failed. The next probe, or the next run, tells what is wrong. */
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

  async #syncFor(expectation: Expectation, verdict: Verdict, found: ProbeFound | undefined): Promise<void> {
    const { names, count } = expectation.events;
    const reasons = names.map((event): RunReason => ({ kind: "webhook", event }));
    if (count > names.length) reasons.push({ kind: "webhook", event: `and ${count - names.length} more` });
    const recheck = verdict.recheck === undefined ? undefined : `webhook ${verdict.recheck}`;
    const ended = await this.#sync(reasons, recheck);
    if (ended === undefined) return;
    // Another edge may have answered the sync with an older cv than the probe.
    const isHeld = ended.problems.some(({ code }) => code === "HELD");
    const isBehind = !isHeld && ended.report?.cv != null && found?.cv != null && ended.report.cv < found.cv;
    const isDone = !isBehind && !passingExitCodes.has(ended.exitCode);
    // A sync that failed for another reason would fail again: this cv counts as dealt with until the next turn.
    if (isDone && found?.cv != null) this.#confirmed = { ...this.#confirmed, cv: found.cv };
    if (verdict.open === undefined && !isDone) {
      const again = laterProbe(expectation);
      this.#agenda.expectation = again;
      if (again !== undefined) return;
    }
    this.#tell(expectation, verdict.result);
  }

  /** One sync, with what is told of it. undefined: it was stopped before it began. */
  async #sync(reasons: RunReason[], recheck?: string): Promise<RunEnded | undefined> {
    const { queue, stop, abort, emit } = this.#around;
    const ended = await queue.run(async (admit) =>
      stop.aborted ? undefined : this.#syncInTurn(reasons, recheck, admit),
    );
    if (ended === undefined) return undefined;
    emit(ended);
    if (ended.exitCode === 0 && !stop.aborted) await this.#space.handOver?.(abort);
    return ended;
  }

  async #syncInTurn(reasons: RunReason[], recheck: string | undefined, admit: Admit): Promise<RunEnded> {
    const { clock, abort } = this.#around;
    const startedMs = clock.elapsed();
    const signal = this.#lost === undefined ? abort : AbortSignal.any([abort, this.#lost]);
    const ran = await runSpace(this.#space, { ...this.#around, abort: signal }, { reasons, recheck }, admit);
    const { outcome, report } = ran;
    if (report !== undefined && (outcome === "committed" || outcome === "unchanged")) {
      this.#confirmed = { cv: report.cv, startedMs };
    }
    await this.#plan();
    const times = {
      atMs: clock.now(),
      durationMs: Math.round(clock.elapsed() - startedMs),
      nextAtMs: this.#nextAtMs(),
    };
    return { ...ran, ...times };
  }

  /** What is due next after a run. Turns that came while it ran are not made up for. */
  async #plan(): Promise<void> {
    const known = await this.#space.readKnown();
    const { clock } = this.#around;
    const lookInMs = this.#untilLook(known);
    this.spaceId = known.spaceId ?? this.spaceId;
    this.#agenda.turnAtMs = this.#space.turns.after(clock.now());
    // A look that is still due after this run was not possible in it, and would not be at once: it waits.
    this.#agenda.lookAtMs = lookInMs === null ? null : clock.elapsed() + (lookInMs > 0 ? lookInMs : lookAgainMs);
  }

  /** How long it is until a sync will look once more at what was read lately, in milliseconds; null: it need not. */
  #untilLook({ lookAtMs }: KnownSpace): number | null {
    if (lookAtMs === null) return null;
    const untilMs = lookAtMs - (this.#around.clock.now() + this.#serverAheadMs) + headerMs;
    return Math.min(untilMs, lookAgainMs + headerMs);
  }

  #nextAtMs(): number | null {
    const { turnAtMs, lookAtMs } = this.#agenda;
    const { clock } = this.#around;
    const times = [turnAtMs, lookAtMs === null ? null : clock.now() + lookAtMs - clock.elapsed()];
    const nextMs = Math.min(...times.map((ms) => ms ?? Number.POSITIVE_INFINITY));
    return nextMs === Number.POSITIVE_INFINITY ? null : Math.round(nextMs);
  }

  #tell({ events, probes, receivedMs }: Expectation, result: Verdict["result"]): void {
    if (result === undefined) return;
    const { clock, emit } = this.#around;
    const waitedMs = Math.round(clock.elapsed() - receivedMs);
    const told = { space: this.#space.name, atMs: clock.now(), result, probes: probes + 1, waitedMs };
    emit({ kind: "expectation", ...told, ...(result === "not-seen" && { problem: notSeen(events, waitedMs) }) });
  }
}

function holderOf({ host, pid, since }: { host: string; pid: number; since: string }) {
  return { host, pid, since };
}

/** What is told of events that the upstream never showed. */
export function notSeen({ names, count }: EventList, waitedMs: number): Problem {
  const what = count === 1 ? `The event ${names[0]}` : `${count} events, the first of them ${names[0]},`;
  return {
    code: "EVENT_NOT_SEEN",
    message: `${what} came ${Math.round(waitedMs / 1000)} s ago, and the upstream's cv has not passed that moment.`,
    hint: "Later syncs will find the change when the upstream shows it. If this stays so, look at its status page.",
  };
}

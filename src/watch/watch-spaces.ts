import { setMaxListeners } from "node:events";
import { createGate } from "../lib/concurrency/gate.js";
import { createSpaceQueue } from "../sync/run-spaces.js";
import { onceAborted, type WatchClock } from "./watch-clock.js";
import type { WatchEvent } from "./watch-event.js";
import { SpaceWatch, type WatchedSpace } from "./watch-space.js";

export interface WatchSpacesOptions {
  spaces: readonly WatchedSpace[];
  clock: WatchClock;
  concurrency: number;
  emit(event: WatchEvent): void;
  /** Stops it: no new run begins, and active runs get 20 s to finish. */
  signal: AbortSignal;
}

/** Spaces that are new or have other settings, and the names of those that end. */
export interface ChangedSpaces<Space> {
  put: readonly Space[];
  ended: readonly string[];
}

const probesAtOnce = 16;

/** `done` resolves when all have stopped, at most 24 s after the signal. */
export function watchSpaces({ spaces, clock, concurrency, emit, signal }: WatchSpacesOptions) {
  const abort = new AbortController();
  const ended = new AbortController();
  // Each space adds listeners to both.
  setMaxListeners(0, signal, abort.signal);
  const around = {
    clock,
    emit,
    queue: createSpaceQueue({ concurrency }),
    probes: createGate(probesAtOnce),
    stop: signal,
    abort: abort.signal,
  };
  const watches = new Map<string, SpaceWatch>();
  /** Spaces that come back while they end. They begin after that. */
  const returning = new Map<string, WatchedSpace>();
  const failure = new AbortController();
  const endWithLast = () => {
    if (signal.aborted && watches.size === 0) ended.abort();
  };
  const start = (space: WatchedSpace): void => {
    const { name } = space;
    const watch = new SpaceWatch(space, around);
    watches.set(name, watch);
    const after = () => {
      watches.delete(name);
      const next = returning.get(name);
      returning.delete(name);
      if (next !== undefined && !signal.aborted) start(next);
      else endWithLast();
    };
    watch.done.then(after, (error) => failure.abort(error));
  };
  for (const space of spaces) start(space);
  /** Touches no run under way: it ends as it began. */
  const change = ({ put, ended: names }: ChangedSpaces<WatchedSpace>): void => {
    for (const name of names) {
      returning.delete(name);
      watches.get(name)?.change("ended");
    }
    for (const space of put) {
      const watch = watches.get(space.name);
      if (watch === undefined) start(space);
      else if (!watch.change(space)) returning.set(space.name, space);
    }
  };
  const failed = onceAborted(failure.signal).then(() => Promise.reject(failure.signal.reason));
  const drained = onceAborted(signal).then(() => {
    endWithLast();
    return drain(clock, () => abort.abort(signal.reason), ended.signal);
  });
  return { spaces: watches, change, done: Promise.race<void>([failed, drained]) };
}

/** Time for active runs after the signal. Then they are aborted, which is always safe. */
const drainMs = 20_000;
/** Time for an aborted run to end. */
const abortMs = 4000;

/** Waits for active runs, then aborts them. `ended` is aborted when all have ended. */
export async function drain(clock: WatchClock, abort: () => void, ended: AbortSignal): Promise<void> {
  await clock.sleep(drainMs, ended);
  abort();
  await clock.sleep(abortMs, ended);
}

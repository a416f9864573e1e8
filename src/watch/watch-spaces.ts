import { setMaxListeners } from "node:events";
import { createGate } from "../lib/concurrency/gate.js";
import { createSpaceQueue } from "../sync/run-spaces.js";
import { onceAborted, type WatchClock } from "./watch-clock.js";
import type { WatchEvent } from "./watch-event.js";
import { type SpaceWatch, type WatchedSpace, watchSpace } from "./watch-space.js";

export interface WatchSpacesOptions {
  spaces: readonly WatchedSpace[];
  clock: WatchClock;
  concurrency: number;
  emit(event: WatchEvent): void;
  /** Stops it: no new run begins, and active runs get 20 s to finish. */
  signal: AbortSignal;
}

export interface SpacesWatch {
  spaces: ReadonlyMap<string, SpaceWatch>;
  /** Resolves when all have stopped, at most 24 s after the signal. */
  done: Promise<void>;
}

const probesAtOnce = 16;

export function watchSpaces({ spaces, clock, concurrency, emit, signal }: WatchSpacesOptions): SpacesWatch {
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
  const watches = new Map(spaces.map((space) => [space.name, watchSpace(space, around)]));
  const allDone = Promise.all([...watches.values()].map(({ done }) => done)).finally(() => ended.abort());
  const drained = onceAborted(signal).then(() => drain(clock, () => abort.abort(signal.reason), ended.signal));
  return { spaces: watches, done: Promise.race([allDone, drained]).then(() => undefined) };
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

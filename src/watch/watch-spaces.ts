import { setMaxListeners } from "node:events";
import { createGate } from "../lib/concurrency/gate.js";
import { createSpaceQueue } from "../sync/run-spaces.js";
import { onceAborted, type WatchClock } from "./watch-clock.js";
import type { WatchEvent } from "./watch-event.js";
import { type SpaceWatch, type WatchedSpace, watchSpace } from "./watch-space.js";

export interface WatchSpacesOptions {
  spaces: readonly WatchedSpace[];
  clock: WatchClock;
  /** Syncs at the same time, of all spaces. */
  concurrency: number;
  emit(event: WatchEvent): void;
  /** Ends it: no further run begins, those under way may go on for 20 s. */
  signal: AbortSignal;
}

/** The spaces of a process, while they are watched. */
export interface SpacesWatch {
  /** By name. */
  spaces: ReadonlyMap<string, SpaceWatch>;
  /** Resolves when all have stopped, at the latest 24 s after the signal. */
  done: Promise<void>;
}

const probesAtOnce = 16;

/** Watches spaces until the signal comes. */
export function watchSpaces({ spaces, clock, concurrency, emit, signal }: WatchSpacesOptions): SpacesWatch {
  const abort = new AbortController();
  const ended = new AbortController();
  // Each space listens to them.
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

/** How long a run may go on after the signal. Then it is aborted, which is safe at any moment. */
const drainMs = 20_000;
/** How long an aborted run may take to end. */
const abortMs = 4000;

/** Lets the runs under way end, and aborts those that take too long. @param ended comes when all have ended */
export async function drain(clock: WatchClock, abort: () => void, ended: AbortSignal): Promise<void> {
  await clock.sleep(drainMs, ended);
  abort();
  await clock.sleep(abortMs, ended);
}

import { setMaxListeners } from "node:events";
import { createGate } from "../gate.js";
import { createSpaceQueue } from "../sync/run-spaces.js";
import type { WatchClock } from "./watch-clock.js";
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

/** How long a run may go on after the signal. Then it is aborted, which is safe at any moment. */
const drainMs = 20_000;
/** How long an aborted run may take to end. */
const abortMs = 4000;
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
  return { spaces: watches, done: Promise.race([allDone, drained()]).then(() => undefined) };

  async function drained(): Promise<void> {
    await aborted(signal);
    await clock.sleep(drainMs, ended.signal);
    abort.abort(signal.reason);
    await clock.sleep(abortMs, ended.signal);
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

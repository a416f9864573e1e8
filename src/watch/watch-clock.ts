import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

/** How time passes for what is watched. */
export interface WatchClock {
  /** Milliseconds since the epoch. It may be set. */
  now(): number;
  /** Milliseconds since some moment. It only grows. */
  elapsed(): number;
  /** Resolves after so many milliseconds, when the signal is aborted, or soon after `now` was set. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** How often it is looked whether the time was set, or the machine has slept; milliseconds. */
const lookEveryMs = 15_000;
/** By how much both clocks may drift apart meanwhile. */
const driftMs = 1000;

/** The clock of this machine. */
export const systemClock: WatchClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    const endMs = performance.now() + ms;
    const apartMs = Date.now() - performance.now();
    while (!signal.aborted) {
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || Math.abs(Date.now() - performance.now() - apartMs) > driftMs) return;
      await delay(Math.min(leftMs, lookEveryMs), undefined, { signal }).catch(() => undefined);
    }
  },
};

/** Resolves when the signal comes. */
export async function onceAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

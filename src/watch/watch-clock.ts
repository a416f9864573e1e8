import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

export interface WatchClock {
  /** Milliseconds since the epoch. The clock may be set. */
  now(): number;
  /** Milliseconds since an arbitrary moment. It only grows. */
  elapsed(): number;
  /** Resolves after `ms`, on abort, or soon after `now` was set. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** How often we check whether the clock was set or the machine slept, in milliseconds. */
const lookEveryMs = 15_000;
/** How much both clocks may drift apart in that time. */
const driftMs = 1000;

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

export async function onceAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

import { setTimeout as sleep } from "node:timers/promises";

/** The time, as whoever has a lease sees it; tests give their own. */
export interface LeaseClock {
  /** Milliseconds since the epoch: goes on while the machine sleeps, and may be set. */
  now(): number;
  /** Milliseconds since some moment: is never set, and may stand still while the machine sleeps. */
  elapsed(): number;
  /** Ends early, without an error, when the signal comes. @param holds whether the process stays alive for it */
  sleep(ms: number, signal: AbortSignal | undefined, holds: boolean): Promise<void>;
}

export const systemLeaseClock: LeaseClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal, holds) =>
    sleep(ms, undefined, { ref: holds, ...(signal && { signal }) }).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    }),
};
